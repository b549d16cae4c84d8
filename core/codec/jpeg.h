/* jpeg.h: the parts that reading (jpeg.c) and writing (jpeg_save.c) of JPEG share: the library's errors. */
#ifndef GLINT_CORE_CODEC_JPEG_H
#define GLINT_CORE_CODEC_JPEG_H

#include "core/codec/format.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#define JPEG_COMMENT "Comment" /* the note that segments of comments become */

/* The library's errors, which jump out of the functions that call setjmp. */
typedef struct JpegErrors {
    struct jpeg_error_mgr manager; /* first, so that the library's pointer is ours */
    char reason[JMSG_LENGTH_MAX];
    unsigned extras; /* of enum Extra: data that had to be left out */
    bool ended;      /* the file, before its end marker */
    jmp_buf out;
} JpegErrors;

void jpeg_errors_install(JpegErrors *errors, j_common_ptr common);
/* The status after a jump. STATUS_INTERRUPTED once a signal was caught; STATUS_DEVICE without memory to `task`
 * ("decode"); else STATUS_INPUT, beginning with `what`. */
Status jpeg_failed(const JpegErrors *errors, const char *task, const char *what);

Status jpeg_save(const Image *image, SaveOptions options, Bytes *file);
/* FormatShell.save_about and takes. */
Status jpeg_save_about(const Image *about, Bytes encoded, SaveOptions options, Bytes *file);
bool jpeg_device_takes(const SaveOptions *options);

#endif
