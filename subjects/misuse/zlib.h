/* As much of zlib's interface as packed.c uses; zlib.c has code for it. */
typedef void *(*alloc_func)(void *opaque, unsigned items, unsigned size);

typedef struct z_stream_s {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned char *next_out;
    unsigned avail_out;
    void *state;
    alloc_func zalloc;
} z_stream;

enum { Z_NO_FLUSH = 0, Z_FINISH = 4, Z_OK = 0, Z_STREAM_END = 1, Z_STREAM_ERROR = -2, Z_MEM_ERROR = -4 };

int deflateInit_(z_stream *strm, int level, const char *version, int size);
int deflate(z_stream *strm, int flush);
int deflateReset(z_stream *strm);
int deflateEnd(z_stream *strm);
int inflateInit_(z_stream *strm, const char *version, int size);
int inflate(z_stream *strm, int flush);
int inflateReset(z_stream *strm);
int inflateEnd(z_stream *strm);
#define deflateInit(strm, level) deflateInit_((strm), (level), "1", (int)sizeof(z_stream))
#define inflateInit(strm) inflateInit_((strm), "1", (int)sizeof(z_stream))
