// Tells what a cell of a table is as a number of a type: driver TYPE TEXT.
#include <iostream>
#include <string>

#include "rapidcsv.h"

template <typename T> static int tell(const std::string &text)
{
    rapidcsv::ConverterParams params;
    rapidcsv::Converter<T> converter(params);
    T value = T();
    try {
        converter.ToVal(text, value);
    } catch (const std::exception &) {
        std::cout << "no number of this type\n";
        return 1;
    }
    std::cout << +value << "\n";
    return 0;
}

int main(int argc, char **argv)
{
    const std::string type = argc == 3 ? argv[1] : "";
    if (type == "int8")
        return tell<signed char>(argv[2]);
    if (type == "uint8")
        return tell<unsigned char>(argv[2]);
    if (type == "int16")
        return tell<short>(argv[2]);
    if (type == "uint16")
        return tell<unsigned short>(argv[2]);
    if (type == "int32")
        return tell<int>(argv[2]);
    if (type == "uint32")
        return tell<unsigned>(argv[2]);
    std::cout << "a type and a number, please\n";
    return 2;
}
