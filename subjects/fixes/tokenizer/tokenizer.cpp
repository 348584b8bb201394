// Splits its argument into tokens: numbers, names, strings in double quotes
// (with \" and \\ in them), and single characters.
#include <cctype>
#include <iostream>
#include <string>
#include <vector>

struct Token {
    std::string kind;
    std::string text;
};

class Tokenizer {
public:
    explicit Tokenizer(const std::string& input) : text(input) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        while (true) {
            skip_spaces();
            if (pos >= text.size())
                return tokens;
            tokens.push_back(next());
        }
    }

private:
    bool digit_at(std::size_t i) const {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
    }

    bool letter_at(std::size_t i) const {
        return i < text.size() && (text[i] == '_' ||
               std::isalpha(static_cast<unsigned char>(text[i])));
    }

    void skip_spaces() {
        while (pos < text.size() && text[pos] == ' ')
            pos++;
    }

    Token next() {
        if (digit_at(pos))
            return number();
        if (letter_at(pos))
            return name();
        if (text[pos] == '"')
            return string();
        return {"sign", std::string(1, text[pos++])};
    }

    Token number() {
        std::size_t start = pos;
        while (digit_at(pos))
            pos++;
        if (pos < text.size() && text[pos] == '.' && digit_at(pos + 1)) {
            pos++;
            while (digit_at(pos))
                pos++;
        }
        return {"number", text.substr(start, pos - start)};
    }

    Token name() {
        std::size_t start = pos;
        while (letter_at(pos) || digit_at(pos))
            pos++;
        return {"name", text.substr(start, pos - start)};
    }

    Token string() {
        std::string value;
        pos++;
        while (text.at(pos) != '"') {
            if (text.at(pos) == '\\')
                pos++;
            value += text.at(pos);
            pos++;
        }
        pos++;
        return {"string", value};
    }

    std::string text;
    std::size_t pos = 0;
};

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: tokenizer TEXT\n";
        return 2;
    }
    std::vector<Token> tokens = Tokenizer(argv[1]).run();
    for (const Token& t : tokens)
        std::cout << t.kind << ' ' << t.text << '\n';
    std::cout << tokens.size() << " tokens\n";
    return 0;
}
