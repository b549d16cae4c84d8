/* jpeg_scan.h: Huffman's code of a JPEG's scan, walked to its end without decoding coefficients. */
#ifndef GLINT_CORE_CODEC_JPEG_SCAN_H
#define GLINT_CORE_CODEC_JPEG_SCAN_H

#include "core/base/bytes.h"

#include <stdint.h>

enum {
    JPEG_COMPONENTS = 3,
    JPEG_CODE_MAX = 16, /* bits of a code */
    JPEG_PEEK = 12      /* bits that a step looks at: few codes are longer */
};

/* A step over bits: how many belong to codes and their values, and JPEG_ADVANCE times how far these lead in the block.
 * A single step of a DC table has the code's bits alone, and JPEG_ADVANCE times the number of those that follow it. */
typedef uint16_t JpegStep;

enum { JPEG_ADVANCE = 256 };

typedef struct JpegTable {
    JpegStep single[1 << JPEG_PEEK];   /* of one code */
    unsigned count[JPEG_CODE_MAX + 1]; /* codes of each length */
    uint8_t symbols[256];
} JpegTable;

enum { JPEG_DC_TABLES = 2, JPEG_TABLES = 4 /* tables for means (DC) come first */ };

typedef struct JpegTables {
    JpegStep several[JPEG_TABLES << JPEG_PEEK]; /* of all codes that are in sight, table by table */
    JpegTable of[JPEG_TABLES];
} JpegTables;

/* Steps of the codes in `count` and `symbols` of a table. False where libjpeg refuses it, or a code is not one of 8-bit
 * samples. */
bool jpeg_table_fill(JpegTables *tables, int which);

/* A component of a scan: blocks across and down in an MCU (1 or 2), and the tables of means and of other values. */
typedef struct JpegComponent {
    int across, down, dc, ac;
} JpegComponent;

typedef struct JpegScan {
    const JpegTables *tables;
    JpegComponent components[JPEG_COMPONENTS];
    int count;             /* of components */
    size_t mcus, interval; /* between two restarts; 0: there are none */
} JpegScan;

/* Whether the scan whose code begins at `at` is whole, as libjpeg reads it without a warning, and the image's end
 * follows. *end is then behind that. */
bool jpeg_scan_walk(const JpegScan *scan, Bytes file, size_t at, size_t *end);

#endif
