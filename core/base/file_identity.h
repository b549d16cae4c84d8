/* file_identity.h: which file is at a path, and in which state, to find out later whether it is still that one. */
#ifndef GLINT_CORE_BASE_FILE_IDENTITY_H
#define GLINT_CORE_BASE_FILE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A file as it was when it was looked at; all 0: none. */
typedef struct FileIdentity {
    dev_t device;
    ino_t inode;
    int64_t size, changed; /* bytes; ns since 1970, of its content */
} FileIdentity;

/* From the answer of stat() or lstat(). */
FileIdentity file_identity(const struct stat *info);
/* Whether both are the same file in the same state. */
bool file_identity_same(FileIdentity a, FileIdentity b);

#endif
