/* library.h: the functions of libarchive that glint needs. The program knows libarchive by this table only. library.c,
 * which fills it in, is a module of its own (glint-archive.so), compiled where libarchive's development files are. It
 * is loaded when an archive is named: the program starts without libarchive. */
#ifndef GLINT_APP_ARCHIVE_LIBRARY_H
#define GLINT_APP_ARCHIVE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { ARCHIVE_WHY = 200 /* bytes of a reason */ };

typedef enum MemberKind { MEMBER_END, MEMBER_FILE, MEMBER_FOLDER, MEMBER_LINK, MEMBER_OTHER } MemberKind;

/* A member of an archive. */
typedef struct Member {
    MemberKind kind;
    const char *name; /* borrowed until the next member; NULL: it cannot be spelled */
    int64_t changed;  /* s since 1970; 0: not known */
} Member;

/* Takes the bytes of an archive that is written, in their order; false if it cannot. */
typedef bool ArchiveTake(void *context, const void *data, size_t size);

typedef struct ArchiveLibrary {
    /* Opens a tar, compressed or not, or a zip; NULL, and why. */
    void *(*open)(const char *path, char why[ARCHIVE_WHY]);
    /* Goes on to the next member, or to the end; -1, and why. */
    int (*next)(void *archive, Member *member, char why[ARCHIVE_WHY]);
    /* The next bytes of the member; 0 at its end; -1, and why. */
    ssize_t (*read)(void *archive, void *to, size_t size, char why[ARCHIVE_WHY]);
    void (*close)(void *archive);

    /* Begins an archive of the kind that its name ends in (archive_stem). NULL, and why. */
    void *(*create)(const char *name, ArchiveTake *take, void *context, char why[ARCHIVE_WHY]);
    /* Adds a regular file. -1, and why, here and below. */
    int (*add)(void *archive, const Member *member, const void *data, size_t size, char why[ARCHIVE_WHY]);
    int (*finish)(void *archive, char why[ARCHIVE_WHY]); /* writes what is behind the last member */
    void (*drop)(void *archive);                         /* frees it, finished or not */
} ArchiveLibrary;

extern const ArchiveLibrary glint_archive; /* of the module */

#endif
