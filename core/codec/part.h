/* part.h: pictures whose files end early: the rows that are there, and words about them. */
#ifndef GLINT_CORE_CODEC_PART_H
#define GLINT_CORE_CODEC_PART_H

#include "core/codec/format.h"

enum { PART_WORDS = 96 };

/* Loads by format->load_part. The rows that are not there become a middle gray, or transparent. */
Status part_load(const Format *format, Bytes file, FilePart *part, Image **image);
/* Whether it may be of a picture that its file stores in so many rows, or says that the file is whole. */
bool part_is_sound(FilePart part, size_t height);
/* "ends early: 1503 of 2836 rows are there", for behind the file's name; "" of a whole file. Returns the length. */
size_t part_describe(FilePart part, char *buffer, size_t size);

#endif
