#pragma once
#include <string>
#include <vector>
int largest(const std::vector<int> &values);
std::string joined(const std::vector<int> &values, char between);
