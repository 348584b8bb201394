// Runs a fuzz target on the files given, and prints what the document in each has become.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "pugixml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        std::ostringstream content;
        content << file.rdbuf();
        const std::string text = content.str();
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
        pugi::xml_document document;
        pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
        std::cout << result.description() << " at " << result.offset << "\n";
        document.save(std::cout);
        pugi::xpath_node_set nodes = document.select_nodes("//*[@*] | //text()");
        std::printf("%u nodes\n", unsigned(nodes.size()));
        pugi::xpath_query sum("sum(//@*[number(.) = number(.)])");
        std::printf("sum %.3f\n", sum.evaluate_number(document));
    }
}
