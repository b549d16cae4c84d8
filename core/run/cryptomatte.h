/* cryptomatte.h: the names of a picture's objects as numbers, for masks in compositing programs.
 * Owns Cryptomatte's rules (Friedman and Jones, Fully Automatic ID Mattes with Support for Motion Blur and
 * Transparency, SIGGRAPH 2015; Psyop, Cryptomatte Specification 1.2). A name is hashed; its hash is the bits of a
 * float. A pixel has the hashes that cover it, the one that covers most first. */
#ifndef GLINT_CORE_RUN_CRYPTOMATTE_H
#define GLINT_CORE_RUN_CRYPTOMATTE_H

#include "core/base/bytes.h"

enum { CRYPTOMATTE_NAME = 32 };

/* MurmurHash3_x86_32 of the name with the seed 0 (Appleby 2011), made finite and normal as a float's bits. */
uint32_t cryptomatte_hash(const char *name);

/* Adds the entry of a name to a manifest, which is a JSON object; the first one opens it. STATUS_DEVICE. */
Status cryptomatte_list(Bytes *manifest, size_t *capacity, const char *name);
/* Closes a manifest, which may have no entry, with a zero behind. STATUS_DEVICE. */
Status cryptomatte_close(Bytes *manifest, size_t *capacity);

#endif
