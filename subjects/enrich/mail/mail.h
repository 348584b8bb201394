// A connection to a mail server: what may be sent depends on what was sent before.
#ifndef MAIL_H
#define MAIL_H

#include <stdexcept>
#include <string>

enum State { CLOSED = 0, OPEN = 1, READY = 2, SENDER = 3, RECIPIENT = 4 };

class Mail {
public:
    Mail() : state(CLOSED) {}

    void open() {
        need(CLOSED, "open already");
        state = OPEN;
    }

    void authenticate(const std::string &user) {
        need(OPEN, "not open, or authenticated already");
        (void)user;
        state = READY;
    }

    void mail(const std::string &from) {
        need(READY, "not authenticated, or a letter is begun");
        (void)from;
        state = SENDER;
    }

    void recipient(const std::string &to) {
        if (state != SENDER && state != RECIPIENT) {
            throw std::logic_error("no letter is begun");
        }
        (void)to;
        state = RECIPIENT;
    }

    void data(const std::string &text, bool last) {
        need(RECIPIENT, "nobody is to get it");
        (void)text;
        state = last ? READY : SENDER;
    }

    void quit() {
        if (state == CLOSED) {
            throw std::logic_error("not open");
        }
        state = CLOSED;
    }

private:
    void need(State wanted, const char *what) const {
        if (state != wanted) {
            throw std::logic_error(what);
        }
    }

    State state;
};

#endif
