#include "mail.h"

#include <cstdio>
#include <cstring>

// Sends letters: each word is one to another.
static void send(Mail &mail, int letters, char **words) {
    for (int i = 0; i < letters; i++) {
        mail.mail("me");
        mail.recipient(words[i]);
        mail.data("hello", true);
        std::printf("sent to %s\n", words[i]);
    }
}

int main(int count, char **words) {
    Mail mail;
    mail.open();
    mail.authenticate("me");
    send(mail, count - 1, words + 1);
    mail.quit();
    return 0;
}
