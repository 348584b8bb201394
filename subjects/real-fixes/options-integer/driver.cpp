// Tells the numbers that are given as options: driver [--byte=N] [--small=N] [--number=N].
#include <cstdint>
#include <iostream>
#include <limits>

#include "cxxopts.hpp"

int main(int argc, char **argv)
{
    try {
        cxxopts::Options options("driver", "numbers");
        options.add_options()("byte", "0 to 255", cxxopts::value<std::uint8_t>())(
            "small", "-128 to 127", cxxopts::value<std::int8_t>())("number", "any", cxxopts::value<std::int32_t>());
        auto given = options.parse(argc, argv);
        if (given.count("byte"))
            std::cout << "byte " << +given["byte"].as<std::uint8_t>() << "\n";
        if (given.count("small"))
            std::cout << "small " << +given["small"].as<std::int8_t>() << "\n";
        if (given.count("number"))
            std::cout << "number " << given["number"].as<std::int32_t>() << "\n";
    } catch (const std::exception &) {
        std::cout << "no number that fits\n";
        return 1;
    }
    return 0;
}
