// Writes YAML word by word. usage: run WORD...
// A word is [ or ] (a sequence), { or } (a map), key, value, flow, block, long, 'quoted, "quoted, |literal, &anchor, *alias, !tag, #comment,
// null, true, false, or a text.
#include <cstdio>
#include <string>

#include "yaml-cpp/emitter.h"
#include "yaml-cpp/emittermanip.h"

static void emit(YAML::Emitter &out, const std::string &word)
{
    if (word == "[")
        out << YAML::BeginSeq;
    else if (word == "]")
        out << YAML::EndSeq;
    else if (word == "{")
        out << YAML::BeginMap;
    else if (word == "}")
        out << YAML::EndMap;
    else if (word == "key")
        out << YAML::Key;
    else if (word == "value")
        out << YAML::Value;
    else if (word == "flow")
        out << YAML::Flow;
    else if (word == "block")
        out << YAML::Block;
    else if (word == "long")
        out << YAML::LongKey;
    else if (word == "null")
        out << YAML::Null;
    else if (word == "true" || word == "false")
        out << (word == "true");
    else if (word[0] == '\'')
        out << YAML::SingleQuoted << word.substr(1);
    else if (word[0] == '"')
        out << YAML::DoubleQuoted << word.substr(1);
    else if (word[0] == '|')
        out << YAML::Literal << word.substr(1);
    else if (word[0] == '&')
        out << YAML::Anchor(word.substr(1));
    else if (word[0] == '*')
        out << YAML::Alias(word.substr(1));
    else if (word[0] == '!')
        out << YAML::LocalTag(word.substr(1));
    else if (word[0] == '#')
        out << YAML::Comment(word.substr(1));
    else
        out << word;
}

int main(int argc, char **argv)
{
    YAML::Emitter out;
    for (int i = 1; i < argc; i++)
        emit(out, argv[i]);
    if (!out.good()) {
        std::printf("error: %s\n", out.GetLastError().c_str());
        return 1;
    }
    std::printf("%s\n", out.c_str());
    return 0;
}
