/* paths.h: files of a folder, as choices for a path that is typed. */
#ifndef GLINT_APP_VIEW_SESSION_PATHS_H
#define GLINT_APP_VIEW_SESSION_PATHS_H

#include "app/view/data/choices.h"

typedef enum Paths { PATHS_ALL, PATHS_PICTURES, PATHS_CUBES, PATHS_SCENES, PATHS_FOLDERS, PATHS_KERNELS } Paths;

/* Adds the entries of the folder that `text` has come to. Folders come first, then files that can be opened, and hidden
 * ones if their dot is typed. A folder that cannot be read has no entries. Leaves choices sorted. */
Status paths_choose(const char *text, Paths which, Choices *choices);
/* "~/a" with the home folder; other texts as they are. Returns `buffer`. */
const char *path_expand(const char *text, char *buffer, size_t size);
/* The whole path as people read it: "~/a.png" in the home folder. Returns `buffer`. */
const char *path_told(const char *path, char *buffer, size_t size);
/* A name without its middle, of which at most `keep` bytes are left, and none of a character in part. Returns `buffer`.
 */
const char *path_cut_middle(const char *name, size_t keep, char *buffer, size_t size);
/* The photograph that comes with glint, next to where the program is; false if it is not there. */
bool path_of_photograph(char *buffer, size_t size);

#endif
