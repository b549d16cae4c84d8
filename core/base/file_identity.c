/* file_identity.c: files by their inodes, sizes and times. */
#include "core/base/file_identity.h"

FileIdentity file_identity(const struct stat *info) {
    return (FileIdentity){info->st_dev, info->st_ino, info->st_size,
                          (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec};
}

bool file_identity_same(FileIdentity a, FileIdentity b) {
    return a.device == b.device && a.inode == b.inode && a.size == b.size && a.changed == b.changed;
}
