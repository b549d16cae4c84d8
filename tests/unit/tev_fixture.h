/* tev_fixture.h: packets that tevclient has made (tests/fuzz/packets.py). */
#ifndef GLINT_TESTS_UNIT_TEV_FIXTURE_H
#define GLINT_TESTS_UNIT_TEV_FIXTURE_H

#include "core/base/file.h"
#include "tests/check.h"

#include <stdio.h>

static inline Bytes load(const char *name) {
    char path[512];
    Bytes bytes;
    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/tev/%s", GLINT_SOURCE_DIR, name);
    REQUIRE(file_read(path, &bytes));
    return bytes;
}

#endif
