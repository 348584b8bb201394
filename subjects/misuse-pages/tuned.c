#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sqlite3.h"

/* Streams. */
int stream_rewound_after_closing(const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) return -1;
    int first = fgetc(in);
    if (first == EOF) fclose(in);
    rewind(in); /* wrong: may FILE closed */
    fclose(in);
    return first;
}

int stream_closed_on_each_way(const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) return -1;
    int first = fgetc(in);
    if (first == EOF) {
        fclose(in);
        return 0;
    }
    rewind(in);
    fclose(in);
    return first;
}

struct journal {
    FILE *out;
    int lines;
};

static void journal_end(struct journal *j) {
    if (j->out) fclose(j->out);
    j->out = NULL;
}

int stream_ended_twice_with_a_mark(struct journal *j) {
    j->out = fopen("journal", "w");
    if (!j->out) return -1;
    fputs("start\n", j->out);
    journal_end(j);
    journal_end(j);
    return 0;
}

int stream_not_tested(const char *path) {
    FILE *in = fopen(path, "r");
    int first = fgetc(in); /* wrong: may FILE missing */
    if (in) fclose(in);
    return first;
}

/* Folders. */
int folder_read_after_closing(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) return -1;
    int count = 0;
    while (readdir(dir) != NULL) count++;
    closedir(dir);
    return readdir(dir) ? count : 0; /* wrong: must DIR closed */
}

int folder_read_twice(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) return -1;
    int count = 0;
    while (readdir(dir) != NULL) count++;
    rewinddir(dir);
    while (readdir(dir) != NULL) count++;
    closedir(dir);
    return count;
}

/* Descriptors. */
int descriptor_closed_in_a_loop(const char *path, int times) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) return -1;
    char byte;
    for (int i = 0; i < times; i++) {
        if (read(fd, &byte, 1) != 1) close(fd); /* wrong: may descriptor closed */
    }
    return 0;
}

int descriptor_closed_and_left(const char *path, int times) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) return -1;
    char byte;
    for (int i = 0; i < times; i++) {
        if (read(fd, &byte, 1) != 1) break;
    }
    close(fd);
    return 0;
}

/* Memory. */
char *memory_freed_and_returned(const char *text) {
    char *copy = strdup(text);
    if (!copy) return NULL;
    size_t length = strlen(copy);
    free(copy);
    copy[length - 1] = 0; /* wrong: must memory freed */
    return NULL;
}

char *memory_grown_in_a_loop(int n) {
    char *all = NULL;
    for (int i = 0; i < n; i++) {
        char *more = realloc(all, i + 1);
        if (!more) {
            free(all);
            return NULL;
        }
        all = more;
        all[i] = 'x';
    }
    return all;
}

/* Mutexes. */
struct counter {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int value;
};

int mutex_kept_on_a_way(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    if (c->value > 9) goto out;
    c->value++;
    pthread_mutex_unlock(&c->lock);
out:
    pthread_mutex_unlock(&c->lock); /* wrong: may pthread_mutex_t unlocked */
    return c->value;
}

int mutex_let_go_on_each_way(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    if (c->value > 9) goto out;
    c->value++;
out:
    pthread_mutex_unlock(&c->lock);
    return c->value;
}

/* Condition variables. */
void condition_signalled_after_its_end(struct counter *c) {
    pthread_cond_destroy(&c->changed);
    pthread_mutex_lock(&c->lock);
    c->value = 0;
    pthread_cond_broadcast(&c->changed); /* wrong: must pthread_cond_t destroyed */
    pthread_mutex_unlock(&c->lock);
}

void condition_made_again(struct counter *c) {
    pthread_cond_destroy(&c->changed);
    pthread_cond_init(&c->changed, NULL);
    pthread_cond_signal(&c->changed);
}

/* zlib. */
int zlib_inflate_with_a_deflater(unsigned char *data, unsigned length) {
    z_stream z;
    memset(&z, 0, sizeof z);
    if (deflateInit(&z, 6) != Z_OK) return -1;
    z.next_in = data;
    z.avail_in = length;
    int result = inflate(&z, Z_FINISH); /* wrong: must z_stream deflating */
    deflateEnd(&z);
    return result;
}

int zlib_inflated(unsigned char *data, unsigned length, unsigned char *out, unsigned room) {
    z_stream z;
    memset(&z, 0, sizeof z);
    if (inflateInit(&z) != Z_OK) return -1;
    z.next_in = data;
    z.avail_in = length;
    z.next_out = out;
    z.avail_out = room;
    int result = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return result == Z_STREAM_END ? (int)z.total_out : -1;
}

/* SQLite. */
int sqlite_bound_while_stepped(sqlite3 *db) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, "select a from t where b = ?", -1, &s, 0) != SQLITE_OK) return -1;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sqlite3_bind_int(s, 1, i); /* wrong: may sqlite3_stmt stepped */
        if (sqlite3_step(s) == SQLITE_ROW) sum += sqlite3_column_int(s, 0);
    }
    sqlite3_finalize(s);
    return sum;
}

int sqlite_reset_between(sqlite3 *db) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, "select a from t where b = ?", -1, &s, 0) != SQLITE_OK) return -1;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sqlite3_bind_int(s, 1, i);
        if (sqlite3_step(s) == SQLITE_ROW) sum += sqlite3_column_int(s, 0);
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    return sum;
}

int sqlite_error_asked_after_closing(const char *path) {
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        sqlite3_close(db);
        fprintf(stderr, "%s\n", sqlite3_errmsg(db)); /* wrong: must sqlite3 closed */
        return -1;
    }
    sqlite3_exec(db, "vacuum", 0, 0, 0);
    sqlite3_close(db);
    return 0;
}

int sqlite_error_asked_before_closing(const char *path) {
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        sqlite3_close(db);
        return -1;
    }
    sqlite3_exec(db, "vacuum", 0, 0, 0);
    sqlite3_close(db);
    return 0;
}

int main(void) { return 0; }
