#include <stdlib.h>
#include <string.h>

#include "zlib.h"

int packed(z_stream *from) {
    z_stream s = *from;
    if (deflateInit(&s, 6) != Z_OK) return -1;
    int result = deflate(&s, Z_FINISH);
    deflateEnd(&s);
    return result;
}

int packed_after_the_end(z_stream *from) {
    z_stream s = *from;
    if (deflateInit(&s, 6) != Z_OK) return -1;
    deflateEnd(&s);
    return deflate(&s, Z_FINISH); /* wrong: must z_stream ended */
}

int reset_after_the_end(z_stream *s) {
    inflateEnd(s);
    return inflateReset(s); /* wrong: must z_stream ended */
}

int never_made(unsigned char *out) {
    z_stream s;
    memset(&s, 0, sizeof s);
    s.next_out = out;
    return deflate(&s, Z_FINISH); /* wrong: must z_stream uninitialised */
}

int made_too_late(unsigned char *out) {
    z_stream s;
    memset(&s, 0, sizeof s);
    s.next_out = out;
    deflateReset(&s); /* wrong: must z_stream uninitialised */
    if (deflateInit(&s, 1) != Z_OK) return -1;
    deflate(&s, Z_FINISH);
    return deflateEnd(&s);
}

static int begun(z_stream *s, int level) { return deflateInit(s, level); }

int made_by_another_function(void) {
    z_stream s;
    memset(&s, 0, sizeof s);
    if (begun(&s, 6) != Z_OK) return -1;
    deflate(&s, Z_FINISH);
    return deflateEnd(&s);
}

static int goes_on(z_stream *s) {
    return deflate(s, Z_NO_FLUSH); /* wrong: must z_stream uninitialised */
}

int never_made_and_passed(void) {
    z_stream s;
    memset(&s, 0, sizeof s);
    return goes_on(&s);
}

int made_where_it_is_used(int level) {
    z_stream s;
    memset(&s, 0, sizeof s);
    int is_there = level > 0 && level % 3 == 0;
    if (is_there && deflateInit(&s, level) != Z_OK) return -1;
    if (is_there) deflate(&s, Z_FINISH);
    return is_there ? deflateEnd(&s) : 0;
}

int a_copy_of_one_that_was_made(z_stream *from) {
    z_stream s;
    memcpy(&s, from, sizeof s);
    return deflate(&s, Z_FINISH);
}

int ended_though_never_made(void) {
    z_stream s;
    memset(&s, 0, sizeof s);
    return deflateEnd(&s);
}

/* What is done to one stream does nothing to another one. */
static int repacked(z_stream *inf, z_stream *def) {
    int result = inflate(inf, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) return result;
    return deflate(def, Z_FINISH);
}

int two_streams(z_stream *from) {
    z_stream inf = *from, def = *from;
    if (inflateInit(&inf) != Z_OK || deflateInit(&def, 6) != Z_OK) return -1;
    if (repacked(&inf, &def) == Z_MEM_ERROR) return -1;
    inflateReset(&inf);
    deflateReset(&inf); /* wrong: must z_stream inflating */
    return inflateEnd(&inf) + deflateEnd(&def);
}

/* What a function has tested is known to who calls it by what it returns. */
struct writer {
    unsigned size, want;
    unsigned char *in, *out;
    int direct, seek, error;
    z_stream strm;
};

static int writer_begun(struct writer *w) {
    w->in = malloc(w->want);
    if (!w->in) {
        w->error = Z_MEM_ERROR;
        return -1;
    }
    if (!w->direct) {
        w->out = malloc(w->want);
        if (!w->out) {
            free(w->in);
            w->error = Z_MEM_ERROR;
            return -1;
        }
        if (deflateInit(&w->strm, 6) != Z_OK) {
            free(w->out);
            free(w->in);
            w->error = Z_MEM_ERROR;
            return -1;
        }
    }
    w->size = w->want;
    return 0;
}

static int written(struct writer *w, int flush) {
    if (w->size == 0 && writer_begun(w) == -1) return -1;
    if (w->direct) return 0;
    w->in[0] = 0;
    deflateReset(&w->strm);
    return deflate(&w->strm, flush);
}

static int zeros_written(struct writer *w, int count) {
    while (count-- > 0)
        if (written(w, Z_NO_FLUSH) == -1) return -1;
    return 0;
}

int writer_closed(struct writer *w) {
    int result = 0;
    if (w->seek) {
        w->seek = 0;
        if (zeros_written(w, 4) == -1) result = w->error;
    }
    if (written(w, Z_FINISH) == -1) result = w->error;
    if (w->size) {
        if (!w->direct) {
            deflateEnd(&w->strm);
            free(w->out);
        }
        free(w->in);
    }
    free(w);
    return result;
}
