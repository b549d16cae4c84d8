/* tiff.h: a TIFF that libtiff has open, as reading (tiff.c) and writing (tiff_save.c) share it. */
#ifndef GLINT_CORE_CODEC_TIFF_H
#define GLINT_CORE_CODEC_TIFF_H

#include "core/codec/format.h"

#include <tiffio.h>

enum { TIFF_BLOCK_MAX = 1 << 30 /* bytes of one allocation of the library: tables of strips, a tile */ };

/* Set `in` or `out`; all else is zero at first. */
typedef struct TiffHandle {
    TIFF *tiff;
    Input *in;          /* the file to read */
    ByteSink *out;      /* the file to write */
    size_t written;     /* bytes */
    const Bytes *again; /* where these can be read again, or NULL */
    Status status;      /* of the last ones */
    size_t at;
    bool strict;        /* warnings count */
    bool guesses_extra; /* the file lacks ExtraSamples for this page; the library's are a guess */
    bool takes_reduced; /* pages that only show another in small, or mask it: there are no others */
    char reason[160];
} TiffHandle;

/* Opens the file of handle->in or handle->out; `mode` as TIFFOpen has it. Fails as tiff_failed does. */
Status tiff_open(TiffHandle *handle, const char *mode);
/* STATUS_DEVICE if memory was short; nothing else can go wrong in writing but the sink. Else the file is to blame, also
 * where the library does not say why. */
Status tiff_failed(const TiffHandle *handle);
/* Fails as file_ends_early for a directory without its last bytes, which say where the next one is: the library takes
 * it for the last one. */
Status tiff_check_directory(TiffHandle *handle);
/* Closes it; all output was flushed before. */
void tiff_end(TiffHandle *handle);

Status tiff_save(const Image *image, SaveOptions options, Bytes *file);
/* As Format.write_rows. */
Status tiff_open_sink(const Image *about, SaveOptions options, ByteSink *to, RowSink **rows);

#endif
