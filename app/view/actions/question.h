/* question.h: a question over the window, and its answers.
 * People alone are asked: scripts are not. */
#ifndef GLINT_APP_VIEW_ACTIONS_QUESTION_H
#define GLINT_APP_VIEW_ACTIONS_QUESTION_H

#include "app/view/session/viewer.h"

/* Asks, in place of the question before. `answers` are static, the last of them changes nothing. Return gives the
 * first one, unless arrows mark another. */
__attribute__((format(printf, 4, 5))) void question_ask(Viewer *viewer, const Answer *answers, size_t count,
                                                        const char *format, ...);
bool question_open(const Viewer *viewer);
void question_drop(Viewer *viewer);
/* Closes the question with one of its answers. Fails as that does. */
Status question_answer(Viewer *viewer, size_t which);
/* Return and Space give the marked answer, Esc the last one, a letter the one that begins with it. Tab and arrows mark
 * another. Others do nothing. */
Status question_key(Viewer *viewer, const char *key);

#endif
