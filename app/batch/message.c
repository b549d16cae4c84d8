/* message.c: a message as bytes: its struct, then its texts, each with a zero byte behind it. */
#include "app/batch/message.h"

#include "app/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

bool message_send(const Message *message) {
    const char *const texts[MESSAGE_TEXTS] = {message->input, message->error, message->line, message->record};
    size_t size = sizeof *message;
    for (size_t i = 0; i < MESSAGE_TEXTS; i++)
        size += (texts[i] ? strlen(texts[i]) : 0) + 1;
    char *data = calloc(1, size), *at = data;
    if (!data)
        return false;
    memcpy(at, message, sizeof *message);
    at += sizeof *message;
    for (size_t i = 0; i < MESSAGE_TEXTS; i++)
        at = stpcpy(at, texts[i] ? texts[i] : "") + 1;
    cluster_send(data, size);
    free(data);
    return true;
}

bool message_read(char *data, size_t size, Message *message) {
    const char **const texts[MESSAGE_TEXTS] = {&message->input, &message->error, &message->line, &message->record};
    if (size < sizeof *message + MESSAGE_TEXTS)
        return false;
    memcpy(message, data, sizeof *message);
    data[size] = '\0';
    const char *at = data + sizeof *message;
    for (size_t i = 0; i < MESSAGE_TEXTS; i++) {
        *texts[i] = at;
        at += at < data + size ? strlen(at) + 1 : 0;
    }
    return true;
}
