/* preset.c: reading the two files of presets. */
#include "core/chain/preset.h"

#include "core/base/array.h"
#include "core/base/draft.h"
#include "core/base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHIPPED_FILE "assets/presets/chains.txt"

size_t preset_name_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '-' || text[length] == '_')
        length++;
    return length;
}

static char *skip_blanks(char *text) {
    return text + strspn(text, " \t");
}

static void trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
}

/* Cuts a comment off, which begins at a '#' behind a blank and outside quotes, and returns its text. */
static char *cut_comment(char *text) {
    bool quoted = false;
    for (char *at = text; *at; at++) {
        quoted ^= *at == '\'';
        if (*at == '#' && !quoted && at > text && strchr(" \t", at[-1])) {
            *at = '\0';
            trim(at + 1);
            return skip_blanks(at + 1);
        }
    }
    return text + strlen(text);
}

static Preset *find(const Presets *presets, const char *name, size_t length) {
    for (size_t i = 0; i < presets->count; i++)
        if (strlen(presets->list[i].name) == length && strncmp(presets->list[i].name, name, length) == 0)
            return &presets->list[i];
    return NULL;
}

static Status add(Presets *presets, Preset preset) {
    Preset *there = find(presets, preset.name, strlen(preset.name));
    if (there && there->own == preset.own)
        return fail(STATUS_USAGE, "%s:%d: there is a preset \"%s\" in line %d already", preset.file, preset.line,
                    preset.name, there->line);
    if (there) {
        *there = preset;
        return STATUS_OK;
    }
    if (!ARRAY_ROOM(presets->list, presets->capacity, presets->count + 1))
        return fail(STATUS_DEVICE, "no memory for presets");
    presets->list[presets->count++] = preset;
    return STATUS_OK;
}

/* `begin` is a whole line without its end, which is taken apart. */
static Status parse_line(Presets *presets, char *begin, Preset preset) {
    char *name = skip_blanks(begin);
    const size_t length = preset_name_length(name);
    trim(name);
    if (*name == '#' || *name == '\0')
        return STATUS_OK;
    char *colon = skip_blanks(name + length);
    char *chain = *colon == ':' ? skip_blanks(colon + 1) : colon;
    if (length == 0 || *colon != ':')
        return fail(STATUS_USAGE, "%s:%d: want NAME: CHAIN, the name of letters, digits, '-' and '_'", preset.file,
                    preset.line);
    preset.help = cut_comment(chain);
    trim(chain);
    if (*chain == '\0' || *chain == '#')
        return fail(STATUS_USAGE, "%s:%d: want a chain behind \"%.*s:\"", preset.file, preset.line, (int)length, name);
    name[length] = '\0';
    preset.name = name;
    preset.chain = chain;
    preset.column = (int)(chain - begin) + 1;
    return add(presets, preset);
}

static Status parse_text(Presets *presets, const char *text, const char *file, bool own) {
    char *line = presets->texts[own] = strdup(text);
    if (!line)
        return fail(STATUS_DEVICE, "no memory for presets");
    for (int number = 1; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        TRY(parse_line(presets, line, (Preset){.file = file, .line = number, .own = own}));
        line = end ? end + 1 : NULL;
    }
    return STATUS_OK;
}

Status presets_parse(const char *shipped, const char *own, const char *path, Presets **presets) {
    Presets *made = *presets = calloc(1, sizeof *made);
    if (!made || (path && !(made->path = strdup(path)))) {
        presets_destroy(presets);
        return fail(STATUS_DEVICE, "no memory for presets");
    }
    Status status = parse_text(made, shipped, SHIPPED_FILE, false);
    if (status == STATUS_OK && own)
        status = parse_text(made, own, made->path, true);
    if (status != STATUS_OK)
        presets_destroy(presets);
    return status;
}

char *presets_path(void) {
    return file_config_path("chains.txt");
}

/* Reads the text of the user's presets; *own is NULL where there is no such file. */
static Status read_own(const char *path, char **own) {
    *own = NULL;
    if (!path || access(path, F_OK) != 0)
        return STATUS_OK;
    const Status status = file_read_text(path, own);
    if (status != STATUS_OK && strncmp(status_message(), path, strlen(path)) != 0)
        return fail_within(status, "%s: ", path);
    return status;
}

Status presets_load(Presets **presets) {
    char *path = presets_path(), *own = NULL;
    *presets = NULL;
    Status status = read_own(path, &own);
    if (status == STATUS_OK)
        status = presets_parse(presets_shipped, own, path, presets);
    free(own);
    free(path);
    return status;
}

/* Where line `number` begins, counted from 1; its end if there are fewer. */
static const char *line_at(const char *text, int number) {
    for (; number > 1 && *text; number--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* The text with the preset in the place of `there`, whose sentence stays, or behind all if that is NULL. */
static Status write_own(const char *path, const char *text, const Preset *there, const char *name, const char *chain) {
    Draft *draft = NULL;
    bool taken;
    const char *at = there ? line_at(text, there->line) : text + strlen(text);
    const char *behind = there ? line_at(text, there->line + 1) : at;
    const bool says = there && there->help[0];
    const bool open = at > text && at[-1] != '\n'; /* the last line has no end */
    const char *const parts[] = {open ? "\n" : "",        name, ": ",  chain, says ? "   # " : "",
                                 says ? there->help : "", "\n", behind};
    TRY(draft_begin(NULL, path, true, &draft));
    Status status = draft_append(draft, text, (size_t)(at - text));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == STATUS_OK; i++)
        status = draft_append(draft, parts[i], strlen(parts[i]));
    if (status == STATUS_OK)
        return draft_finish(&draft, true, &taken);
    draft_drop(&draft);
    return status;
}

static Status save(const char *path, const char *own, const char *name, const char *chain) {
    Presets *presets;
    TRY(presets_parse(presets_shipped, own, path, &presets));
    const Preset *there = presets_find(presets, name, strlen(name));
    Status status = place_make_folders(NULL, path, 0700); /* as the XDG base directory specification has it */
    if (status == STATUS_OK)
        status = write_own(path, own ? own : "", there && there->own ? there : NULL, name, chain);
    presets_destroy(&presets);
    return status;
}

Status presets_save(const char *name, const char *chain) {
    char *own = NULL;
    if (!name[0] || name[preset_name_length(name)])
        return fail(STATUS_USAGE, "preset \"%s\": want a name of letters, digits, '-' and '_'", name);
    if (!chain[0] || strchr(chain, '\n'))
        return fail(STATUS_USAGE, "preset \"%s\": want a chain of one line, with a filter in it", name);
    char *path = presets_path();
    if (!path)
        return fail(STATUS_DEVICE, "preset \"%s\": neither XDG_CONFIG_HOME nor HOME says where it shall be", name);
    Status status = read_own(path, &own);
    if (status == STATUS_OK)
        status = save(path, own, name, chain);
    free(own);
    free(path);
    return status;
}

void presets_destroy(Presets **presets) {
    if (!*presets)
        return;
    free((*presets)->texts[0]);
    free((*presets)->texts[1]);
    free((*presets)->path);
    free((*presets)->list);
    free(*presets);
    *presets = NULL;
}

const Preset *presets_find(const Presets *presets, const char *name, size_t length) {
    return find(presets, name, length);
}
