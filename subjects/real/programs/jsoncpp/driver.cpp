// Reads JSON from standard input and writes it. usage: run styled|fast|stream|compact|sizes|find NAME
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include "json/json.h"

static void print(const std::string &text)
{
    for (char c : text) {
        if (c == '\0')
            std::fputs("<0>", stdout);
        else
            std::putchar(c);
    }
}

static void sizes(const Json::Value &value, int depth)
{
    std::printf("%*stype %d, %u inside\n", 2 * depth, "", int(value.type()), value.size());
    for (const Json::Value &inner : value)
        sizes(inner, depth + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    std::string way = argv[1];
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    Json::CharReaderBuilder builder;
    std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    std::string errors;
    if (!reader->parse(text.data(), text.data() + text.size(), &root, &errors)) {
        print(errors);
        return 1;
    }
    if (way == "styled") {
        print(Json::StyledWriter().write(root));
    } else if (way == "fast") {
        print(Json::FastWriter().write(root));
    } else if (way == "stream") {
        std::ostringstream out;
        Json::StyledStreamWriter("  ").write(out, root);
        print(out.str());
    } else if (way == "compact") {
        Json::StreamWriterBuilder writer;
        writer["indentation"] = "";
        print(Json::writeString(writer, root) + "\n");
    } else if (way == "sizes") {
        sizes(root, 0);
    } else if (way == "find" && argc == 3) {
        print(root.get(argv[2], "nothing").toStyledString());
    } else {
        return 2;
    }
    return 0;
}
