/* recorded_levels.c: the levels in the text of a recorded ladder. */
#include "app/view/data/recorded.h"

#include <stdio.h>
#include <string.h>

const char *recorded_job(char *buffer, size_t size) {
    const char *job = strstr(recorded_ladder, "convolve,"), *device = job ? strstr(job, "cuda: ") : NULL;
    buffer[0] = '\0';
    if (device)
        snprintf(buffer, size, "%.*s\n%.*s", (int)strcspn(job, "\n"), job, (int)strcspn(device + 6, ",\n"), device + 6);
    return buffer;
}

size_t recorded_levels(RecordedLevel *levels, size_t max) {
    size_t count = 0;
    for (const char *line = recorded_ladder; *line && count < max; line += strspn(line, "\n")) {
        RecordedLevel *level = &levels[count];
        const size_t length = strcspn(line, "\n");
        if (sscanf(line, "%23s %lf %*f %*f %*f %*f %lf", level->name, &level->ms, &level->copies) == 3)
            count++;
        line += length;
    }
    return count;
}
