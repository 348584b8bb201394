/* Packs a text as a gzip member with an extra field, and reads it in pieces: driver EXTRA KEPT PIECE HEADER, where KEPT bytes of the
   EXTRA ones are asked for, PIECE bytes are given at a time, and HEADER says whether the header is asked for at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

enum { MOST = 200 };

static const char text[] = "the content of the member, which is not long";

/* The member; its length. */
static size_t pack(unsigned char *out, size_t size, int extra)
{
    z_stream stream;
    gz_header header;
    Bytef field[MOST];
    memset(&stream, 0, sizeof stream);
    memset(&header, 0, sizeof header);
    for (int i = 0; i < extra; i++)
        field[i] = (Bytef)('A' + i % 26);
    header.extra = extra > 0 ? field : NULL;
    header.extra_len = (uInt)extra;
    if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    deflateSetHeader(&stream, &header);
    stream.next_in = (z_const Bytef *)text;
    stream.avail_in = sizeof text;
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    int status = deflate(&stream, Z_FINISH);
    size_t length = size - stream.avail_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? length : 0;
}

int main(int argc, char **argv)
{
    unsigned char packed[1024], unpacked[256];
    if (argc != 5)
        return 2;
    int extra = atoi(argv[1]), kept = atoi(argv[2]), piece = atoi(argv[3]), wanted = atoi(argv[4]);
    if (extra < 0 || extra > MOST || kept < 1 || kept > MOST || piece < 1 || piece > 100)
        return 2;
    size_t length = pack(packed, sizeof packed, extra), fed = 0;
    z_stream stream;
    gz_header header;
    memset(&stream, 0, sizeof stream);
    memset(&header, 0, sizeof header);
    header.extra = malloc((size_t)kept);
    header.extra_max = (uInt)kept;
    if (header.extra == NULL || inflateInit2(&stream, 15 + 16) != Z_OK)
        return 3;
    if (wanted)
        inflateGetHeader(&stream, &header);
    stream.next_out = unpacked;
    stream.avail_out = sizeof unpacked;
    int status = Z_OK;
    while (status == Z_OK && fed < length) {
        size_t now = length - fed < (size_t)piece ? length - fed : (size_t)piece;
        stream.next_in = packed + fed;
        stream.avail_in = (uInt)now;
        status = inflate(&stream, Z_NO_FLUSH);
        fed += now;
    }
    printf("%d: %lu bytes", status, stream.total_out);
    if (wanted)
        printf(", extra field of %u", header.extra_len);
    printf("\n");
    inflateEnd(&stream);
    free(header.extra);
    return 0;
}
