/* dispatch.h: from keys, menus and lines of scripts to actions. */
#ifndef GLINT_APP_VIEW_ACTIONS_DISPATCH_H
#define GLINT_APP_VIEW_ACTIONS_DISPATCH_H

#include "app/view/actions/action.h"

/* The row's label, or "next level": the name as people read it. Returns `buffer`. */
const char *action_label(const Action *action, char *buffer, size_t size);
bool action_is_here(const Viewer *viewer, const Action *action);
/* Whether it is for the window's mode: menus and the page of keys have it, and its keys work. */
bool action_is_of_mode(const Viewer *viewer, const Action *action);
/* Whether it would do something now; else menus show it gray. */
bool action_can(const Viewer *viewer, const Action *action);
/* Its keys now, separated by blanks; "" for none. */
const char *action_keys(const Viewer *viewer, const Action *action);
/* The action's keys that work in the picture or scene that is shown now, as readers know them (key_shown); returns
 * `buffer`. */
enum { ACTION_KEYS = 48 };
const char *action_keys_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]);
/* The first of them. */
const char *action_key_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]);
/* The key that gives the action this text now, or "". Returns `buffer`. */
const char *action_key_of_text(const Viewer *viewer, const Action *action, const char *text, char buffer[ACTION_KEYS]);
/* The action of a key now, or NULL. An action of both modes leaves its key to one of Speed alone, as levels are. An
 * action of ANYWHERE leaves it to one of pictures alone, or of scenes alone, as walking is. */
const Action *action_for_key(const Viewer *viewer, const char *key);
/* Whether menus have a tick at it now. */
bool action_is_on(const Viewer *viewer, const Action *action);
/* Carries the action out. Every action goes this way. */
Status action_run(Viewer *viewer, const Action *action, Call call);
/* The same for hands: where the action has doubts, a question takes its place. */
Status action_by_hand(Viewer *viewer, const Action *action, Call call);
/* Whether the key may do anything now. */
bool action_knows_key(const Viewer *viewer, const char *key);
/* Whether letting go of the key ends something. */
bool action_lets_go(const Viewer *viewer, const char *key);
/* Gives the key to the first receiver that is there. Receivers are, in this order: a question, the box that is typed
 * in, an open menu, a page, the slider that was clicked, the action. A key that is let go ends the action that it
 * held. STATUS_USAGE for a key that does nothing here. */
Status action_press(Viewer *viewer, const char *key, bool pressed);
/* Carries out a line of a script: the name and, behind blanks, the argument. STATUS_USAGE if there is no such action,
 * or `strict` and it wants an argument that is not there. */
Status action_command(Viewer *viewer, const char *line, bool strict);
/* Opens paths and files' URLs, separated by characters of `between`; the first picture of them that can be used is
 * shown. */
Status action_open_list(Viewer *viewer, const char *list, const char *between);
/* Opens paths or files' URLs that another program has copied, a line each, or puts the first line into the one that is
 * typed. */
Status action_paste(Viewer *viewer, const char *text);
/* Has the window carry the action out soon, after all that was asked for before; returns at once. `text` may be
 * NULL. */
void action_ask(Viewer *viewer, const Action *action, const char *text);
void action_ask_line(Viewer *viewer, const char *line); /* as scripts have it */
/* Carries out the first of the lines that were asked for. */
Status action_do_asked(Viewer *viewer);

#endif
