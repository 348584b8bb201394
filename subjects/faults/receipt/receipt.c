/*
 * receipt: adds up what was bought and prints a receipt.
 *
 * Each line of the input is an article and how many of it, "apple 3"; "back apple 1" takes some of it back.
 * "card NUMBER" pays by card, "cash AMOUNT" in cents. Three of an article cost as much as two where the list says so.
 */
#include <stdio.h>
#include <string.h>

#define WIDTH 30
#define LINE_SIZE 64
#define FULL_TAX 20
#define LOW_TAX 7
#define POINT_CENTS 50

struct article {
    const char *name;
    int cents;
    int tax;
    int three_for_two;
};

static const struct article articles[] = {
    {"apple", 45, LOW_TAX, 1},
    {"bread", 280, LOW_TAX, 0},
    {"candle", 350, FULL_TAX, 1},
    {"milk", 119, LOW_TAX, 0},
    {"soap", 199, FULL_TAX, 1},
    {"tea", 425, LOW_TAX, 0},
};

#define ARTICLES (sizeof articles / sizeof articles[0])

static int bought[ARTICLES];
static int gross[100];

static int find(const char *name)
{
    size_t i;

    for (i = 0; i < ARTICLES; i++) {
        if (strcmp(articles[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

static void rule(char sign)
{
    int i;

    for (i = 0; i < WIDTH; i++)
        putchar(sign);
    putchar('\n');
}

static void format_money(char *text, size_t size, int cents)
{
    const char *sign = cents < 0 ? "-" : "";
    int amount = cents < 0 ? -cents : cents;

    snprintf(text, size, "%s%d.%02d", sign, amount / 100, amount % 100);
}

/* A label on the left and money on the right. */
static void row(const char *label, int cents)
{
    char money[16];

    format_money(money, sizeof money, cents);
    printf("%-*s%10s\n", WIDTH - 10, label, money);
}

static int print_article(const struct article *article, int number)
{
    char label[WIDTH];
    int cents = number * article->cents;
    int gifts = article->three_for_two ? number / 3 : 0;

    strcpy(label, article->name);
    if (number > 1)
        snprintf(label, sizeof label, "%d x %s", number, article->name);
    row(label, cents);
    if (gifts > 0) {
        row("  3 for 2", -gifts * article->cents);
        cents -= gifts * article->cents;
    }
    gross[article->tax] += cents;
    return cents;
}

static void print_taxes(void)
{
    char label[WIDTH];
    int rate;

    for (rate = 0; rate < 100; rate++) {
        if (gross[rate] == 0)
            continue;
        snprintf(label, sizeof label, "tax %2d%%", rate);
        row(label, (gross[rate] * rate + (100 + rate) / 2) / (100 + rate));
    }
}

/* All but the last four digits are hidden. */
static void print_card(const char *number)
{
    char shown[LINE_SIZE];
    size_t length = strlen(number);
    size_t hidden = length > 4 ? length - 4 : 0;

    memset(shown, '*', hidden);
    strcpy(shown + hidden, number + hidden);
    printf("card %s\n", shown);
}

static int take(const char *line, char *card, int *cash)
{
    char name[16];
    int number;

    if (sscanf(line, "card %31s", card) == 1)
        return 1;
    if (sscanf(line, "cash %d", cash) == 1)
        return 1;
    if (sscanf(line, "back %15s %d", name, &number) == 2) {
        if (find(name) < 0 || number > bought[find(name)])
            return 0;
        bought[find(name)] -= number;
        return 1;
    }
    if (sscanf(line, "%15s %d", name, &number) != 2 || find(name) < 0)
        return 0;
    bought[find(name)] += number;
    return 1;
}

int main(void)
{
    char line[LINE_SIZE];
    char card[32] = "";
    int cash = 0;
    int total = 0;
    int pieces = 0;
    size_t i;

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (!take(line, card, &cash)) {
            printf("not understood: %s", line);
            return 1;
        }
    }
    rule('=');
    for (i = 0; i < ARTICLES; i++) {
        if (bought[i] == 0)
            continue;
        total += print_article(&articles[i], bought[i]);
        pieces += bought[i];
    }
    rule('-');
    row("total", total);
    print_taxes();
    if (card[0] != '\0') {
        print_card(card);
        printf("points %d\n", total / POINT_CENTS);
    } else if (cash < total) {
        row("missing", total - cash);
        return 2;
    } else {
        row("cash", cash);
        if (cash > total)
            row("change", cash - total);
    }
    rule('=');
    printf("%d piece%s, thank you\n", pieces, pieces == 1 ? "" : "s");
    return 0;
}
