// A port: what may be called depends on whether it is open.
#ifndef PORT_H
#define PORT_H

#include <stdexcept>
#include <string>

enum class Mode { Text, Binary };

class Port {
public:
    bool is_open() const {
        return open_;
    }

    void open(Mode mode) {
        if (open_) {
            throw std::logic_error("open already");
        }
        mode_ = mode;
        open_ = true;
    }

    int send(const std::string &text) {
        if (!open_) {
            throw std::runtime_error("not open");
        }
        sent_ = sent_ + 1;
        return static_cast<int>(text.size());
    }

    void close() {
        open_ = false;
    }

    // Nobody ought to ask where nothing was sent.
    int average() {
        return 100 / sent_;
    }

private:
    bool open_ = false;
    int sent_ = 0;
    Mode mode_ = Mode::Text;
};

#endif
