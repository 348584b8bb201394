// Structure assignment, arrays in structures, compound literals, designated initialisers, nested returns, arrays of arrays, comma and statement expressions, nested scopes with the same names.
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; char name[12]; };
struct grid { int cells[4][5]; struct { struct point at; } cursor; };

static struct line make(int n) { return (struct line){ .to = { n, n * 2 }, .from.y = 7, .name = "line" }; }
static struct point middle(struct line l) { return (struct point){ (l.from.x + l.to.x) / 2, (l.from.y + l.to.y) / 2 }; }
static int total(const struct point *p, int n) { int s = 0; while (n--) s += p[n].x * p[n].y; return s; }
static const struct line table[] = { [2] = { { 1, 2 }, { 3, 4 }, "third" }, [0].name = "first" };

int main(void)
{
    struct line l = make(10), copy;
    copy = l;
    copy.from.x = 100;
    printf("%d %d %d %s\n", l.from.x, copy.from.x, middle(copy).x, copy.name);
    printf("%d\n", middle(make(6)).y);
    printf("%d\n", total((struct point[]){ { 1, 2 }, { 3, 4 }, middle(l) }, 3));
    struct grid g = { .cells[1] = { 1, 2, 3 }, .cells[3][4] = 9 }, h;
    h = g;
    h.cells[1][1] += 40;
    int (*row)[5] = &h.cells[1];
    printf("%d %d %d %zu\n", (*row)[1], g.cells[1][1], h.cells[3][4], sizeof *row);
    printf("%zu %s %s %d\n", sizeof table / sizeof *table, table[0].name, table[2].name, table[1].to.x);
    int n = 1;
    { int n = 2; { int n = 3; l.to.x += n; } l.to.x += n; }
    l.to.x += n;
    printf("%d\n", l.to.x);
    int best = ({ int a = 3, b = 8; a > b ? a : b; });
    int chain = (n = 4, n += best, n * 2);
    printf("%d %d\n", best, chain);
    struct point *p = &g.cursor.at, saved = *p;
    *p = (struct point){ saved.x + 1, saved.y - 1 };
    printf("%d %d\n", g.cursor.at.x, g.cursor.at.y);
    printf("%d\n", memcmp(&copy.to, &(struct point){ 10, 20 }, sizeof(struct point)));
    const char *words[] = { "zero", "one", "two" };
    for (const char **w = words; w < words + 3; w++)
        printf("%s%s", *w, w == words + 2 ? "\n" : ", ");
    return 0;
}
