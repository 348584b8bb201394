#include <stdlib.h>
#include <string.h>

#include "till.h"

struct till {
    struct invoice invoice;
    int open;                    /* an invoice is being filled */
    int invoices;
    cents sum;
    cents shipping, free_from;
};

static void close_invoice(struct till *t)
{
    if (!t->open)
        return;
    t->open = 0;
    t->sum += finish_invoice(&t->invoice, ++t->invoices, stdout);
}

static void open_invoice(struct till *t, const struct words *w)
{
    if (w->count < 2)
        fail(w, "a customer needs", "NAME");
    close_invoice(t);
    start_invoice(&t->invoice, w->word[1], w->count > 2 && strcmp(w->word[2], "trade") == 0);
    t->invoice.shipping = t->shipping;
    t->invoice.shipping_free_from = t->free_from;
    t->open = 1;
}

static void need_invoice(const struct till *t, const struct words *w)
{
    if (!t->open)
        fail(w, "no customer yet for", w->word[0]);
}

static void obey(struct till *t, const struct words *w)
{
    const char *verb = w->word[0];
    if (strcmp(verb, "item") == 0)
        add_item(w);
    else if (strcmp(verb, "offer") == 0) {
        if (w->count < 2)
            fail(w, "an offer needs", "CODE");
        parse_offer(w, &find_item(w, w->word[1])->offer);
    } else if (strcmp(verb, "shipping") == 0 && w->count >= 2) {
        t->shipping = parse_money(w, w->word[1]);
        t->free_from = w->count > 2 ? parse_money(w, w->word[2]) : 0;
    } else if (strcmp(verb, "customer") == 0)
        open_invoice(t, w);
    else if (strcmp(verb, "order") == 0) {
        need_invoice(t, w);
        order(&t->invoice, w, 1);
    } else if (strcmp(verb, "return") == 0) {
        need_invoice(t, w);
        order(&t->invoice, w, -1);
    } else if (strcmp(verb, "coupon") == 0 && w->count >= 2) {
        need_invoice(t, w);
        t->invoice.coupon = parse_money(w, w->word[1]);
        t->invoice.coupon_above = w->count > 2 ? parse_money(w, w->word[2]) : 0;
    } else
        fail(w, "unknown word", verb);
}

int main(int argc, char **argv)
{
    struct till till = { .open = 0 };
    struct words words = { 0, 0, { NULL } };
    char line[256], text[24];
    FILE *in = stdin;
    if (argc > 1 && !(in = fopen(argv[1], "r"))) {
        fprintf(stderr, "till: cannot open %s\n", argv[1]);
        return 2;
    }
    while (fgets(line, sizeof line, in)) {
        words.number++;
        if (cut_words(line, &words) > 0)
            obey(&till, &words);
    }
    close_invoice(&till);
    if (till.invoices > 1)
        printf("%d invoices, %s\n", till.invoices, show_money(text, sizeof text, till.sum));
    if (in != stdin)
        fclose(in);
    drop_items();
    return till.invoices ? 0 : 3;
}
