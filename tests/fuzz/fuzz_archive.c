/* fuzz_archive.c: libFuzzer's entry into archives. Whatever the bytes are, each member is read, or the archive is
 * refused with a reason. The names of members that may be written lead into the archive, and stay as they are when read
 * again. */
#include "app/archive/archive.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMBERS = 200, BYTES_MAX = 1 << 20 };

static int file;
static char path[64];

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    file = memfd_create("archive", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return file < 0;
}

static void check_name(const Member *member) {
    if (archive_refuses(member))
        return;
    char *once = archive_member_path("1.tar", member->name);
    char *twice = once ? archive_member_path("1.tar", once + strlen("1.tar")) : NULL;
    check(once && twice && strcmp(once, twice) == 0);
    check(strncmp(once, "1.tar", strlen("1.tar")) == 0 && !strstr(once, "//") && !strstr(once, "/./"));
    check(!strstr(once, "/../") && (strlen(once) < 3 || strcmp(once + strlen(once) - 3, "/..") != 0));
    free(once);
    free(twice);
}

static void check_failure(Status status) {
    check(status == STATUS_INPUT && strlen(status_message()) > 0);
}

static void read_member(Archive *archive) {
    Bytes bytes;
    const Status status = archive_read(archive, BYTES_MAX, &bytes);
    check(bytes.size <= BYTES_MAX && (status == STATUS_OK || !bytes.data));
    if (status != STATUS_OK)
        check_failure(status);
    bytes_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Archive *archive;
    check(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    Status status = archive_open(path, &archive);
    if (status == STATUS_DEVICE) /* built without libarchive */
        return 0;
    Member member = {.kind = MEMBER_FILE};
    for (int i = 0; status == STATUS_OK && i < MEMBERS && member.kind != MEMBER_END; i++) {
        status = archive_next(archive, &member);
        if (status != STATUS_OK || member.kind == MEMBER_END)
            continue;
        check_name(&member);
        if (member.kind == MEMBER_FILE && i % 2 == 0) /* of others the bytes are passed over */
            read_member(archive);
    }
    if (status != STATUS_OK)
        check_failure(status);
    archive_close(&archive);
    return 0;
}
