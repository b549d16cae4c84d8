/* fake.h: a backend for tests: two devices with 8 MiB of memory each, which nobody else reads or writes; its levels are
 * the references. */
#ifndef GLINT_TESTS_LEVELS_FAKE_H
#define GLINT_TESTS_LEVELS_FAKE_H

#include "core/backend.h"

enum { FAKE_DEVICES = 2, FAKE_BYTES = 8 << 20 };

extern Backend fake_backend;

/* Completes and registers it, behind one that has references. */
Status fake_register(void);

#endif
