// Writes a row of a table: driver CELL...
#include <iostream>
#include <string>

#include "rapidcsv.h"

int main(int argc, char **argv)
{
    rapidcsv::Document table("", rapidcsv::LabelParams(-1, -1));
    for (int at = 1; at < argc; at++)
        table.SetCell<std::string>(at - 1, 0, argv[at]);
    table.Save(std::cout);
    return 0;
}
