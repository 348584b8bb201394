/* Determinant of a matrix of integers by elimination without fractions (all
   divisions are exact). Standard input: the size, then the rows. */
#include <stdio.h>

#define MAX_SIZE 5
#define MAX_ENTRY 20

struct matrix {
    int size;
    long at[MAX_SIZE][MAX_SIZE];
};

static int read_matrix(struct matrix *m)
{
    if (scanf("%2d", &m->size) != 1 || m->size < 1 || m->size > MAX_SIZE)
        return 0;
    for (int i = 0; i < m->size; i++) {
        for (int j = 0; j < m->size; j++) {
            long *entry = &m->at[i][j];
            if (scanf("%8ld", entry) != 1)
                return 0;
            if (*entry < -MAX_ENTRY || *entry > MAX_ENTRY)
                return 0;
        }
    }
    return 1;
}

static void print_matrix(const struct matrix *m)
{
    for (int i = 0; i < m->size; i++)
        for (int j = 0; j < m->size; j++)
            printf("%4ld%c", m->at[i][j], j + 1 < m->size ? ' ' : '\n');
}

/* Changes the matrix. After step k the entries below and right of (k, k) are
   determinants of the parts of the matrix with k + 2 rows. */
static long determinant(struct matrix *m)
{
    int n = m->size;
    long previous = 1;
    long sign = 1;
    for (int k = 0; k + 1 < n; k++) {
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                m->at[i][j] = (m->at[i][j] * m->at[k][k] -
                               m->at[i][k] * m->at[k][j]) / previous;
        previous = m->at[k][k];
    }
    return sign * m->at[n - 1][n - 1];
}

int main(void)
{
    struct matrix m;
    long d;
    if (!read_matrix(&m)) {
        fprintf(stderr, "expected a size from 1 to %d and the entries\n", MAX_SIZE);
        return 2;
    }
    print_matrix(&m);
    d = determinant(&m);
    printf("determinant %ld%s\n", d, d == 0 ? " (singular)" : "");
    return 0;
}
