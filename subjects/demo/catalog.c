#include <stdlib.h>
#include <string.h>

#include "till.h"

static struct item *items;

static const struct {
    const char *name;
    long percent;
} tax_table[TAX_CLASSES] = {
    [TAX_STANDARD] = { "standard", 20 },
    [TAX_REDUCED] = { "reduced", 7 },
    [TAX_FREE] = { "free", 0 },
};

long tax_percent(enum tax_class tax)
{
    return tax_table[tax].percent;
}

static enum tax_class parse_tax(const struct words *w, const char *name)
{
    for (int i = 0; i < TAX_CLASSES; i++)
        if (strcmp(tax_table[i].name, name) == 0)
            return (enum tax_class)i;
    fail(w, "unknown tax class", name);
    return TAX_STANDARD;
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        abort();
    return strcpy(copy, text);
}

/* item CODE NAME PRICE [TAX]; kept sorted by code. */
struct item *add_item(const struct words *w)
{
    if (w->count < 4)
        fail(w, "an item needs", "CODE NAME PRICE");
    struct item **place = &items;
    while (*place && strcmp((*place)->code, w->word[1]) < 0)
        place = &(*place)->next;
    if (*place && strcmp((*place)->code, w->word[1]) == 0)
        fail(w, "item is there already", w->word[1]);
    struct item *new = calloc(1, sizeof *new);
    if (!new)
        abort();
    new->code = copy_text(w->word[1]);
    new->name = copy_text(w->word[2]);
    new->price = parse_money(w, w->word[3]);
    new->tax = w->count > 4 ? parse_tax(w, w->word[4]) : TAX_STANDARD;
    new->next = *place;
    *place = new;
    return new;
}

struct item *find_item(const struct words *where, const char *code)
{
    for (struct item *i = items; i; i = i->next) {
        int order = strcmp(i->code, code);
        if (order == 0)
            return i;
        if (order > 0)
            break;
    }
    fail(where, "unknown item", code);
    return NULL;
}

void drop_items(void)
{
    while (items) {
        struct item *next = items->next;
        free(items->code);
        free(items->name);
        free(items);
        items = next;
    }
}
