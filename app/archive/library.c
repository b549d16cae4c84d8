/* library.c: libarchive, as glint calls it: the module glint-archive.so. */
#include "app/archive/library.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    member->changed = archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;
    return 0;
}

static ssize_t read_member(void *of, void *to, size_t size, char why[ARCHIVE_WHY]) {
    const la_ssize_t count = archive_read_data(of, to, size);
    return count >= 0 ? count : say_why(of, why);
}

static void close_archive(void *of) {
    archive_read_free(of);
}

/* ---- writing ---- */

typedef struct Writer {
    struct archive *archive;
    ArchiveTake *take;
    void *context;
    locale_t letters; /* of names: UTF-8, whatever the program's locale; or 0 */
} Writer;

static la_ssize_t pass_on(struct archive *archive, void *of, const void *data, size_t size) {
    const Writer *writer = of;
    (void)archive;
    return writer->take(writer->context, data, size) ? (la_ssize_t)size : -1;
}

/* Pictures are compressed as a rule: a zip stores them. A time in the header of gzip would make each run's file another
 * one. */
static bool set_up(struct archive *archive, const char *name) {
    static const struct {
        const char *ending;
        int (*add)(struct archive *);
    } filters[] = {{"gz", archive_write_add_filter_gzip},   {"tgz", archive_write_add_filter_gzip},
                   {"zst", archive_write_add_filter_zstd},  {"tzst", archive_write_add_filter_zstd},
                   {"xz", archive_write_add_filter_xz},     {"txz", archive_write_add_filter_xz},
                   {"bz2", archive_write_add_filter_bzip2}, {"tbz2", archive_write_add_filter_bzip2}};
    const char *ending = strrchr(name, '.') + 1;
    if (strcasecmp(ending, "zip") == 0)
        return archive_write_set_format_zip(archive) == ARCHIVE_OK &&
               archive_write_set_format_option(archive, "zip", "compression", "store") == ARCHIVE_OK;
    bool good = archive_write_set_format_pax_restricted(archive) == ARCHIVE_OK;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcasecmp(ending, filters[i].ending) == 0)
            good &= filters[i].add(archive) == ARCHIVE_OK;
    (void)archive_write_set_filter_option(archive, "gzip", "timestamp", NULL);
    return good;
}

static void drop_writer(void *of) {
    Writer *writer = of;
    archive_write_free(writer->archive);
    if (writer->letters)
        freelocale(writer->letters);
    free(writer);
}

static void *create(const char *name, ArchiveTake *take, void *context, char why[ARCHIVE_WHY]) {
    Writer *writer = calloc(1, sizeof *writer);
    if (writer)
        *writer = (Writer){archive_write_new(), take, context, newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0)};
    if (writer && writer->archive && set_up(writer->archive, name) &&
        archive_write_set_bytes_per_block(writer->archive, BLOCK) == ARCHIVE_OK &&
        archive_write_set_bytes_in_last_block(writer->archive, 1) == ARCHIVE_OK &&
        archive_write_open(writer->archive, writer, NULL, pass_on, NULL) == ARCHIVE_OK)
        return writer;
    snprintf(why, ARCHIVE_WHY, "%s",
             writer && writer->archive && archive_error_string(writer->archive) ? archive_error_string(writer->archive)
                                                                                : "no memory");
    if (writer)
        drop_writer(writer);
    return NULL;
}

static int add(void *of, const Member *member, const void *data, size_t size, char why[ARCHIVE_WHY]) {
    const Writer *writer = of;
    struct archive *archive = writer->archive;
    struct archive_entry *entry = archive_entry_new();
    if (!entry) {
        snprintf(why, ARCHIVE_WHY, "no memory");
        return -1;
    }
    archive_entry_set_pathname(entry, member->name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)size);
    archive_entry_set_mtime(entry, member->changed, 0);
    const locale_t before = writer->letters ? uselocale(writer->letters) : (locale_t)0;
    const int result = archive_write_header(archive, entry);
    if (before)
        uselocale(before);
    archive_entry_free(entry);
    if ((result != ARCHIVE_OK && result != ARCHIVE_WARN) ||
        (size > 0 && archive_write_data(archive, data, size) != (la_ssize_t)size))
        return say_why(archive, why);
    return 0;
}

static int finish(void *of, char why[ARCHIVE_WHY]) {
    struct archive *archive = ((Writer *)of)->archive;
    return archive_write_close(archive) == ARCHIVE_OK ? 0 : say_why(archive, why);
}

const ArchiveLibrary glint_archive = {
    open_archive, next, read_member, close_archive, create, add, finish, drop_writer,
};
