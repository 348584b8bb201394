#include <string.h>

#include "till.h"

/* offer CODE take 5 pay 3   |   offer CODE 10 percent from 20 */
void parse_offer(const struct words *w, struct offer *out)
{
    if (w->count == 6 && strcmp(w->word[2], "take") == 0 && strcmp(w->word[4], "pay") == 0) {
        long take = whole_number(w, w->word[3]);
        long pay = whole_number(w, w->word[5]);
        if (pay < 1 || pay >= take)
            fail(w, "nothing is free in this offer", w->word[1]);
        out->kind = TAKE_AND_PAY;
        out->group = take;
        out->free = take - pay;
    } else if (w->count == 6 && strcmp(w->word[3], "percent") == 0 && strcmp(w->word[4], "from") == 0) {
        out->kind = PERCENT_FROM;
        out->percent = whole_number(w, w->word[2]);
        out->from = whole_number(w, w->word[5]);
        if (out->percent > 90)
            fail(w, "too much off", w->word[2]);
    } else
        fail(w, "an offer is", "CODE take N pay M, or CODE P percent from N");
}

/* Of each full group some pieces are free. In the started group at the end those beyond the paid ones are. */
static long free_pieces(const struct offer *o, long quantity)
{
    long started = quantity % o->group;
    long pieces = quantity / o->group * o->free;
    if (started > o->group - o->free)
        pieces += started - o->free;
    return pieces;
}

cents offer_discount(const struct offer *o, long quantity, cents unit_price)
{
    switch (o->kind) {
    case TAKE_AND_PAY:
        return free_pieces(o, quantity) * unit_price;
    case PERCENT_FROM:
        if (quantity >= o->from)
            return percent_of(quantity * unit_price, o->percent);
        return 0;
    case NO_OFFER:
        break;
    }
    return 0;
}
