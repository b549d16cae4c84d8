/* choosing.h: choices that the arguments of several actions share (Argument.choose). */
#ifndef GLINT_APP_VIEW_ACTIONS_MENUS_CHOOSING_H
#define GLINT_APP_VIEW_ACTIONS_MENUS_CHOOSING_H

#include "app/view/actions/action.h"

/* A constant text as a member of a Choice; choices_add copies it. */
char *choice_borrows(const char *text);
/* Adds `choice` with this name as its text and label. */
Status choose_word(Choices *choices, const char *name, Choice choice);
/* The filter or preset that is typed last, as far as its name goes; behind that its parameters. */
Status choose_link(const Viewer *viewer, const char *text, Choices *choices);
/* The parameters of the selected filter, and the words that one may have. */
Status choose_value(const Viewer *viewer, const char *text, Choices *choices);
/* The parameters of a table, behind those that are typed. */
Status choose_params(ParamTable table, const char *text, Choices *choices);
Status choose_folder(const Viewer *viewer, const char *text, Choices *choices);

/* A file next to the shown picture or scene: its name without changes and extension, and this ending; returns the
 * length as snprintf does. */
size_t format_beside(const Viewer *viewer, const char *ending, char *buffer, size_t size);

#endif
