// Uses of connections that no test runs.
#include "mail.h"

void right() {
    Mail mail;
    mail.open();
    mail.authenticate("me");
    mail.mail("me");
    mail.recipient("ada");
    mail.recipient("grace");
    mail.data("hello", true);
    mail.quit();
}

void unopened() {
    Mail mail;
    mail.quit(); // wrong
}

void nobody() {
    Mail mail;
    mail.open();
    mail.authenticate("me");
    mail.mail("me");
    mail.data("hello", true); // wrong
}
