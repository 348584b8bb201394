/* A small SQL shell: shell DATABASE [FILE...]; statements from the files or standard input, rows printed with | between the columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static char *read_all(FILE *in)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    for (size_t got; text && (got = fread(text + used, 1, room - used - 1, in)) > 0;) {
        used += got;
        if (room - used < 2)
            text = realloc(text, room *= 2);
    }
    if (text)
        text[used] = 0;
    return text;
}

static int run(sqlite3 *db, const char *sql)
{
    int errors = 0;
    while (*sql) {
        sqlite3_stmt *statement;
        const char *rest;
        int status = sqlite3_prepare_v2(db, sql, -1, &statement, &rest);
        if (status == SQLITE_OK && statement)
            while ((status = sqlite3_step(statement)) == SQLITE_ROW)
                for (int i = 0, n = sqlite3_column_count(statement); i < n; i++) {
                    const unsigned char *text = sqlite3_column_text(statement, i);
                    printf("%s%c", text ? (const char *)text : "NULL", i + 1 < n ? '|' : '\n');
                }
        if (status != SQLITE_OK && status != SQLITE_DONE) {
            printf("error: %s\n", sqlite3_errmsg(db));
            errors++;
            if (!statement)
                while (*rest && *rest != ';')
                    rest++;
        }
        sqlite3_finalize(statement);
        sql = *rest == ';' ? rest + 1 : rest;
    }
    return errors;
}

static int compare_length(void *unused, int n, const void *a, int m, const void *b)
{
    (void)unused;
    if (n != m)
        return n - m;
    return memcmp(a, b, (size_t)n);
}

static void twice(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int64(context, 2 * sqlite3_value_int64(values[0]));
}

int main(int argc, char **argv)
{
    sqlite3 *db;
    int errors = 0;
    if (argc < 2 || sqlite3_open(argv[1], &db) != SQLITE_OK)
        return 2;
    sqlite3_create_function(db, "twice", 1, SQLITE_UTF8, NULL, twice, NULL, NULL);
    sqlite3_create_collation(db, "length_first", SQLITE_UTF8, NULL, compare_length);
    for (int i = 2; i < argc || i == 2; i++) {
        FILE *in = i < argc ? fopen(argv[i], "r") : stdin;
        char *sql = in ? read_all(in) : NULL;
        if (!sql)
            return 2;
        errors += run(db, sql);
        free(sql);
        if (in != stdin)
            fclose(in);
    }
    sqlite3_close(db);
    return errors > 0;
}
