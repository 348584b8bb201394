/*
 * table: prints records from standard input as an aligned table.
 *
 *   -p N   pages of N records; each repeats the titles
 *   -g N   N blanks between columns
 *   -s N   sorts by column N; numbers the largest first
 *   -r N   adds the share that a record has of column N
 *   -k     groups digits by thousands
 *   -t     totals; what is carried forward below each page
 *
 * The first line has the titles; below it are a name and numbers. '#' starts a comment line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 8
#define MAX_RECORDS 100
#define TEXT_SIZE 32
#define LARGEST 999999999L
#define SHARE_WIDTH 6
#define BLANKS " \t\r\n"

struct record {
    char name[TEXT_SIZE];
    long values[MAX_COLUMNS];
};

enum { PAGE, GAP, SORT, SHARE, THOUSANDS, TOTALS, OPTIONS };

static struct {
    const char *name;
    long most;
    int value;
} options[OPTIONS] = {
    {"-p", MAX_RECORDS, 0}, {"-g", 20, 2}, {"-s", MAX_COLUMNS, 0}, {"-r", MAX_COLUMNS, 0}, {"-k", 1, 0}, {"-t", 1, 0},
};
static char titles[MAX_COLUMNS][TEXT_SIZE];
static int widths[MAX_COLUMNS], column_count;
static struct record records[MAX_RECORDS], total;
static int record_count;

/* To the nearest; halves away from zero. */
static long quotient(long value, long by)
{
    long size = (labs(value) + labs(by) / 2) / labs(by);

    return (value < 0) == (by < 0) ? size : -size;
}

/* A number of ones or, with a decimal, of tenths. */
static void format_number(char *out, long value, int decimals)
{
    char digits[TEXT_SIZE];
    long rest = labs(value);
    int place = TEXT_SIZE - 1;

    digits[place] = '\0';
    for (int whole = -decimals; whole <= 0 || rest > 0; whole++) {
        if (decimals > 0 && whole == 0)
            digits[--place] = '.';
        else if (options[THOUSANDS].value && whole > 0 && whole % 3 == 0)
            digits[--place] = ',';
        digits[--place] = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (value < 0)
        digits[--place] = '-';
    strcpy(out, digits + place);
}

static void format_field(char *out, const struct record *record, int c)
{
    strcpy(out, record->name);
    if (c > 0)
        format_number(out, record->values[c], 0);
}

static void format_share(char *out, const struct record *record)
{
    int c = options[SHARE].value - 1;

    strcpy(out, "-");
    if (total.values[c] != 0) {
        format_number(out, quotient(1000 * record->values[c], total.values[c]), 1);
        strcat(out, "%");
    }
}

static struct record sum_records(const char *name, int count)
{
    struct record sum = {"", {0}};

    strcpy(sum.name, name);
    for (int i = 0; i < count; i++) {
        for (int c = 1; c < column_count; c++)
            sum.values[c] += records[i].values[c];
    }
    return sum;
}

/* Makes room for the record in all columns. */
static void widen_for(struct record record)
{
    char text[TEXT_SIZE];

    for (int c = 0; c < column_count; c++) {
        format_field(text, &record, c);
        if ((int)strlen(text) > widths[c])
            widths[c] = (int)strlen(text);
    }
}

static void find_widths(void)
{
    int page = options[PAGE].value;

    for (int i = 0; i < record_count; i++)
        widen_for(records[i]);
    if (options[TOTALS].value) {
        widen_for(total);
        for (int i = page; page > 0 && i < record_count; i += page)
            widen_for(sum_records("carried", i));
    }
}

static int comes_before(const struct record *first, const struct record *second, int c)
{
    return c == 0 ? strcmp(first->name, second->name) < 0 : first->values[c] > second->values[c];
}

/* Equal records stay in the order they came. */
static void sort_records(int c)
{
    int place;

    for (int i = 1; i < record_count; i++) {
        struct record moved = records[i];

        for (place = i; place > 0 && comes_before(&moved, &records[place - 1], c); place--)
            records[place] = records[place - 1];
        records[place] = moved;
    }
}

/* Names are on the left of their column, numbers on the right. */
static void print_cell(int c, const char *text)
{
    int blanks = widths[c] - (int)strlen(text);

    if (c == 0)
        printf("%s%*s", text, blanks, "");
    else
        printf("%*s%s", options[GAP].value + blanks, "", text);
}

static void print_titles(void)
{
    int gap = options[GAP].value;
    int width = (column_count - 1) * gap;

    for (int c = 0; c < column_count; c++) {
        print_cell(c, titles[c]);
        width += widths[c];
    }
    if (options[SHARE].value > 0) {
        printf("%*s", gap + SHARE_WIDTH, "share");
        width += gap + SHARE_WIDTH;
    }
    printf("\n");
    while (width-- > 0)
        putchar('-');
    printf("\n");
}

static void print_record(struct record record)
{
    char text[TEXT_SIZE];

    for (int c = 0; c < column_count; c++) {
        format_field(text, &record, c);
        print_cell(c, text);
    }
    if (options[SHARE].value > 0) {
        format_share(text, &record);
        printf("%*s", options[GAP].value + SHARE_WIDTH, text);
    }
    printf("\n");
}

static void print_pages(void)
{
    int length = options[PAGE].value > 0 ? options[PAGE].value : MAX_RECORDS;
    int pages = record_count > 0 ? (record_count + length - 1) / length : 1;

    for (int page = 1; page <= pages; page++) {
        int end = page < pages ? page * length : record_count;

        if (pages > 1)
            printf("page %d of %d\n", page, pages);
        print_titles();
        for (int i = (page - 1) * length; i < end; i++)
            print_record(records[i]);
        if (options[TOTALS].value)
            print_record(page < pages ? sum_records("carried", end) : total);
    }
    printf("%d record%s\n", record_count, record_count == 1 ? "" : "s");
}

static int parse_number(const char *text, long least, long most, long *value)
{
    char *end;

    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

static int read_titles(char *word)
{
    for (; word != NULL && column_count < MAX_COLUMNS; word = strtok(NULL, BLANKS)) {
        widths[column_count] = snprintf(titles[column_count], TEXT_SIZE, "%.*s", TEXT_SIZE - 1, word);
        column_count++;
    }
    return word == NULL;
}

static int read_record(char *word)
{
    struct record *record = &records[record_count];

    if (record_count == MAX_RECORDS)
        return 0;
    snprintf(record->name, TEXT_SIZE, "%s", word);
    for (int c = 1; c < column_count; c++) {
        word = strtok(NULL, BLANKS);
        if (word == NULL || !parse_number(word, -LARGEST, LARGEST, &record->values[c]))
            return 0;
    }
    if (strtok(NULL, BLANKS) != NULL)
        return 0;
    record_count++;
    return 1;
}

/* Gives the number of lines that are not understood. */
static int read_table(void)
{
    char line[256];
    int number = 0, wrong = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *word = strtok(line, BLANKS);

        number++;
        if (word == NULL || word[0] == '#')
            continue;
        if (column_count == 0 ? !read_titles(word) : !read_record(word)) {
            printf("line %d is not understood\n", number);
            wrong++;
        }
    }
    return wrong;
}

static int parse_options(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        long value = 1;
        int n = 0;

        while (n < OPTIONS && strcmp(words[i], options[n].name) != 0)
            n++;
        if (n == OPTIONS)
            return 0;
        if (options[n].most > 1 && (++i == count || !parse_number(words[i], 1, options[n].most, &value)))
            return 0;
        options[n].value = (int)value;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (!parse_options(argc, argv)) {
        printf("usage: table [-p N] [-g N] [-s N] [-r N] [-k] [-t]\n");
        return 2;
    }

    int wrong = read_table();
    if (options[SORT].value > column_count || options[SHARE].value > column_count) {
        printf("%d columns\n", column_count);
        return 1;
    }
    if (options[SORT].value > 0)
        sort_records(options[SORT].value - 1);
    total = sum_records("total", record_count);
    find_widths();
    print_pages();
    return wrong > 0;
}
