/* rewrite.c: small files that are written again and again. */
#include "core/base/rewrite.h"

#include "core/base/draft.h"
#include "core/base/ledger.h"

#include <stdlib.h>
#include <string.h>

struct Rewrite {
    Draft *draft;
    FileIdentity *own;  /* or NULL */
    struct stat before; /* the file that is replaced, */
    bool replaces;      /* if there is one */
    char path[];
};

static FileIdentity look(const char *path, struct stat *info) {
    return stat(path, info) == 0 ? file_identity(info) : (FileIdentity){0};
}

static Status draft_text(Rewrite *rewrite, const char *text) {
    TRY(place_make_folders(NULL, rewrite->path, 0700)); /* as the XDG base directory specification has it */
    TRY(draft_begin(NULL, rewrite->path, true, &rewrite->draft));
    const Status status = draft_append(rewrite->draft, text, strlen(text));
    if (status != STATUS_OK)
        draft_drop(&rewrite->draft);
    return status;
}

Status rewrite_begin(const char *path, const char *text, FileIdentity *own, Rewrite **rewrite) {
    struct stat info;
    const FileIdentity there = look(path, &info);
    *rewrite = NULL;
    if (own && there.inode > 0 && !file_identity_same(there, *own))
        return fail(STATUS_INPUT, "%s: another program has written it: it stays as it is", path);
    Rewrite *made = calloc(1, sizeof *made + strlen(path) + 1);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to write it", path);
    made->own = own;
    made->before = info;
    made->replaces = there.inode > 0;
    memcpy(made->path, path, strlen(path) + 1);
    const Status status = draft_text(made, text);
    if (status == STATUS_OK)
        *rewrite = made;
    else
        free(made);
    return status;
}

typedef struct Finishing {
    Rewrite *const *list;
    void (*done)(void *context, size_t index, Status status);
    void *context;
} Finishing;

static void named(void *context, size_t index, Status status) {
    const Finishing *finishing = context;
    const Rewrite *rewrite = finishing->list[index];
    struct stat after;
    if (status == STATUS_OK && rewrite->replaces)
        ledger_forget(&rewrite->before);
    if (status == STATUS_OK && rewrite->own)
        *rewrite->own = look(rewrite->path, &after);
    finishing->done(finishing->context, index, status);
}

void rewrite_finish_all(Rewrite *const list[], size_t count, void (*done)(void *context, size_t index, Status status),
                        void *context) {
    Draft *drafts[DRAFTS_MAX];
    _Static_assert((int)REWRITES_MAX == (int)DRAFTS_MAX, "all at once");
    Finishing finishing = {list, done, context};
    for (size_t i = 0; i < count; i++)
        drafts[i] = list[i]->draft;
    draft_finish_all(drafts, count, named, &finishing);
    for (size_t i = 0; i < count; i++)
        free(list[i]);
}

static void note_status(void *context, size_t index, Status status) {
    (void)index;
    *(Status *)context = status;
}

Status rewrite_text(const char *path, const char *text, FileIdentity *own) {
    Rewrite *rewrite;
    Status status;
    TRY(rewrite_begin(path, text, own, &rewrite));
    rewrite_finish_all(&rewrite, 1, note_status, &status);
    return status;
}
