/*
 * measure: statistics and information measures of contingency tables.
 *
 * Input: tables, each "ROWS COLUMNS" and then the counts row by row; "end" or the end of input ends it. Text from '#'
 * to the end of a line is skipped.
 */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 400
#define MAX_SIDE 40
#define MAX_STEPS 200
#define MAX_COUNT 1000000000
#define TOLERANCE 1e-10

struct table {
    int rows;
    int columns;
    long cells[MAX_CELLS];
    long row_sums[MAX_SIDE];
    long column_sums[MAX_SIDE];
    long total;
};

static long cell(const struct table *table, int row, int column)
{
    return table->cells[row * table->columns + column];
}

/* Reads a word of at most size - 1 characters; 0 at the end of input. */
static int read_word(char *word, int size)
{
    int length = 0;
    int c = getchar();

    while (c == '#' || isspace(c)) {
        if (c == '#') {
            while (c != '\n' && c != EOF)
                c = getchar();
        } else {
            c = getchar();
        }
    }
    while (c != EOF && c != '#' && !isspace(c)) {
        if (length < size - 1)
            word[length++] = (char)c;
        c = getchar();
    }
    if (c == '#')
        ungetc(c, stdin);
    word[length] = '\0';
    return length > 0;
}

/* 1: a number; 0: the end; -1: something else. */
static int read_count(long *value)
{
    char word[32];
    char *end;

    if (!read_word(word, sizeof word) || strcmp(word, "end") == 0)
        return 0;
    *value = strtol(word, &end, 10);
    if (*end != '\0' || *value < 0 || *value > MAX_COUNT)
        return -1;
    return 1;
}

/* 1: a table; 0: no more; -1: bad input. */
static int read_table(struct table *table)
{
    long rows;
    long columns;
    int status = read_count(&rows);
    int i;

    if (status <= 0)
        return status;
    if (read_count(&columns) != 1)
        return -1;
    if (rows < 1 || columns < 1 || rows > MAX_SIDE || columns > MAX_SIDE || rows * columns > MAX_CELLS)
        return -1;
    table->rows = (int)rows;
    table->columns = (int)columns;
    for (i = 0; i < table->rows * table->columns; i++) {
        if (read_count(&table->cells[i]) != 1)
            return -1;
    }
    return 1;
}

static void sum(struct table *table)
{
    int row;
    int column;

    table->total = 0;
    for (column = 0; column < table->columns; column++)
        table->column_sums[column] = 0;
    for (row = 0; row < table->rows; row++) {
        table->row_sums[row] = 0;
        for (column = 0; column < table->columns; column++) {
            long count = cell(table, row, column);

            table->row_sums[row] += count;
            table->column_sums[column] += count;
            table->total += count;
        }
    }
}

/* x log x, continued to 0. */
static double x_log_x(double x)
{
    if (x <= 0.0)
        return 0.0;
    return x * log(x);
}

/* In bits. */
static double entropy(const long *sums, int count, long total)
{
    double sum = 0.0;
    int i;

    for (i = 0; i < count; i++)
        sum += x_log_x((double)sums[i]);
    return (log((double)total) - sum / (double)total) / log(2.0);
}

static double mutual_information(const struct table *table)
{
    double rows = entropy(table->row_sums, table->rows, table->total);
    double columns = entropy(table->column_sums, table->columns, table->total);
    double both = entropy(table->cells, table->rows * table->columns, table->total);
    double information = rows + columns - both;

    if (information < TOLERANCE)
        information = 0.0;
    return information;
}

/* How many of the sums are not 0. */
static int occupied(const long *sums, int count)
{
    int found = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (sums[i] > 0)
            found++;
    }
    return found;
}

static int degrees_of_freedom(const struct table *table)
{
    int rows = occupied(table->row_sums, table->rows);
    int columns = occupied(table->column_sums, table->columns);

    return (rows - 1) * (columns - 1);
}

static double chi_square(const struct table *table, int corrected)
{
    double statistic = 0.0;
    int row;
    int column;

    for (row = 0; row < table->rows; row++) {
        for (column = 0; column < table->columns; column++) {
            double expected = (double)table->row_sums[row] * (double)table->column_sums[column] / (double)table->total;
            double difference = fabs((double)cell(table, row, column) - expected);

            if (expected == 0.0)
                continue;
            if (corrected) {
                difference -= 0.5;
                if (difference < 0.0)
                    difference = 0.0;
            }
            statistic += difference * difference / expected;
        }
    }
    return statistic;
}

/* The logarithm of the gamma function, by Stirling's series. */
static double log_gamma(double x)
{
    double shift = 0.0;
    double square;
    double series;

    while (x < 8.0) {
        shift += log(x);
        x += 1.0;
    }
    square = 1.0 / (x * x);
    series = square * (1.0 / 1260.0 - square / 1680.0);
    series = (1.0 / 12.0 - square / 360.0 + square * series) / x;
    return (x - 0.5) * log(x) - x + 0.5 * log(2.0 * M_PI) + series - shift;
}

/* The lower incomplete gamma function over gamma, as a series; good for x < a + 1. */
static double gamma_series(double a, double x)
{
    double term = 1.0 / a;
    double sum = term;
    int step;

    for (step = 1; step <= MAX_STEPS; step++) {
        term *= x / (a + step);
        sum += term;
        if (term < sum * TOLERANCE)
            break;
    }
    return sum * exp(a * log(x) - x - log_gamma(a));
}

/* The upper one, as a continued fraction; good for the others. */
static double gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a;
    double c = 1.0 / DBL_MIN;
    double d = 1.0 / b;
    double product = d;
    int step;

    for (step = 1; step <= MAX_STEPS; step++) {
        double factor = -step * (step - a);
        double change;

        b += 2.0;
        d = factor * d + b;
        if (fabs(d) < DBL_MIN)
            d = DBL_MIN;
        c = b + factor / c;
        if (fabs(c) < DBL_MIN)
            c = DBL_MIN;
        d = 1.0 / d;
        change = d * c;
        product *= change;
        if (fabs(change - 1.0) < TOLERANCE)
            break;
    }
    return product * exp(a * log(x) - x - log_gamma(a));
}

/* The probability of a chi-square at least this large. */
static double probability(double statistic, int freedom)
{
    double a = freedom / 2.0;
    double x = statistic / 2.0;

    if (statistic <= 0.0)
        return 1.0;
    if (x < a + 1.0)
        return 1.0 - gamma_series(a, x);
    return gamma_fraction(a, x);
}

/* By how much knowing the row lowers the chance to guess the column wrongly. */
static double lambda(const struct table *table)
{
    long best_column = 0;
    long best_by_row = 0;
    int row;
    int column;

    for (column = 0; column < table->columns; column++) {
        if (table->column_sums[column] > best_column)
            best_column = table->column_sums[column];
    }
    for (row = 0; row < table->rows; row++) {
        long best = cell(table, row, 0);

        for (column = 1; column < table->columns; column++) {
            if (cell(table, row, column) > best)
                best = cell(table, row, column);
        }
        best_by_row += best;
    }
    return (double)(best_by_row - best_column) / (double)(table->total - best_column);
}

static const char *verdict(double p)
{
    static const double limits[] = {0.001, 0.01, 0.05};
    static const char *const words[] = {"very strong", "strong", "weak", "none"};
    int i = 0;

    while (i < 3 && p >= limits[i])
        i++;
    return words[i];
}

static void report(const struct table *table, int number)
{
    int freedom = degrees_of_freedom(table);
    int corrected = table->rows == 2 && table->columns == 2;
    double information = mutual_information(table);
    double row_entropy = entropy(table->row_sums, table->rows, table->total);
    double column_entropy = entropy(table->column_sums, table->columns, table->total);
    double least = row_entropy < column_entropy ? row_entropy : column_entropy;

    printf("table %d: %d x %d, total %ld\n", number, table->rows, table->columns, table->total);
    printf("  entropies %.4f %.4f\n", row_entropy, column_entropy);
    printf("  information %.4f", information);
    if (least > TOLERANCE)
        printf(" (%.1f%%)", 100.0 * information / least);
    printf("\n");
    if (freedom < 1) {
        printf("  no freedom\n");
        return;
    }
    {
        double statistic = chi_square(table, corrected);
        double p = probability(statistic, freedom);
        int smaller = table->rows < table->columns ? table->rows : table->columns;
        double v = sqrt(chi_square(table, 0) / ((double)table->total * (smaller - 1)));

        printf("  chi-square %.3f, freedom %d, p %.5f\n", statistic, freedom, p);
        printf("  v %.4f, lambda %.4f, dependence %s\n", v, lambda(table), verdict(p));
    }
}

int main(void)
{
    static struct table table;
    double information = 0.0;
    long total = 0;
    int number = 0;
    int status;

    while ((status = read_table(&table)) == 1) {
        number++;
        sum(&table);
        if (table.total == 0) {
            printf("table %d: empty\n", number);
            continue;
        }
        report(&table, number);
        information += mutual_information(&table) * (double)table.total;
        total += table.total;
    }
    if (status < 0) {
        printf("error: bad input in table %d\n", number + 1);
        return 1;
    }
    if (total > 0)
        printf("all: %d tables, total %ld, mean information %.4f\n", number, total, information / (double)total);
    return 0;
}
