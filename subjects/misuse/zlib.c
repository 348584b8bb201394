/* Code of an interface that is a part of the program, as where a library is built with it: nothing can be told of what it allocates by. */
#include <stdlib.h>

#include "zlib.h"

struct inside {
    z_stream *strm;
    int done;
};

static int is_wrong(z_stream *strm) {
    struct inside *s = strm ? strm->state : NULL;
    return !s || s->strm != strm;
}

static int made(z_stream *strm) {
    struct inside *s = strm->zalloc(NULL, 1, sizeof *s);
    if (!s) return Z_MEM_ERROR;
    s->strm = strm;
    s->done = 0;
    strm->state = s;
    return Z_OK;
}

static int worked(z_stream *strm) {
    if (is_wrong(strm)) return Z_STREAM_ERROR;
    struct inside *s = strm->state;
    while (strm->avail_in && strm->avail_out) {
        *strm->next_out++ = *strm->next_in++;
        strm->avail_in--;
        strm->avail_out--;
        s->done++;
    }
    return strm->avail_in ? Z_OK : Z_STREAM_END;
}

static int ended(z_stream *strm) {
    if (is_wrong(strm)) return Z_STREAM_ERROR;
    free(strm->state);
    strm->state = NULL;
    return Z_OK;
}

int deflateInit_(z_stream *strm, int level, const char *version, int size) {
    return version && size && level ? made(strm) : Z_STREAM_ERROR;
}
int inflateInit_(z_stream *strm, const char *version, int size) { return version && size ? made(strm) : Z_STREAM_ERROR; }
int deflate(z_stream *strm, int flush) { return flush == 99 ? deflateReset(strm) : worked(strm); }
int inflate(z_stream *strm, int flush) { return flush == 99 ? inflateReset(strm) : worked(strm); }
int deflateReset(z_stream *strm) { return is_wrong(strm) ? Z_STREAM_ERROR : Z_OK; }
int inflateReset(z_stream *strm) { return is_wrong(strm) ? Z_STREAM_ERROR : Z_OK; }
int deflateEnd(z_stream *strm) { return ended(strm); }
int inflateEnd(z_stream *strm) { return ended(strm); }
