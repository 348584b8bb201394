/*
 * curve: a curve through points and a polynomial; commands from standard input.
 *
 *   point X Y         the curve also goes through this point; another of the same x is replaced
 *   at X              the curve's y, by linear interpolation; level outside of the points
 *   slope X           of the piece to the right of X
 *   area A B          under the curve, by trapezoids
 *   level Y           where the curve crosses a level
 *   stats             of the points' y: mean, variance, range
 *   fit               the line of least squares
 *   poly C...         the polynomial's coefficients, the highest power first
 *   value X           the polynomial's
 *   derive            makes the polynomial its derivative
 *   solve A B         a root between A and B, by bisection
 *   show
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 40
#define MAX_TERMS 7
#define LARGEST 1e6
#define SMALLEST 1e-9
#define BLANKS " \t\r\n"

typedef struct {
    double x;
    double y;
} point;

static point points[MAX_POINTS];
static int point_count;
static double terms[MAX_TERMS];
static int term_count = 1;

/* A number without the minus of a zero. */
static double plain(double number)
{
    return number == 0 ? 0 : number;
}

static double slope(point from, point to)
{
    return (to.y - from.y) / (to.x - from.x);
}

static double trapezoid(point from, point to)
{
    return (from.y + to.y) / 2 * (to.x - from.x);
}

/* The first point that is not left of x. */
static int place_of(double x)
{
    int low = 0;
    int high = point_count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (points[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double height_at(double x)
{
    int place = place_of(x);

    if (place == 0)
        return points[0].y;
    if (place == point_count)
        return points[point_count - 1].y;
    return points[place - 1].y + (x - points[place - 1].x) * slope(points[place - 1], points[place]);
}

static double slope_at(double x)
{
    int place = place_of(x);

    if (place < point_count && points[place].x == x)
        place++;
    if (place == 0 || place == point_count)
        return 0;
    return slope(points[place - 1], points[place]);
}

static double area(double from, double to)
{
    point last = {from, height_at(from)};
    point end = {to, height_at(to)};
    double sum = 0;

    if (from > to)
        return -area(to, from);
    for (int i = place_of(from); i < point_count && points[i].x < to; i++) {
        sum += trapezoid(last, points[i]);
        last = points[i];
    }
    return sum + trapezoid(last, end);
}

/* 0: there is no room. */
static int add_point(double x, double y)
{
    int place = place_of(x);

    if (place == point_count || points[place].x != x) {
        if (point_count == MAX_POINTS)
            return 0;
        memmove(&points[place + 1], &points[place], (size_t)(point_count - place) * sizeof points[0]);
        point_count++;
    }
    points[place] = (point){x, y};
    return 1;
}

/* A piece crosses a level if its ends are on different sides of it; a point is counted if it is on it. */
static void print_crossings(double level)
{
    int count = 0;

    for (int i = 0; i < point_count; i++) {
        point to = points[i];
        point from = points[i > 0 ? i - 1 : 0];

        if (to.y == level || (from.y < level && to.y > level) || (from.y > level && to.y < level)) {
            printf("at %.6g, ", plain(to.y == level ? to.x : from.x + (level - from.y) / slope(from, to)));
            count++;
        }
    }
    printf("%d in all\n", count);
}

static void print_stats(void)
{
    int n = point_count;
    double mean = 0;
    double squares = 0;
    double least = points[0].y;
    double most = points[0].y;

    for (int i = 0; i < n; i++) {
        mean += points[i].y / n;
        least = fmin(least, points[i].y);
        most = fmax(most, points[i].y);
    }
    for (int i = 0; i < n; i++)
        squares += pow(points[i].y - mean, 2);
    printf("mean %.6g, variance %.6g, ", plain(mean), plain(n > 1 ? squares / (n - 1) : 0));
    printf("from %.6g to %.6g\n", plain(least), plain(most));
}

/* Sums of the points' x, y, squares and products give the line. */
static void print_fit(void)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    double n = point_count > 0 ? point_count : 1;

    for (int i = 0; i < point_count; i++) {
        x += points[i].x;
        y += points[i].y;
        xx += points[i].x * points[i].x;
        xy += points[i].x * points[i].y;
    }

    double spread = n * xx - x * x;
    double gain = spread > 0 ? (n * xy - x * y) / spread : 0;

    printf("%.6g + %.6g x\n", plain((y - gain * x) / n), plain(gain));
}

static double value_at(double x)
{
    double value = 0;

    for (int i = 0; i < term_count; i++)
        value = value * x + terms[i];
    return value;
}

static void derive(void)
{
    for (int i = 0; i < term_count; i++)
        terms[i] *= term_count - 1 - i;
    if (term_count > 1)
        term_count--;
}

/* A root between two places where the signs differ, to six decimals. */
static double root_between(double low, double high)
{
    int rises = value_at(low) < value_at(high);

    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;

        if ((value_at(middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    return round(high * 1e6) / 1e6;
}

static void print_polynomial(void)
{
    int shown = 0;

    for (int i = 0; i < term_count; i++) {
        int power = term_count - 1 - i;
        double size = fabs(terms[i]);

        if (size == 0 && (shown || power > 0))
            continue;
        printf(" %s", terms[i] < 0 ? "- " : shown ? "+ " : "");
        if (size != 1 || power == 0)
            printf("%.6g", size);
        if (power > 1)
            printf("x^%d", power);
        else if (power == 1)
            printf("x");
        shown = 1;
    }
    printf("\n");
}

/* 0: the command is not understood. */
static int execute(const char *name, const double *numbers, int count)
{
    if (strcmp(name, "point") == 0 && count == 2)
        return add_point(numbers[0], numbers[1]);
    if (strcmp(name, "poly") == 0 && count > 0) {
        memcpy(terms, numbers, sizeof terms);
        term_count = count;
    } else if (strcmp(name, "at") == 0 && count == 1)
        printf("%.6g\n", plain(height_at(numbers[0])));
    else if (strcmp(name, "slope") == 0 && count == 1)
        printf("%.6g\n", plain(slope_at(numbers[0])));
    else if (strcmp(name, "area") == 0 && count == 2)
        printf("%.6g\n", plain(area(numbers[0], numbers[1])));
    else if (strcmp(name, "level") == 0 && count == 1)
        print_crossings(numbers[0]);
    else if (strcmp(name, "stats") == 0)
        print_stats();
    else if (strcmp(name, "fit") == 0)
        print_fit();
    else if (strcmp(name, "value") == 0 && count == 1)
        printf("%.6g\n", plain(value_at(numbers[0])));
    else if (strcmp(name, "solve") == 0 && count == 2 && value_at(numbers[0]) * value_at(numbers[1]) <= 0)
        printf("%.6g\n", plain(root_between(numbers[0], numbers[1])));
    else if (strcmp(name, "derive") == 0)
        derive();
    else if (strcmp(name, "show") == 0)
        print_polynomial();
    else
        return 0;
    return 1;
}

/* 0: one of the words is no number. */
static int read_numbers(double *numbers, int *count)
{
    char *word;
    char *end;

    for (*count = 0; (word = strtok(NULL, BLANKS)) != NULL; ++*count) {
        double number = strtod(word, &end);

        if (*count == MAX_TERMS || *end != '\0' || !(fabs(number) <= LARGEST))
            return 0;
        numbers[*count] = fabs(number) < SMALLEST ? 0 : number;
    }
    return 1;
}

int main(void)
{
    char line[200];
    int wrong = 0;

    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        double numbers[MAX_TERMS] = {0};
        char *name = strtok(line, BLANKS);
        int count;

        if (name == NULL || name[0] == '#')
            continue;
        if (!read_numbers(numbers, &count) || !execute(name, numbers, count)) {
            printf("line %d is not understood\n", number);
            wrong++;
        }
    }
    return wrong > 0;
}
