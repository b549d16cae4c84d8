/* fuzz_journal.c: libFuzzer's entry into the journal of --resume. Whatever the file holds, reading it succeeds, and no
 * output is called done that is not as the journal says. */
#include "app/batch/journal.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT "a.ppm"

static char folder[] = "/tmp/glint-fuzz-XXXXXX", rule[64], journal_path[96], output[96];

static void clean(void) {
    unlink(journal_path);
    unlink(output);
    rmdir(folder);
}

static void write_file(const char *path, const void *data, size_t size) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size && close(descriptor) == 0);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    check(mkdtemp(folder) != NULL && atexit(clean) == 0);
    snprintf(rule, sizeof rule, "%s/", folder);
    snprintf(journal_path, sizeof journal_path, "%s/.glint-journal", folder);
    snprintf(output, sizeof output, "%s/" OUTPUT, folder);
    write_file(output, "output", 6);
    return 0;
}

static bool owns(Journal *journal, const char *path) {
    FileIdentity is;
    check(journal_owns(journal, NULL, path, &is) == STATUS_OK);
    return is.inode != 0;
}

static bool is_done(Journal *journal) {
    bool done;
    check(journal_is_done(journal, output, output, output, &done) == STATUS_OK);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Place *place;
    Journal *journal = NULL;
    struct stat made;
    write_file(journal_path, data, size);
    check(place_hold(rule, &place) == STATUS_OK);
    check(journal_open(place, "recipe", &journal) == STATUS_OK);
    const bool owned = owns(journal, output);
    check(owned || !is_done(journal));
    check(!owned || memmem(data, size, OUTPUT, strlen(OUTPUT)) ||
          memchr(data, '\\', size)); /* letters may be escaped */
    check(!owns(journal, "/nowhere/" OUTPUT));
    /* An entry that is added then is found, whatever is before it. */
    check(stat(output, &made) == 0);
    check(journal_add(journal, output, &made, 7, output, &made) == STATUS_OK);
    journal_close(&journal);
    check(journal_open(place, "recipe", &journal) == STATUS_OK);
    check(is_done(journal));
    journal_close(&journal);
    place_release(&place);
    return 0;
}
