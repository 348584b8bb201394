// What a reader may ask of an XML file. usage: outline QUERY FILE
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tinyxml2.h"

using namespace tinyxml2;

struct Unreadable : std::runtime_error {
    int line;
    Unreadable(const XMLDocument &document)
        : std::runtime_error(document.ErrorName()), line(document.ErrorLineNum())
    {
    }
};

class Query {
public:
    virtual ~Query() = default;
    virtual void element(const XMLElement &element, int depth) = 0;
    virtual void end() {}
};

class Outline : public Query {
    void element(const XMLElement &element, int depth) override
    {
        std::cout << std::string(2 * depth, ' ') << element.Name();
        if (const char *text = element.GetText())
            std::cout << ": " << text;
        std::cout << '\n';
    }
};

class Count : public Query {
    std::map<std::string, int> counts;
    void element(const XMLElement &element, int) override { counts[element.Name()]++; }
    void end() override
    {
        for (const auto &[name, count] : counts)
            std::cout << count << ' ' << name << '\n';
    }
};

class Text : public Query {
    std::vector<std::string> texts;
    void element(const XMLElement &element, int) override
    {
        for (const XMLNode *node = element.FirstChild(); node; node = node->NextSibling())
            if (const XMLText *text = node->ToText())
                texts.emplace_back(text->Value());
    }
    void end() override
    {
        std::size_t length = 0;
        for (const std::string &text : texts)
            length += text.size();
        std::cout << texts.size() << " texts, " << length << " bytes\n";
        for (const std::string &text : texts)
            if (text.size() > 20)
                std::cout << text.substr(0, 20) << "...\n";
    }
};

class Attributes : public Query {
    double sum = 0;
    void element(const XMLElement &element, int) override
    {
        for (const XMLAttribute *a = element.FirstAttribute(); a; a = a->Next()) {
            double number = 0;
            if (a->QueryDoubleValue(&number) == XML_SUCCESS)
                sum += number;
            std::cout << element.Name() << '@' << a->Name() << '=' << a->Value() << '\n';
        }
    }
    void end() override { std::cout << "sum " << sum << '\n'; }
};

static void walk(const XMLElement *element, int depth, Query &query)
{
    for (; element; element = element->NextSiblingElement()) {
        query.element(*element, depth);
        walk(element->FirstChildElement(), depth + 1, query);
    }
}

static void open(XMLDocument &document, const char *path)
{
    if (document.LoadFile(path) != XML_SUCCESS)
        throw Unreadable(document);
}

static void print(const XMLDocument &document, bool compact)
{
    XMLPrinter printer(nullptr, compact);
    document.Print(&printer);
    std::cout << printer.CStr() << '\n';
}

int main(int argc, char **argv)
{
    const std::map<std::string, std::function<std::unique_ptr<Query>()>> queries = {
        {"outline", [] { return std::make_unique<Outline>(); }},
        {"count", [] { return std::make_unique<Count>(); }},
        {"text", [] { return std::make_unique<Text>(); }},
        {"attributes", [] { return std::make_unique<Attributes>(); }},
    };
    try {
        if (argc != 3)
            throw std::invalid_argument("usage: outline QUERY FILE");
        std::string name = argv[1];
        XMLDocument document;
        open(document, argv[2]);
        if (name == "compact") {
            print(document, true);
        } else if (name == "remove") {
            XMLElement *root = document.RootElement();
            for (int n = 0; XMLElement *child = root ? root->FirstChildElement() : nullptr; n++) {
                root->DeleteChild(child);
                if (n % 2 == 0)
                    root->InsertEndChild(document.NewComment("removed"));
            }
            print(document, false);
        } else {
            auto query = queries.at(name)();
            walk(document.RootElement(), 0, *query);
            query->end();
        }
    } catch (const Unreadable &error) {
        std::cout << "line " << error.line << ": " << error.what() << std::endl;
        return 1;
    } catch (const std::out_of_range &) {
        std::cout << "no such query\n";
        return 2;
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
        return 2;
    }
    return 0;
}
