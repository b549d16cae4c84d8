/* cache.c: one file a result, which gets its name when it is complete. */
#include "kernel/compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".kernel"

/* A file: this, the log, the bytes. */
typedef struct Header {
    char magic[16];
    uint64_t name, sum; /* of log and bytes */
    uint64_t log_size, size;
    char compiler[sizeof((KernelBinary *)0)->compiler];
} Header;

static const char magic[16] = "glint kernel 1\n";

CacheName cache_name_add(CacheName name, const void *data, size_t size) {
    const uint64_t parts[] = {name, size, bytes_hash((Bytes){(unsigned char *)data, size})};
    return bytes_hash((Bytes){(unsigned char *)parts, sizeof parts});
}

CacheName cache_name_add_text(CacheName name, const char *text) {
    return cache_name_add(name, text ? text : "", text ? strlen(text) : 0);
}

/* ---- the folder ---- */

/* Opens it, and makes it if asked. It belongs to the user alone, since shared objects in it are run. -1: none. */
static int open_folder(bool make) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = cache && cache[0] == '/';
    char path[PATH_MAX];
    struct stat info;
    if (!own && !(home && home[0] == '/'))
        return -1;
    const int base = snprintf(path, sizeof path, "%s%s", own ? cache : home, own ? "" : "/.cache");
    if (base >= (int)sizeof path - 32)
        return -1;
    for (const char *rest[] = {"", "/glint", "/glint/kernels"}, **at = rest; at < rest + 3; at++) {
        strcpy(path + base, *at);
        if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
            return -1;
    }
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & 022) == 0)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

static void file_name(CacheName name, char text[static 32]) {
    snprintf(text, 32, "%016" PRIx64 ENDING, name);
}

/* ---- reading ---- */

static bool read_all(int file, void *data, size_t size) {
    for (ssize_t got; size > 0; size -= (size_t)got, data = (char *)data + got)
        if ((got = read(file, data, size)) <= 0)
            return false;
    return true;
}

static uint64_t sum_of(const KernelBinary *binary) {
    return cache_name_add(cache_name_add_text(0, binary->log), binary->bytes.data, binary->bytes.size);
}

/* The texts get a zero behind. */
static bool read_result(int file, CacheName name, KernelBinary *binary) {
    Header header;
    struct stat info;
    if (!read_all(file, &header, sizeof header) || memcmp(header.magic, magic, sizeof magic) != 0 ||
        header.name != name || memchr(header.compiler, '\0', sizeof header.compiler) == NULL ||
        fstat(file, &info) != 0 || header.log_size > CACHE_BYTES || header.size > CACHE_BYTES ||
        (uint64_t)info.st_size != sizeof header + header.log_size + header.size)
        return false;
    binary->log = calloc(header.log_size + 1, 1);
    binary->bytes = (Bytes){calloc(header.size + 1, 1), header.size};
    memcpy(binary->compiler, header.compiler, sizeof header.compiler);
    return binary->log && binary->bytes.data && read_all(file, binary->log, header.log_size) &&
           read_all(file, binary->bytes.data, header.size) && sum_of(binary) == header.sum;
}

bool cache_find(CacheName name, KernelBinary *binary) {
    char text[32];
    const int folder = open_folder(false);
    file_name(name, text);
    const int file = folder >= 0 ? openat(folder, text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const bool found = file >= 0 && read_result(file, name, binary);
    if (found)
        (void)futimens(file, NULL); /* it was used */
    if (file >= 0) {
        close(file);
        if (!found) {
            free(binary->log);
            bytes_free(&binary->bytes);
            binary->log = NULL;
        }
    }
    if (folder >= 0)
        close(folder);
    return found;
}

/* ---- writing ---- */

typedef struct Kept {
    char name[32];
    struct timespec used;
    size_t size;
} Kept;

static int by_use(const void *a, const void *b) {
    const struct timespec x = ((const Kept *)a)->used, y = ((const Kept *)b)->used;
    return x.tv_sec != y.tv_sec ? (x.tv_sec > y.tv_sec) - (x.tv_sec < y.tv_sec)
                                : (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

/* The results in the folder, and files that a process left unfinished. */
static Kept *list_results(int folder, size_t *count) {
    const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = listed >= 0 ? fdopendir(listed) : NULL;
    Kept *list = NULL;
    if (!entries && listed >= 0)
        close(listed);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat info;
        if (!strstr(entry->d_name, ENDING) || strlen(entry->d_name) >= sizeof list->name ||
            fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        Kept *grown = realloc(list, (*count + 1) * sizeof *list);
        if (!grown)
            break;
        list = grown;
        list[*count] = (Kept){.used = info.st_mtim, .size = (size_t)info.st_size};
        memcpy(list[(*count)++].name, entry->d_name, strlen(entry->d_name) + 1);
    }
    if (entries)
        closedir(entries);
    return list;
}

/* Removes the results that were not used for the longest time, until a quarter of the room is free. */
static void make_room(int folder) {
    size_t count = 0, bytes = 0;
    Kept *list = list_results(folder, &count);
    for (size_t i = 0; i < count; i++)
        bytes += list[i].size;
    const bool full = bytes > CACHE_BYTES || count > CACHE_FILES;
    if (full)
        qsort(list, count, sizeof *list, by_use);
    for (size_t i = 0; full && (bytes > CACHE_BYTES / 4 * 3 || count - i > CACHE_FILES / 4 * 3); i++) {
        (void)unlinkat(folder, list[i].name, 0);
        bytes -= list[i].size;
    }
    free(list);
}

static bool write_all(int file, const void *data, size_t size) {
    for (ssize_t put; size > 0; size -= (size_t)put, data = (const char *)data + put)
        if ((put = write(file, data, size)) <= 0)
            return false;
    return true;
}

static bool write_result(int file, CacheName name, const KernelBinary *binary) {
    const size_t log_size = strlen(binary->log);
    Header header = {.name = name, .sum = sum_of(binary), .log_size = log_size, .size = binary->bytes.size};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.compiler, binary->compiler, sizeof header.compiler);
    return write_all(file, &header, sizeof header) && write_all(file, binary->log, log_size) &&
           write_all(file, binary->bytes.data, binary->bytes.size);
}

void cache_keep(CacheName name, const KernelBinary *binary) {
    char text[32], draft[64];
    const int folder = open_folder(true);
    if (folder < 0 || binary->bytes.size > CACHE_BYTES / 4) {
        if (folder >= 0)
            close(folder);
        return;
    }
    file_name(name, text);
    snprintf(draft, sizeof draft, "%" PRIx64 ENDING ".%d", name >> 40, (int)gettid());
    const int file = openat(folder, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool written = file >= 0 && write_result(file, name, binary);
    if (file >= 0 && (close(file) != 0 || !written || renameat(folder, draft, folder, text) != 0))
        (void)unlinkat(folder, draft, 0);
    make_room(folder);
    close(folder);
}
