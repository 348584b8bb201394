/* till: reads items, offers and orders, and writes invoices. Amounts are in cents. */
#ifndef TILL_H
#define TILL_H

#include <stdio.h>

typedef long cents;

/* text.c: a line cut into words; quotes keep blanks together, # starts a comment. */
#define MAX_WORDS 12
struct words {
    int number;                  /* line number in the input */
    int count;
    char *word[MAX_WORDS];
};
int cut_words(char *line, struct words *out);
void fail(const struct words *where, const char *what, const char *which);
long whole_number(const struct words *where, const char *text);

/* money.c */
cents parse_money(const struct words *where, const char *text);
char *show_money(char *out, size_t size, cents amount);
cents percent_of(cents amount, long percent);

/* offer.c: what is taken off for quantity. */
enum offer_kind { NO_OFFER, TAKE_AND_PAY, PERCENT_FROM };
struct offer {
    enum offer_kind kind;
    long group;                  /* take so many ... */
    long free;                   /* ... and so many of them cost nothing */
    long percent;
    long from;
};
void parse_offer(const struct words *w, struct offer *out);
cents offer_discount(const struct offer *o, long quantity, cents unit_price);

/* catalog.c */
enum tax_class { TAX_STANDARD, TAX_REDUCED, TAX_FREE, TAX_CLASSES };
struct item {
    struct item *next;
    char *code, *name;
    cents price;
    enum tax_class tax;
    struct offer offer;
};
struct item *add_item(const struct words *w);
struct item *find_item(const struct words *where, const char *code);
void drop_items(void);
long tax_percent(enum tax_class tax);

/* invoice.c */
#define MAX_LINES 32
struct order_line {
    const struct item *item;
    long quantity;               /* less than zero: returned */
    cents discount;
    cents amount;
};
struct invoice {
    char customer[32];
    int trade;                   /* trade customers get 3 % more off */
    int lines;
    struct order_line line[MAX_LINES];
    cents coupon, coupon_above;
    cents shipping, shipping_free_from;
};
void start_invoice(struct invoice *inv, const char *customer, int trade);
void order(struct invoice *inv, const struct words *w, int sign);
cents finish_invoice(struct invoice *inv, int number, FILE *out);

#endif
