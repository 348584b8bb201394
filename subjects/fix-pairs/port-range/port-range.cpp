#include <iostream>
#include <string>
// Says whether a port may be used: 1024 to 65535; 1 where it may not.
int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    long port = std::stol(argv[1]);
    if (port < 1024 || port > 49151) {
        std::cout << "reserved\n";
        return 1;
    }
    std::cout << "free " << port << "\n";
    return 0;
}
