/* preset.h: chains with a name, which any chain may use as @NAME.
 * Owns reading them from text: a line is "NAME: CHAIN", with a sentence behind " #"; '#' also begins lines that are
 * comments. Some are shipped (assets/presets/chains.txt, a part of the program); the user's own replace those of the
 * same name. */
#ifndef GLINT_CORE_CHAIN_PRESET_H
#define GLINT_CORE_CHAIN_PRESET_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Preset {
    const char *name, *chain, *help; /* help: a sentence, or "" */
    const char *file;                /* where it stands, for messages */
    int line, column;                /* of the chain's first character */
    bool own;                        /* the user's */
} Preset;

typedef struct Presets {
    size_t count, capacity;
    Preset *list;   /* the shipped ones, then the user's others */
    char *texts[2]; /* the names are parts of these */
    char *path;     /* the user's file, or NULL */
} Presets;

extern const char presets_shipped[]; /* the text of assets/presets/chains.txt */

/* Loads the shipped presets and the user's, of $XDG_CONFIG_HOME/glint/chains.txt or ~/.config/glint/chains.txt if it is
 * there. Chains are not checked. STATUS_USAGE: "FILE:LINE: want NAME: CHAIN"; STATUS_INPUT if the file cannot be
 * read. */
Status presets_load(Presets **presets);
/* The shipped ones' text and the user's, which may be NULL; else as presets_load. */
Status presets_parse(const char *shipped, const char *own, const char *path, Presets **presets);
void presets_destroy(Presets **presets);
const Preset *presets_find(const Presets *presets, const char *name, size_t length); /* NULL if there is none */
/* How many letters of the text are a name's: letters, digits, '-', '_'. */
size_t preset_name_length(const char *text);
/* Writes a chain under this name into the user's file. It takes the place of the preset that has the name there, whose
 * sentence stays, or goes behind all others. STATUS_USAGE for a name with other characters than names have, and for a
 * chain with a line's end. STATUS_USAGE also if the file has a line that is no preset. STATUS_USAGE for a name with
 * other characters than names have, and for a chain with a line's end. STATUS_USAGE also if the file has a line that is
 * no preset. STATUS_INPUT if the file cannot be read. STATUS_DEVICE if it cannot be written, or there is no place for
 * it. */
Status presets_save(const char *name, const char *chain);
/* The path of the user's file, whether or not it is there: NULL without an absolute path. Free with free. */
char *presets_path(void);

#endif
