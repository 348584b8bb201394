/*
 * ledger: keeps accounts; commands from standard input.
 *
 *   open NAME KIND                          KIND: asset, debt, income, expense
 *   post DAY FROM TO AMOUNT [TEXT...]       from one account to another
 *   split DAY FROM AMOUNT TO...             in equal parts
 *   tax DAY FROM TO PERCENT                 a part of what the account got since its last tax
 *   interest DAY NAME FROM POINTS           on the balance since the last interest, in hundredths of a percent a year
 *   balance [DAY]                           all accounts, at the end of a day
 *   journal NAME [FIRST LAST]               an account's entries, by day
 *   top N                                   the largest balances
 */
#include "money.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ACCOUNTS 12
#define MAX_ENTRIES 64
#define MAX_WORDS 8
#define NAME_SIZE 12
#define TEXT_SIZE 24
#define LAST_DAY 9999

enum kind { ASSET, DEBT, INCOME, EXPENSE, KINDS };

struct account {
    char name[NAME_SIZE];
    enum kind kind;
    money balance;
    money taxable;
    int interest_day;
};

struct entry {
    int day;
    int from;
    int to;
    money amount;
    char text[TEXT_SIZE];
};

static const char *const kind_names[KINDS] = {"asset", "debt", "income", "expense"};

static struct account accounts[MAX_ACCOUNTS];
static int account_count;
static struct entry entries[MAX_ENTRIES];
static int entry_count;

static int find_account(const char *name)
{
    int i;

    for (i = 0; i < account_count; i++) {
        if (strcmp(accounts[i].name, name) == 0)
            return i;
    }
    return -1;
}

static int read_day(const char *text, int *day)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 0 || value > LAST_DAY)
        return 0;
    *day = (int)value;
    return 1;
}

/* Entries stay sorted by day; those of one day in the order they came. */
static const char *add_entry(int day, int from, int to, money amount, const char *text)
{
    int place = entry_count;

    if (entry_count == MAX_ENTRIES)
        return "the journal is full";
    while (place > 0 && entries[place - 1].day > day) {
        entries[place] = entries[place - 1];
        place--;
    }
    entries[place].day = day;
    entries[place].from = from;
    entries[place].to = to;
    entries[place].amount = amount;
    strncpy(entries[place].text, text, TEXT_SIZE - 1);
    entries[place].text[TEXT_SIZE - 1] = '\0';
    entry_count++;
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    accounts[to].taxable += amount;
    return NULL;
}

/* What an account had at the end of a day. */
static money balance_at(int account, int day)
{
    money balance = 0;
    int i;

    for (i = 0; i < entry_count && entries[i].day <= day; i++) {
        if (entries[i].from == account)
            balance -= entries[i].amount;
        if (entries[i].to == account)
            balance += entries[i].amount;
    }
    return balance;
}

static const char *do_open(char **words)
{
    struct account *account = &accounts[account_count];
    int kind = 0;

    while (kind < KINDS && strcmp(words[2], kind_names[kind]) != 0)
        kind++;
    if (kind == KINDS)
        return "unknown kind";
    if (strlen(words[1]) >= NAME_SIZE)
        return "long name";
    if (find_account(words[1]) >= 0)
        return "the account exists";
    if (account_count == MAX_ACCOUNTS)
        return "too many accounts";
    strcpy(account->name, words[1]);
    account->kind = (enum kind)kind;
    account_count++;
    return NULL;
}

static const char *do_post(char **words, int count)
{
    int from = find_account(words[2]);
    int to = find_account(words[3]);
    char text[TEXT_SIZE] = "";
    money amount;
    int day;
    int i;

    if (!read_day(words[1], &day))
        return "bad day";
    if (from < 0 || to < 0 || from == to)
        return "bad account";
    if (!money_read(words[4], &amount) || amount == 0)
        return "bad amount";
    if (accounts[from].kind == EXPENSE && amount > balance_at(from, LAST_DAY))
        return "more than was spent";
    for (i = 5; i < count; i++) {
        if (i > 5)
            strncat(text, " ", sizeof text - 1 - strlen(text));
        strncat(text, words[i], sizeof text - 1 - strlen(text));
    }
    return add_entry(day, from, to, amount, text);
}

static const char *do_split(char **words, int count)
{
    money shares[MAX_WORDS];
    int targets[MAX_WORDS];
    int from = find_account(words[2]);
    int parts = count - 4;
    money amount;
    int day;
    int i;

    if (!read_day(words[1], &day))
        return "bad day";
    if (from < 0)
        return "bad account";
    if (!money_read(words[3], &amount) || amount == 0)
        return "bad amount";
    for (i = 0; i < parts; i++) {
        targets[i] = find_account(words[4 + i]);
        if (targets[i] < 0 || targets[i] == from)
            return "bad account";
    }
    if (entry_count + parts > MAX_ENTRIES)
        return "the journal is full";
    money_split(amount, parts, shares);
    for (i = 0; i < parts; i++) {
        if (shares[i] != 0)
            add_entry(day, from, targets[i], shares[i], "split");
    }
    return NULL;
}

static const char *do_tax(char **words)
{
    int from = find_account(words[2]);
    int to = find_account(words[3]);
    int percent = atoi(words[4]);
    money tax;
    int day;

    if (!read_day(words[1], &day))
        return "bad day";
    if (from < 0 || to < 0 || from == to)
        return "bad account";
    if (percent < 1 || percent > 100)
        return "bad percentage";
    tax = money_share(accounts[from].taxable, percent);
    accounts[from].taxable = 0;
    if (tax <= 0)
        return "nothing to tax";
    return add_entry(day, from, to, tax, "tax");
}

static const char *do_interest(char **words)
{
    int to = find_account(words[2]);
    int from = find_account(words[3]);
    int points = atoi(words[4]);
    money interest = 0;
    int start;
    int day;
    int i;

    if (!read_day(words[1], &day))
        return "bad day";
    if (from < 0 || to < 0 || from == to)
        return "bad account";
    if (points < 1 || points > 5000)
        return "bad rate";
    start = accounts[to].interest_day;
    if (day <= start)
        return "the days have interest";
    /* From each change of the balance to the next one. */
    for (i = 0; i < entry_count && entries[i].day < day; i++) {
        if (entries[i].day <= start || (entries[i].from != to && entries[i].to != to))
            continue;
        interest += money_interest(balance_at(to, start), points, entries[i].day - start);
        start = entries[i].day;
    }
    interest += money_interest(balance_at(to, start), points, day - start);
    accounts[to].interest_day = day;
    if (interest == 0)
        return "no interest";
    return add_entry(day, from, to, interest, "interest");
}

static const char *do_balance(char **words, int count)
{
    char text[MONEY_TEXT];
    money sums[KINDS] = {0};
    int day = LAST_DAY;
    int kind;
    int i;

    if (count == 2 && !read_day(words[1], &day))
        return "bad day";
    for (kind = 0; kind < KINDS; kind++) {
        int seen = 0;

        for (i = 0; i < account_count; i++) {
            money balance;

            if (accounts[i].kind != (enum kind)kind)
                continue;
            balance = balance_at(i, day);
            if (accounts[i].kind == DEBT || accounts[i].kind == INCOME)
                balance = -balance;
            printf("  %-11s %14s\n", accounts[i].name, money_write(balance, text));
            sums[kind] += balance;
            seen++;
        }
        if (seen > 0)
            printf("%-13s %14s\n", kind_names[kind], money_write(sums[kind], text));
    }
    if (account_count > 0)
        printf("result        %14s\n", money_write(sums[INCOME] - sums[EXPENSE], text));
    return NULL;
}

static const char *do_journal(char **words, int count)
{
    char text[MONEY_TEXT];
    int account = find_account(words[1]);
    int first = 0;
    int last = LAST_DAY;
    money balance = 0;
    int i;

    if (account < 0)
        return "bad account";
    if (count == 4 && (!read_day(words[2], &first) || !read_day(words[3], &last)))
        return "bad day";
    if (first > 0)
        balance = balance_at(account, first - 1);
    printf("%s from %s\n", accounts[account].name, money_write(balance, text));
    for (i = 0; i < entry_count; i++) {
        const struct entry *entry = &entries[i];
        int incoming = entry->to == account;
        int other = incoming ? entry->from : entry->to;
        money amount = incoming ? entry->amount : -entry->amount;

        if (entry->day < first || entry->day > last)
            continue;
        if (!incoming && entry->from != account)
            continue;
        balance += amount;
        printf("%4d %-11s %12s", entry->day, accounts[other].name, money_write(amount, text));
        printf(" %12s %s\n", money_write(balance, text), entry->text);
    }
    return NULL;
}

/* Larger ones first, equal ones by name. */
static int compare(const void *left, const void *right)
{
    const struct account *a = left;
    const struct account *b = right;

    if (a->balance != b->balance)
        return a->balance < b->balance ? 1 : -1;
    return strcmp(a->name, b->name);
}

static const char *do_top(char **words)
{
    struct account sorted[MAX_ACCOUNTS];
    char text[MONEY_TEXT];
    int wanted = atoi(words[1]);
    int i;

    if (wanted < 1)
        return "bad number";
    if (wanted > account_count)
        wanted = account_count;
    for (i = 0; i < account_count; i++)
        sorted[i] = accounts[i];
    qsort(sorted, (size_t)account_count, sizeof sorted[0], compare);
    for (i = 0; i < wanted; i++)
        printf("%d. %s %s\n", i + 1, sorted[i].name, money_write(sorted[i].balance, text));
    return NULL;
}

static const char *execute(char **words, int count)
{
    if (strcmp(words[0], "open") == 0 && count == 3)
        return do_open(words);
    if (strcmp(words[0], "post") == 0 && count >= 5)
        return do_post(words, count);
    if (strcmp(words[0], "split") == 0 && count >= 5)
        return do_split(words, count);
    if (strcmp(words[0], "tax") == 0 && count == 5)
        return do_tax(words);
    if (strcmp(words[0], "interest") == 0 && count == 5)
        return do_interest(words);
    if (strcmp(words[0], "balance") == 0 && count <= 2)
        return do_balance(words, count);
    if (strcmp(words[0], "journal") == 0 && (count == 2 || count == 4))
        return do_journal(words, count);
    if (strcmp(words[0], "top") == 0 && count == 2)
        return do_top(words);
    return "not understood";
}

int main(void)
{
    char line[120];
    int number = 0;
    int errors = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[MAX_WORDS];
        const char *error = NULL;
        int count = 0;
        char *word = strtok(line, " \t\n");

        number++;
        while (word != NULL && count < MAX_WORDS) {
            words[count++] = word;
            word = strtok(NULL, " \t\n");
        }
        if (count > 0)
            error = execute(words, count);
        if (error != NULL) {
            printf("line %d: %s\n", number, error);
            errors++;
        }
    }
    return errors > 0;
}
