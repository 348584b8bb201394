#include <string.h>

#include "till.h"

#define TRADE_PERCENT 3

void start_invoice(struct invoice *inv, const char *customer, int trade)
{
    memset(inv, 0, sizeof *inv);
    strncpy(inv->customer, customer, sizeof inv->customer - 1);
    inv->trade = trade;
}

/* order CODE QUANTITY; the same item again adds to its line. */
void order(struct invoice *inv, const struct words *w, int sign)
{
    if (w->count != 3)
        fail(w, "this needs", "CODE QUANTITY");
    const struct item *item = find_item(w, w->word[1]);
    long quantity = sign * whole_number(w, w->word[2]);
    for (int i = 0; i < inv->lines; i++)
        if (inv->line[i].item == item && (inv->line[i].quantity < 0) == (sign < 0)) {
            inv->line[i].quantity += quantity;
            return;
        }
    if (inv->lines == MAX_LINES)
        fail(w, "too many lines on this invoice", w->word[1]);
    struct order_line *line = &inv->line[inv->lines++];
    line->item = item;
    line->quantity = quantity;
}

static void price_line(struct order_line *line, int trade)
{
    cents gross = line->quantity * line->item->price;
    line->discount = 0;
    if (line->quantity > 0) {
        line->discount = offer_discount(&line->item->offer, line->quantity, line->item->price);
        if (trade)
            line->discount += percent_of(gross - line->discount, TRADE_PERCENT);
    }
    line->amount = gross - line->discount;
}

static void print_amount(FILE *out, const char *label, cents amount)
{
    char text[24];
    fprintf(out, "  %-34s %10s\n", label, show_money(text, sizeof text, amount));
}

static void print_line(FILE *out, const struct order_line *line)
{
    char price[24], amount[24], off[24];
    fprintf(out, "  %-6s %-14.14s %4ld x %6s %10s", line->item->code, line->item->name, line->quantity,
            show_money(price, sizeof price, line->item->price), show_money(amount, sizeof amount, line->amount));
    if (line->discount)
        fprintf(out, "  (-%s)", show_money(off, sizeof off, line->discount));
    fputc('\n', out);
}

/* The coupon lowers each tax class in proportion; the last one with goods takes what rounding leaves. */
static void share_coupon(cents *by_class, cents goods, cents coupon)
{
    int last = -1;
    cents left = coupon;
    for (int i = 0; i < TAX_CLASSES; i++)
        if (by_class[i] > 0)
            last = i;
    for (int i = 0; i < last; i++) {
        cents share = by_class[i] * coupon / goods;
        by_class[i] -= share;
        left -= share;
    }
    if (last >= 0)
        by_class[last] -= left;
}

cents finish_invoice(struct invoice *inv, int number, FILE *out)
{
    cents by_class[TAX_CLASSES] = { 0 }, goods = 0, tax = 0, shipping = inv->shipping;
    fprintf(out, "Invoice %d: %s%s\n", number, inv->customer, inv->trade ? " (trade)" : "");
    for (int i = 0; i < inv->lines; i++) {
        struct order_line *line = &inv->line[i];
        price_line(line, inv->trade);
        print_line(out, line);
        goods += line->amount;
        by_class[line->item->tax] += line->amount;
    }
    print_amount(out, "Goods", goods);
    if (inv->coupon && goods >= inv->coupon_above && goods > 0) {
        cents coupon = inv->coupon < goods ? inv->coupon : goods;
        share_coupon(by_class, goods, coupon);
        goods -= coupon;
        print_amount(out, "Coupon", -coupon);
    }
    if (inv->shipping_free_from && goods >= inv->shipping_free_from)
        shipping = 0;
    if (shipping) {
        print_amount(out, "Shipping", shipping);
        by_class[TAX_STANDARD] += shipping;
    }
    for (int i = 0; i < TAX_CLASSES; i++)
        tax += percent_of(by_class[i], tax_percent((enum tax_class)i));
    print_amount(out, "Tax", tax);
    print_amount(out, "Total", goods + shipping + tax);
    return goods + shipping + tax;
}
