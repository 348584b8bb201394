/* Works with zlib as its arguments say, a command after the other, and prints what comes of it:
 *   deflate raw|zlib|gzip LEVEL    starts to compress          end      ends what is open
 *   inflate raw|zlib|gzip|any      starts to decompress        reset    resets it
 *   text WORD COUNT                makes the input: WORD, COUNT times
 *   put FLUSH                      compresses the input (FLUSH: no, sync, full, finish)
 *   params LEVEL                   another level of compression
 *   room BYTES                     no more room than this for what put and params give
 *   get PIECE                      decompresses what was compressed, PIECE bytes at a time
 *   cut COUNT, damage PLACE        loses the last bytes of it, or changes one
 *   validate YES, sync             inflateValidate, inflateSync
 *   extra LENGTH KEPT              an extra field in the header of gzip, and the room to get it
 *   open MODE, write WORD, flush FLUSH, close, read, size      a gzip file */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

#define ROOM 65536
#define NAME "file.gz"

static unsigned char text[ROOM], packed[ROOM], unpacked[ROOM];
static size_t text_length, packed_length, room = ROOM;
static z_stream stream;
static gz_header header;
static enum { CLOSED, DEFLATING, INFLATING } state;
static unsigned extra_length, extra_kept;
static Bytef *extra_out;
static gzFile file;

static const char *status_name(int status)
{
    switch (status) {
    case Z_OK: return "ok";
    case Z_STREAM_END: return "end of stream";
    case Z_NEED_DICT: return "needs a dictionary";
    case Z_STREAM_ERROR: return "stream error";
    case Z_DATA_ERROR: return "data error";
    case Z_MEM_ERROR: return "no memory";
    case Z_BUF_ERROR: return "no progress";
    }
    return "another status";
}

static void say(const char *what, int status)
{
    printf("%s: %s\n", what, status_name(status));
}

/* The window bits of a format; with 32 added, inflate finds out which. */
static int bits_of(const char *format)
{
    if (strcmp(format, "raw") == 0)
        return -15;
    if (strcmp(format, "gzip") == 0)
        return 15 + 16;
    return strcmp(format, "any") == 0 ? 15 + 32 : 15;
}

static int flush_of(const char *name)
{
    if (strcmp(name, "sync") == 0)
        return Z_SYNC_FLUSH;
    if (strcmp(name, "full") == 0)
        return Z_FULL_FLUSH;
    return strcmp(name, "finish") == 0 ? Z_FINISH : Z_NO_FLUSH;
}

static void start_deflate(const char *format, int level)
{
    static Bytef extra[256];
    memset(&stream, 0, sizeof stream);
    packed_length = 0;
    say("deflateInit", deflateInit2(&stream, level, Z_DEFLATED, bits_of(format), 8, Z_DEFAULT_STRATEGY));
    if (extra_length > 0) {
        memset(&header, 0, sizeof header);
        for (unsigned i = 0; i < extra_length && i < sizeof extra; i++)
            extra[i] = (Bytef)('A' + i % 26);
        header.extra = extra;
        header.extra_len = extra_length;
        say("deflateSetHeader", deflateSetHeader(&stream, &header));
    }
    state = DEFLATING;
}

static void start_inflate(const char *format)
{
    memset(&stream, 0, sizeof stream);
    say("inflateInit", inflateInit2(&stream, bits_of(format)));
    if (extra_kept > 0) {
        memset(&header, 0, sizeof header);
        header.extra = extra_out = malloc(extra_kept);
        header.extra_max = extra_kept;
        say("inflateGetHeader", inflateGetHeader(&stream, &header));
    }
    stream.next_in = packed;
    stream.next_out = unpacked;
    stream.avail_out = ROOM;
    state = INFLATING;
}

static void make_text(const char *word, int count)
{
    text_length = 0;
    for (int i = 0; i < count && text_length + strlen(word) <= ROOM; i++) {
        memcpy(text + text_length, word, strlen(word));
        text_length += strlen(word);
    }
}

/* How much may still be compressed. */
static size_t left(void)
{
    return room > packed_length ? room - packed_length : 0;
}

static void put(const char *flush)
{
    stream.next_in = text;
    stream.avail_in = (uInt)text_length;
    stream.next_out = packed + packed_length;
    stream.avail_out = (uInt)left();
    int status = deflate(&stream, flush_of(flush));
    packed_length = (size_t)(stream.next_out - packed);
    printf("deflate: %s, %lu in all\n", status_name(status), stream.total_out);
}

static void set_level(int level)
{
    stream.next_in = text;
    stream.avail_in = 0;
    stream.next_out = packed + packed_length;
    stream.avail_out = (uInt)left();
    int status = deflateParams(&stream, level, Z_DEFAULT_STRATEGY);
    packed_length = (size_t)(stream.next_out - packed);
    say("deflateParams", status);
}

static void get(size_t piece)
{
    int status = Z_OK;
    while (status == Z_OK && stream.total_in < packed_length) {
        size_t rest = packed_length - stream.total_in;
        stream.next_in = packed + stream.total_in;
        stream.avail_in = (uInt)(rest < piece ? rest : piece);
        status = inflate(&stream, Z_NO_FLUSH);
    }
    int same = stream.total_out <= text_length && memcmp(text, unpacked, stream.total_out) == 0;
    printf("inflate: %s, %lu bytes, %s\n", status_name(status), stream.total_out, same ? "as in the input" : "not as in the input");
    if (extra_out)
        printf("extra field of %u: %.*s\n", header.extra_len, (int)(extra_kept < header.extra_len ? extra_kept : header.extra_len), extra_out);
}

static void synchronise(void)
{
    stream.next_in = packed + stream.total_in;
    stream.avail_in = (uInt)(packed_length - stream.total_in);
    int status = inflateSync(&stream);
    /* What follows is decompressed from where the search ended. */
    size_t skipped = packed_length - stream.avail_in;
    memmove(packed, packed + skipped, packed_length - skipped);
    packed_length -= skipped;
    stream.total_in = 0;
    say("inflateSync", status);
}

static void end(void)
{
    if (state == DEFLATING)
        say("deflateEnd", deflateEnd(&stream));
    else if (state == INFLATING)
        say("inflateEnd", inflateEnd(&stream));
    state = CLOSED;
}

static void read_file(void)
{
    char line[ROOM];
    gzFile in = gzopen(NAME, "rb");
    int length = in ? gzread(in, line, sizeof line) : -1;
    printf("gzread: %d: %.*s\n", length, length > 0 ? length : 0, line);
    if (in)
        say("gzclose", gzclose(in));
}

static void file_size(void)
{
    FILE *in = fopen(NAME, "rb");
    int length = 0;
    while (in && getc(in) != EOF)
        length++;
    printf("size: %d\n", length);
    if (in)
        fclose(in);
}

/* Carries out the command at argv[0]; how many arguments it took, 0 when it is none. */
static int command(char **argv, int count)
{
    const char *name = argv[0];
    if (strcmp(name, "end") == 0)
        end();
    else if (strcmp(name, "sync") == 0)
        synchronise();
    else if (strcmp(name, "reset") == 0)
        say("reset", state == DEFLATING ? deflateReset(&stream) : inflateReset(&stream));
    else if (strcmp(name, "close") == 0)
        say("gzclose", gzclose(file));
    else if (strcmp(name, "read") == 0)
        read_file();
    else if (strcmp(name, "size") == 0)
        file_size();
    else if (count < 2)
        return 0;
    else if (strcmp(name, "inflate") == 0)
        return start_inflate(argv[1]), 2;
    else if (strcmp(name, "put") == 0)
        return put(argv[1]), 2;
    else if (strcmp(name, "params") == 0)
        return set_level(atoi(argv[1])), 2;
    else if (strcmp(name, "room") == 0)
        return room = (size_t)atoi(argv[1]) % (ROOM + 1), 2;
    else if (strcmp(name, "get") == 0)
        return get((size_t)atoi(argv[1])), 2;
    else if (strcmp(name, "cut") == 0)
        return packed_length -= (size_t)atoi(argv[1]), 2;
    else if (strcmp(name, "damage") == 0)
        return packed[atoi(argv[1]) % ROOM] ^= 0x55, 2;
#if ZLIB_VERNUM >= 0x1290
    else if (strcmp(name, "validate") == 0)
        return say("inflateValidate", inflateValidate(&stream, atoi(argv[1]))), 2;
#endif
    else if (strcmp(name, "open") == 0)
        return file = gzopen(NAME, argv[1]), 2;
    else if (strcmp(name, "write") == 0)
        return printf("gzputs: %d\n", gzputs(file, argv[1])), 2;
    else if (strcmp(name, "flush") == 0)
        return say("gzflush", gzflush(file, flush_of(argv[1]))), 2;
    else if (count < 3)
        return 0;
    else if (strcmp(name, "deflate") == 0)
        return start_deflate(argv[1], atoi(argv[2])), 3;
    else if (strcmp(name, "text") == 0)
        return make_text(argv[1], atoi(argv[2])), 3;
    else if (strcmp(name, "extra") == 0)
        return extra_length = (unsigned)atoi(argv[1]), extra_kept = (unsigned)atoi(argv[2]), 3;
    else
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    for (int i = 1, taken; i < argc; i += taken) {
        taken = command(argv + i, argc - i);
        if (taken == 0) {
            printf("not understood: %s\n", argv[i]);
            return 2;
        }
    }
    return 0;
}
