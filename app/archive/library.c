/* library.c: libarchive, as glint calls it: the module glint-archive.so. */
#include "app/archive/library.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 18 /* bytes of a read */ };

static void *refuse(struct archive *archive, char why[ARCHIVE_WHY]) {
    const char *said = archive ? archive_error_string(archive) : "no memory";
    snprintf(why, ARCHIVE_WHY, "%s", said ? said : "cannot be read");
    archive_read_free(archive);
    return NULL;
}

/* A compression that only another program could undo is refused: libarchive would run it. */
static void *open_archive(const char *path, char why[ARCHIVE_WHY]) {
    int (*const filters[])(struct archive *) = {archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
                                                archive_read_support_filter_xz, archive_read_support_filter_zstd};
    struct archive *archive = archive_read_new();
    if (!archive || archive_read_support_format_tar(archive) != ARCHIVE_OK ||
        archive_read_support_format_zip(archive) != ARCHIVE_OK)
        return refuse(archive, why);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i](archive) != ARCHIVE_OK) {
            snprintf(why, ARCHIVE_WHY, "libarchive was built without a compression of tar files");
            archive_read_free(archive);
            return NULL;
        }
    return archive_read_open_filename(archive, path, BLOCK) == ARCHIVE_OK ? archive : refuse(archive, why);
}

static int say_why(struct archive *archive, char why[ARCHIVE_WHY]) {
    const char *said = archive_error_string(archive);
    snprintf(why, ARCHIVE_WHY, "%s", said ? said : "damaged");
    return -1;
}

static int next(void *of, Member *member, char why[ARCHIVE_WHY]) {
    struct archive_entry *entry;
    const int result = archive_read_next_header(of, &entry);
    *member = (Member){.kind = MEMBER_END};
    if (result == ARCHIVE_EOF)
        return 0;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
        return say_why(of, why);
    const __LA_MODE_T type = archive_entry_filetype(entry);
    member->kind = archive_entry_hardlink(entry) || type == AE_IFLNK ? MEMBER_LINK
                   : type == AE_IFREG                                ? MEMBER_FILE
                   : type == AE_IFDIR                                ? MEMBER_FOLDER
                                                                     : MEMBER_OTHER;
    member->name = archive_entry_pathname(entry);
    if (!member->name) /* this locale has no letters for it */
        member->name = archive_entry_pathname_utf8(entry);
    return 0;
}

static ssize_t read_member(void *of, void *to, size_t size, char why[ARCHIVE_WHY]) {
    const la_ssize_t count = archive_read_data(of, to, size);
    return count >= 0 ? count : say_why(of, why);
}

static void close_archive(void *of) {
    archive_read_free(of);
}

const ArchiveLibrary glint_archive = {open_archive, next, read_member, close_archive};
