/* question.c: asking, and keys that answer. */
#include "app/view/actions/question.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void question_ask(Viewer *viewer, const Answer *answers, size_t count, const char *format, ...) {
    Question *question = &viewer->ui->question;
    va_list arguments;
    *question = (Question){.answers = answers, .count = count};
    va_start(arguments, format);
    vsnprintf(question->words, sizeof question->words, format, arguments);
    va_end(arguments);
}

bool question_open(const Viewer *viewer) {
    return viewer->ui->question.words[0] != '\0';
}

void question_drop(Viewer *viewer) {
    viewer->ui->question.words[0] = '\0';
}

Status question_answer(Viewer *viewer, size_t which) {
    const Answer *answer = &viewer->ui->question.answers[which];
    question_drop(viewer);
    return answer->give ? answer->give(viewer) : STATUS_OK;
}

static void mark(Question *question, size_t steps) {
    question->chosen = (question->chosen + steps) % question->count;
}

Status question_key(Viewer *viewer, const char *key) {
    Question *question = &viewer->ui->question;
    if (strcasecmp(key, "Esc") == 0)
        return question_answer(viewer, question->count - 1);
    if (strcasecmp(key, "Return") == 0 || strcasecmp(key, "Space") == 0)
        return question_answer(viewer, question->chosen);
    if (strcasecmp(key, "Right") == 0 || strcasecmp(key, "Down") == 0 || strcasecmp(key, "Tab") == 0)
        mark(question, 1);
    else if (strcasecmp(key, "Left") == 0 || strcasecmp(key, "Up") == 0)
        mark(question, question->count - 1);
    for (size_t i = 0; i < question->count; i++)
        if (key[1] == '\0' && toupper((unsigned char)key[0]) == question->answers[i].words[0])
            return question_answer(viewer, i);
    return STATUS_OK;
}
