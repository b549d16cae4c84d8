/* replacing.c: asking before a file is replaced. */
#include "app/view/actions/menus/replacing.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/question.h"
#include "app/view/data/film.h"
#include "app/view/session/paths.h"
#include "core/base/ledger.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBERS_MAX = 999 };

/* Carries the action out soon: a button is pressed while panels are built. */
static Status replace(Viewer *viewer) {
    Interface *ui = viewer->ui;
    memcpy(ui->may_replace, ui->doubtful, sizeof ui->may_replace);
    action_ask(viewer, ui->doubtful_for, ui->doubtful);
    return STATUS_OK;
}

/* "a-1.png" of "a.png", and "films-1/" of "films/", or the next number that is free. */
static void find_free(const char *text, char name[ENTRY_MAX]) {
    char path[PATH_CAPACITY];
    const char *end = text + strlen(text);
    const char *folder = end > text && end[-1] == '/' ? end - 1 : NULL, *slash = strrchr(text, '/');
    const char *dot = folder ? folder : strrchr(slash ? slash : text, '.');
    const int stem = dot ? (int)(dot - text) : (int)strlen(text);
    for (int number = 1; number <= NUMBERS_MAX; number++) {
        snprintf(name, ENTRY_MAX, "%.*s-%d%s", stem, text, number, dot ? dot : "");
        if (access(path_expand(name, path, sizeof path), F_OK) != 0)
            return;
    }
}

/* The box again, with a name that is free. */
static Status rename_it(Viewer *viewer) {
    char name[ENTRY_MAX];
    find_free(viewer->ui->doubtful, name);
    viewer_begin_entry(viewer, viewer->ui->doubtful_for);
    viewer_set_entry(viewer, name);
    return STATUS_OK;
}

static bool is_allowed(const Viewer *viewer, const char *text) {
    return viewer->overwrite || strcmp(viewer->ui->may_replace, text) == 0;
}

bool replacing_may(Viewer *viewer, const char *text) {
    const bool may = is_allowed(viewer, text);
    viewer->ui->may_replace[0] = '\0';
    return may;
}

/* Files that are open are not asked about: nothing replaces them. */
bool replacing_doubts(Viewer *viewer, const Action *action, const char *text) {
    static const Answer answers[] = {{"Rename", rename_it}, {"Replace", replace}, {"Cancel", NULL}};
    char path[PATH_CAPACITY];
    struct stat info;
    Interface *ui = viewer->ui;
    path_expand(text, path, sizeof path);
    const size_t length = strlen(path);
    if (length > 0 && path[length - 1] == '/')
        snprintf(path + length, sizeof path - length, FILM_FRAME, 1U);
    const bool there = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    if (!there || is_allowed(viewer, text) || strlen(text) >= sizeof ui->doubtful ||
        ledger_check(&info, "the result") != STATUS_OK)
        return false;
    const char *slash = strrchr(path, '/');
    snprintf(ui->doubtful, sizeof ui->doubtful, "%s", text);
    ui->may_replace[0] = '\0';
    ui->doubtful_for = action;
    question_ask(viewer, answers, sizeof answers / sizeof answers[0], "“%.200s” already exists.",
                 slash ? slash + 1 : path);
    return true;
}
