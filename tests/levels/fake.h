/* fake.h: a backend for tests: two devices with 8 MiB of memory each, which nobody else reads or writes; its levels are
 * the references. */
#ifndef GLINT_TESTS_LEVELS_FAKE_H
#define GLINT_TESTS_LEVELS_FAKE_H

#include "core/device/backend.h"

#include <stdatomic.h>

enum { FAKE_DEVICES = 2, FAKE_BYTES = 8 << 20, FAKE_ENCODES = 30 /* pixels across, or more */ };

extern Backend fake_backend;
extern const DeviceCodec fake_codec; /* JPEG by libjpeg, three pictures at once; its calls fail and are counted, too */

/* How many calls of its functions that can fail there were, and which of them fails, from 1 on; 0: none. */
extern atomic_size_t fake_calls, fake_fails_at;

/* Completes and registers it, behind one that has references. */
Status fake_register(void);

#endif
