#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include "sqlite3.h"

/* Streams. */
static void say(FILE *out, const char *text) {
    fprintf(out, "%s\n", text); /* wrong: must FILE closed */
}

int stream_said_to_after_closing(void) {
    FILE *out = fopen("said", "w");
    if (!out) return -1;
    fclose(out);
    say(out, "late");
    return 0;
}

int pipe_closed_twice(void) {
    FILE *in = popen("date", "r");
    if (!in) return -1;
    char line[80];
    if (!fgets(line, sizeof line, in)) {
        pclose(in);
        goto out;
    }
    puts(line);
out:
    return pclose(in); /* wrong: may FILE closed */
}

int stream_opened_in_a_loop(char **names, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        FILE *in = fopen(names[i], "r");
        if (!in) continue;
        total += fgetc(in);
        fclose(in);
    }
    return total;
}

int stream_of_a_choice(const char *path) {
    FILE *out = path ? fopen(path, "w") : stdout;
    if (!out) return -1;
    fputs("text\n", out);
    if (out != stdout) fclose(out);
    return 0;
}

/* Folders. */
int folder_closed_in_its_loop(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return -1;
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) { /* wrong: may DIR closed */
        if (entry->d_name[0] == '.') closedir(dir);
    }
    return 0;
}

int folder_left_early(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return -1;
    struct dirent *entry;
    int found = 0;
    while (!found && (entry = readdir(dir)) != NULL) found = entry->d_name[0] == '.';
    closedir(dir);
    return found;
}

/* Descriptors. */
int socket_sent_to_after_closing(const char *text) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd == -1) return -1;
    close(fd);
    return (int)send(fd, text, strlen(text), 0); /* wrong: must descriptor closed */
}

int descriptor_moved_and_closed(const char *path) {
    int fd = open(path, O_WRONLY);
    if (fd == -1) return -1;
    int result = dup2(fd, 1);
    if (fd != 1) close(fd);
    return result;
}

/* Memory. */
struct node {
    struct node *next;
    char *name;
};

void list_freed_under_its_loop(struct node *list) {
    for (struct node *it = list; it; it = it->next) { /* wrong: must memory freed */
        free(it->name);
        free(it);
    }
}

void list_freed(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
}

/* Mutexes. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int length;
};

static void enter(struct queue *q) {
    pthread_mutex_lock(&q->lock); /* wrong: must pthread_mutex_t locked */
}

static void leave(struct queue *q) { pthread_mutex_unlock(&q->lock); }

void mutex_entered_twice(struct queue *q) {
    enter(q);
    q->length++;
    enter(q);
    leave(q);
}

void mutex_entered_and_left(struct queue *q) {
    enter(q);
    q->length++;
    leave(q);
    enter(q);
    q->length--;
    leave(q);
}

/* Condition variables. */
int condition_waited_for_without_the_lock(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    int n = q->length;
    pthread_mutex_unlock(&q->lock);
    if (n == 0) pthread_cond_wait(&q->filled, &q->lock); /* wrong: must pthread_mutex_t unlocked */
    return q->length;
}

int condition_waited_for(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->length == 0) pthread_cond_wait(&q->filled, &q->lock);
    int n = q->length--;
    pthread_mutex_unlock(&q->lock);
    return n;
}

/* zlib. */
int zlib_ended_twice(unsigned char *data, unsigned length) {
    z_stream z;
    memset(&z, 0, sizeof z);
    if (inflateInit(&z) != Z_OK) return -1;
    z.next_in = data;
    z.avail_in = length;
    int result = inflate(&z, Z_NO_FLUSH);
    if (result < 0) inflateEnd(&z);
    inflateEnd(&z); /* wrong: may z_stream ended */
    return result;
}

int gz_read_after_closing(const char *path, char *out, unsigned room) {
    gzFile in = gzopen(path, "rb");
    if (!in) return -1;
    gzclose(in);
    return gzread(in, out, room); /* wrong: must gzFile closed */
}

int gz_copied(const char *path, char *out, unsigned room) {
    gzFile in = gzopen(path, "rb");
    if (!in) return -1;
    int total = 0, got;
    while ((got = gzread(in, out, room)) > 0) total += got;
    return gzclose(in) == Z_OK ? total : -1;
}

int zlib_used_again(unsigned char *data, unsigned length) {
    z_stream z;
    memset(&z, 0, sizeof z);
    if (deflateInit(&z, 1) != Z_OK) return -1;
    z.next_in = data;
    z.avail_in = length;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    if (deflateInit(&z, 9) != Z_OK) return -1;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return 0;
}

/* SQLite. */
int sqlite_stepped_after_its_end(sqlite3 *db) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, "delete from t", -1, &s, 0) != SQLITE_OK) return -1;
    int result = sqlite3_step(s);
    sqlite3_finalize(s);
    if (result != SQLITE_DONE) return sqlite3_step(s); /* wrong: must sqlite3_stmt finalized */
    return 0;
}

int sqlite_rows(sqlite3 *db) {
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, "select a from t", -1, &s, 0) != SQLITE_OK) return -1;
    int sum = 0, result;
    while ((result = sqlite3_step(s)) == SQLITE_ROW) sum += sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return result == SQLITE_DONE ? sum : -1;
}
