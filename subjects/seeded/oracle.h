/* Says which calls on streams, folders, descriptors, streams of zlib and mutexes go wrong while a program runs, independently of what `whydunit check` says: each call is made through
 * a function that knows the state of its object. Put before a source by `-include oracle.h`; the first wrong call is written to the file named by ORACLE, as FILE:LINE, and ends the
 * program. Closed streams and folders are never freed, so that no other one gets their address. */
#ifndef ORACLE_H
#define ORACLE_H
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef ORACLE_ZLIB
#include "zlib.h"
#endif

static __attribute__((unused)) void oracle_log(const char *name, const char *what, const char *file, int line)
{
    const char *path = getenv(name);
    FILE *log = path ? fopen(path, "a") : NULL;
    if (log) {
        fprintf(log, "%s:%d: %s\n", file, line, what);
        fflush(log);
        int number = fileno(log);
        fsync(number);
        close(number);
    }
}

static __attribute__((unused)) void oracle_wrong(const char *what, const char *file, int line)
{
    oracle_log("ORACLE", what, file, line);
    _exit(97);
}

/* A changed place was come to. */
static __attribute__((unused)) void oracle_reached(void)
{
    static int said;
    if (!said++) oracle_log("ORACLE_REACHED", "reached", __FILE__, __LINE__);
}

extern void *oracle_closed[4096];
extern int oracle_closed_count;

static __attribute__((unused)) int oracle_is_closed(void *of)
{
    for (int i = 0; i < oracle_closed_count; i++) if (oracle_closed[i] == of) return 1;
    return of == NULL;
}

static __attribute__((unused)) FILE *oracle_file(FILE *of, const char *file, int line)
{
    if (oracle_is_closed(of)) oracle_wrong("stream", file, line);
    return of;
}

/* `fflush` may be given none: it means all of them. */
static __attribute__((unused)) FILE *oracle_stream_or_all(FILE *of, const char *file, int line)
{
    return of ? oracle_file(of, file, line) : of;
}

static __attribute__((unused)) DIR *oracle_dir(DIR *of, const char *file, int line)
{
    if (oracle_is_closed(of)) oracle_wrong("folder", file, line);
    return of;
}

static __attribute__((unused)) int oracle_fclose(FILE *of, const char *file, int line)
{
    oracle_file(of, file, line);
    int flushed = fflush(of), closed = fileno(of) >= 0 ? close(fileno(of)) : 0;
    if (oracle_closed_count < 4096) oracle_closed[oracle_closed_count++] = of;
    return flushed || closed ? EOF : 0;
}

static __attribute__((unused)) int oracle_closedir(DIR *of, const char *file, int line)
{
    oracle_dir(of, file, line);
    if (oracle_closed_count < 4096) oracle_closed[oracle_closed_count++] = of;
    return close(dirfd(of));
}

static __attribute__((unused)) long oracle_descriptor(long result, const char *file, int line)
{
    if (result < 0 && errno == EBADF) oracle_wrong("descriptor", file, line);
    return result;
}

static __attribute__((unused)) int oracle_zlib(int result, const char *file, int line)
{
    if (result == -2) oracle_wrong("zlib", file, line);
    return result;
}

static __attribute__((unused)) int oracle_mutex(int result, const char *file, int line)
{
    if (result == EDEADLK || result == EPERM || result == EINVAL) oracle_wrong("mutex", file, line);
    return result;
}

static __attribute__((unused)) int oracle_mutex_init(pthread_mutex_t *of, const pthread_mutexattr_t *with)
{
    pthread_mutexattr_t checked;
    (void)with;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    return pthread_mutex_init(of, &checked);
}

#define AT __FILE__, __LINE__
#define fclose(f) oracle_fclose(f, AT)
#define fgetc(f) (fgetc)(oracle_file(f, AT))
#undef getc
#define getc(f) (getc)(oracle_file(f, AT))
#define fputc(c, f) (fputc)(c, oracle_file(f, AT))
#undef putc
#define putc(c, f) (putc)(c, oracle_file(f, AT))
#define fputs(s, f) (fputs)(s, oracle_file(f, AT))
#define fgets(s, n, f) (fgets)(s, n, oracle_file(f, AT))
#define fread(p, s, n, f) (fread)(p, s, n, oracle_file(f, AT))
#define fwrite(p, s, n, f) (fwrite)(p, s, n, oracle_file(f, AT))
#define fprintf(f, ...) (fprintf)(oracle_file(f, AT), __VA_ARGS__)
#define vfprintf(f, ...) (vfprintf)(oracle_file(f, AT), __VA_ARGS__)
#define fseek(f, o, w) (fseek)(oracle_file(f, AT), o, w)
#define fseeko(f, o, w) (fseeko)(oracle_file(f, AT), o, w)
#define ftell(f) (ftell)(oracle_file(f, AT))
#define ftello(f) (ftello)(oracle_file(f, AT))
#define fflush(f) (fflush)(oracle_stream_or_all(f, AT))
#define rewind(f) (rewind)(oracle_file(f, AT))
#define feof(f) (feof)(oracle_file(f, AT))
#define ferror(f) (ferror)(oracle_file(f, AT))
#define clearerr(f) (clearerr)(oracle_file(f, AT))
#define fileno(f) (fileno)(oracle_file(f, AT))
#define ungetc(c, f) (ungetc)(c, oracle_file(f, AT))
#define getline(l, n, f) (getline)(l, n, oracle_file(f, AT))
#define getdelim(l, n, d, f) (getdelim)(l, n, d, oracle_file(f, AT))
#define readdir(d) (readdir)(oracle_dir(d, AT))
#define rewinddir(d) (rewinddir)(oracle_dir(d, AT))
#define dirfd(d) (dirfd)(oracle_dir(d, AT))
#define closedir(d) oracle_closedir(d, AT)
#define close(d) (int)oracle_descriptor((close)(d), AT)
#define read(d, p, n) oracle_descriptor((read)(d, p, n), AT)
#define write(d, p, n) oracle_descriptor((write)(d, p, n), AT)
#define lseek(d, o, w) oracle_descriptor((lseek)(d, o, w), AT)
#define fstat(d, s) (int)oracle_descriptor((fstat)(d, s), AT)
#define ftruncate(d, n) (int)oracle_descriptor((ftruncate)(d, n), AT)
#define fsync(d) (int)oracle_descriptor((fsync)(d), AT)
#define dup(d) (int)oracle_descriptor((dup)(d), AT)
#define deflate(s, f) oracle_zlib((deflate)(s, f), AT)
#define deflateEnd(s) oracle_zlib((deflateEnd)(s), AT)
#define deflateReset(s) oracle_zlib((deflateReset)(s), AT)
#define deflateParams(s, l, g) oracle_zlib((deflateParams)(s, l, g), AT)
#define deflateSetDictionary(s, d, n) oracle_zlib((deflateSetDictionary)(s, d, n), AT)
#define inflateSync(s) oracle_zlib((inflateSync)(s), AT)
#define inflate(s, f) oracle_zlib((inflate)(s, f), AT)
#define inflateEnd(s) oracle_zlib((inflateEnd)(s), AT)
#define inflateReset(s) oracle_zlib((inflateReset)(s), AT)
#define pthread_mutex_init(m, a) oracle_mutex_init(m, a)
#define pthread_mutex_lock(m) oracle_mutex((pthread_mutex_lock)(m), AT)
#define pthread_mutex_unlock(m) oracle_mutex((pthread_mutex_unlock)(m), AT)
#define pthread_cond_wait(c, m) oracle_mutex((pthread_cond_wait)(c, m), AT)
#endif
