/* ledger.c: two search trees: files by device and inode, outputs by folder and name. */
#include "core/base/ledger.h"

#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that exists, or did when it was recorded. */
typedef struct File {
    dev_t device;
    ino_t inode;
    char *input;        /* its name, if it is read; else NULL */
    size_t claims;      /* outputs under way that replace it */
    const char *writer; /* of the last one */
} File;

struct LedgerClaim {
    dev_t device; /* of the deepest folder that exists */
    ino_t inode;
    char *below; /* the name in it, and the folders above that are yet to be made */
    char *writer;
    bool under_way;
    File *replaced; /* or NULL */
};

/* The process's one ledger; see ledger.h. */
static struct {
    pthread_mutex_t lock;
    void *files, *claims, *folders; /* trees of tsearch */
} ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int by_number(dev_t a_device, ino_t a_inode, dev_t b_device, ino_t b_inode) {
    return a_device != b_device ? (a_device > b_device) - (a_device < b_device)
                                : (a_inode > b_inode) - (a_inode < b_inode);
}

static int by_file(const void *a, const void *b) {
    const File *x = a, *y = b;
    return by_number(x->device, x->inode, y->device, y->inode);
}

static int by_place(const void *a, const void *b) {
    const LedgerClaim *x = a, *y = b;
    const int order = by_number(x->device, x->inode, y->device, y->inode);
    return order ? order : strcmp(x->below, y->below);
}

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the list of files");
}

static void claim_free(LedgerClaim *claim) {
    if (claim) {
        free(claim->below);
        free(claim->writer);
    }
    free(claim);
}

static Status is_input(const char *input, const char *writer) {
    return fail(STATUS_USAGE, "%s is an input and would be written to (by %s); choose another output", input, writer);
}

static const File *find_file(const struct stat *info) {
    const File wanted = {.device = info->st_dev, .inode = info->st_ino};
    File **found = tfind(&wanted, &ledger.files, by_file);
    return found ? *found : NULL;
}

/* The record of a file or folder, made if there is none, and then *is_new; NULL without memory. */
static File *file_in(void **tree, const struct stat *info, bool *is_new) {
    File *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->device = info->st_dev;
    made->inode = info->st_ino;
    File **found = tsearch(made, tree, by_file), *file = found ? *found : NULL;
    *is_new = file == made;
    if (!*is_new)
        free(made);
    return file;
}

/* ---- inputs ---- */

Status ledger_read_open(const struct stat *info, const char *path) {
    if (!S_ISREG(info->st_mode))
        return STATUS_OK;
    bool is_new;
    pthread_mutex_lock(&ledger.lock);
    Status status = STATUS_OK;
    File *file = file_in(&ledger.files, info, &is_new);
    char *name = file ? strdup(path) : NULL;
    if (name) { /* the last one that it was read by: inodes are used again */
        free(file->input);
        file->input = name;
    }
    if (!name)
        status = no_memory();
    else if (file->claims > 0)
        status = is_input(path, file->writer);
    pthread_mutex_unlock(&ledger.lock);
    return status;
}

Status ledger_read(const char *path) {
    struct stat info;
    if (strcmp(path, "-") == 0)
        return fstat(STDIN_FILENO, &info) == 0 ? ledger_read_open(&info, "standard input") : STATUS_OK;
    return stat(path, &info) == 0 ? ledger_read_open(&info, path) : STATUS_OK;
}

void ledger_forget(const struct stat *info) {
    const File wanted = {.device = info->st_dev, .inode = info->st_ino};
    pthread_mutex_lock(&ledger.lock);
    File **found = info->st_nlink == 1 ? tfind(&wanted, &ledger.files, by_file) : NULL;
    if (found) {
        free((*found)->input);
        (*found)->input = NULL;
    }
    pthread_mutex_unlock(&ledger.lock);
}

/* ---- places ---- */

/* Takes "", "." and ".." out of a path through folders that do not exist, in place. Returns how many ".." lead out of
 * it. */
static size_t normalize(char *path) {
    char *to = path;
    size_t out = 0;
    for (const char *from = path; *from;) {
        const size_t length = strcspn(from, "/");
        const char *next = from + length + (from[length] == '/');
        if (length == 2 && from[0] == '.' && from[1] == '.') {
            out += to == path;
            while (to > path && *--to != '/')
                continue;
        } else if (length > 0 && !(length == 1 && from[0] == '.')) {
            to += to > path;
            if (to > path)
                to[-1] = '/';
            memmove(to, from, length);
            to += length;
        }
        from = next;
    }
    *to = '\0';
    return out;
}

/* The length of the folder above the first `length` letters, with the slash behind it; 0: the working folder. */
static size_t folder_length(const char *path, size_t length) {
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

/* The deepest folder above `path` that exists, cut off from *below, the rest of the path. */
static bool find_folder(char *path, struct stat *info, char **below) {
    for (size_t length = folder_length(path, strlen(path)); true; length = folder_length(path, length)) {
        char *name = strdup(path + length), cut = path[length];
        if (!name)
            return false;
        path[length] = '\0';
        if (stat(length > 0 ? path : ".", info) == 0 && S_ISDIR(info->st_mode)) {
            *below = name;
            return true;
        }
        free(name);
        path[length] = cut;
        if (length == 0)
            return false;
    }
}

/* The absolute path of the file that `path` names, links followed, be it there or not. Folders that are yet to be made
 * are taken as they are spelled, and "new/.." is where "new" will be. NULL without memory, or without a working
 * folder. */
static char *resolve(const char *path) {
    char *whole = realpath(path, NULL);
    if (whole)
        return whole;
    struct stat info;
    char *cut = strdup(path), *below = NULL, *joined = NULL;
    char *folder = cut && find_folder(cut, &info, &below) ? realpath(cut[0] ? cut : ".", NULL) : NULL;
    for (size_t up = folder ? normalize(below) : 0; up > 0; up--)
        if (strrchr(folder, '/'))
            *strrchr(folder, '/') = '\0';
    if (folder && asprintf(&joined, "%s/%s", folder, below) < 0)
        joined = NULL;
    free(cut);
    free(below);
    free(folder);
    whole = joined ? realpath(joined, NULL) : NULL;
    if (whole)
        free(joined);
    return whole ? whole : joined;
}

/* The deepest folder of `resolved` that exists, and the name below it. */
static bool find_place(const char *resolved, LedgerClaim *claim) {
    struct stat info = {0};
    char *cut = strdup(resolved);
    bool found = cut != NULL;
    if (strcmp(resolved, "-") == 0) /* standard output: no folder has the number 0 */
        claim->below = strdup("-");
    else
        found = found && find_folder(cut, &info, &claim->below);
    free(cut);
    claim->device = info.st_dev;
    claim->inode = info.st_ino;
    return found && claim->below;
}

/* ---- outputs ---- */

static Status check_input(const struct stat *info, const char *writer) {
    const File *file = find_file(info);
    return file && file->input ? is_input(file->input, writer) : STATUS_OK;
}

/* Puts `made` into the tree, or takes up again the claim that the writer had released; *claim is the one that counts.
 * The caller holds the lock. */
static Status enter_claim(const char *path, const char *resolved, LedgerClaim *made, LedgerClaim **claim) {
    struct stat info;
    const bool exists = strcmp(path, "-") != 0 && stat(resolved, &info) == 0 && S_ISREG(info.st_mode);
    if (exists)
        TRY(check_input(&info, made->writer));
    LedgerClaim **found = tsearch(made, &ledger.claims, by_place);
    if (!found)
        return no_memory();
    *claim = *found;
    if (*found != made && ((*found)->under_way || strcmp((*found)->writer, made->writer) != 0))
        return fail(STATUS_USAGE, "%s and %s would both write %s", (*found)->writer, made->writer,
                    strcmp(path, "-") == 0 ? "standard output" : path);
    bool is_new;
    File *replaced = exists ? file_in(&ledger.files, &info, &is_new) : NULL;
    if (exists && !replaced)
        return no_memory();
    (*found)->under_way = true;
    (*found)->replaced = replaced;
    if (replaced) {
        replaced->claims++;
        replaced->writer = (*found)->writer;
    }
    return STATUS_OK;
}

Status ledger_claim(const char *path, const char *writer, LedgerClaim **claim) {
    if (claim)
        *claim = NULL;
    LedgerClaim *made = calloc(1, sizeof *made), *entered = NULL;
    char *resolved = strcmp(path, "-") == 0 ? strdup(path) : resolve(path);
    Status status = STATUS_OK;
    if (made)
        made->writer = strdup(writer);
    if (!made || !made->writer || !resolved || !find_place(resolved, made))
        status = fail(STATUS_DEVICE, "%s: its place cannot be found: %m", path);
    if (status == STATUS_OK) {
        pthread_mutex_lock(&ledger.lock);
        status = enter_claim(path, resolved, made, &entered);
        pthread_mutex_unlock(&ledger.lock);
    }
    free(resolved);
    if (entered != made)
        claim_free(made);
    if (status == STATUS_OK && claim)
        *claim = entered;
    return status;
}

Status ledger_check(const struct stat *info, const char *writer) {
    pthread_mutex_lock(&ledger.lock);
    const Status status = check_input(info, writer);
    pthread_mutex_unlock(&ledger.lock);
    return status;
}

void ledger_release(LedgerClaim **claim) {
    LedgerClaim *released = *claim;
    *claim = NULL;
    if (!released)
        return;
    pthread_mutex_lock(&ledger.lock);
    released->under_way = false;
    if (released->replaced)
        released->replaced->claims--;
    released->replaced = NULL;
    pthread_mutex_unlock(&ledger.lock);
}

/* ---- folders ---- */

bool ledger_enter(const struct stat *folder) {
    bool is_new = false;
    pthread_mutex_lock(&ledger.lock);
    (void)file_in(&ledger.folders, folder, &is_new);
    pthread_mutex_unlock(&ledger.lock);
    return is_new;
}
