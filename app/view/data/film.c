/* film.c: the extensions of recordings. */
#include "app/view/data/film.h"

#include "app/view/data/file_list.h"

#include <string.h>
#include <strings.h>

static const char *const extensions[FILM_KINDS] = {
    [FILM_FOLDER] = "/",
    [FILM_APNG] = "apng png",
    [FILM_FFMPEG] = "mp4 mkv mov webm avi gif",
};

FilmKind film_kind(const char *path) {
    const size_t length = strlen(path);
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const char *extension = length > 0 && path[length - 1] == '/' ? "/" : dot && dot > slash ? dot + 1 : "";
    for (int i = 0; i < FILM_KINDS; i++)
        for (const char *at = extensions[i]; *at; at += strspn(at, " ")) {
            const size_t size = strcspn(at, " ");
            if (strlen(extension) == size && strncasecmp(at, extension, size) == 0)
                return (FilmKind)i;
            at += size;
        }
    return FILM_KINDS;
}

Status film_check(const char *path) {
    return film_kind(path) != FILM_KINDS && strlen(path) < PATH_CAPACITY
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "recording \"%s\", want a FOLDER/ for PNG files, or a file: .apng, or .mp4, .mkv, .mov, .webm, "
                      ".avi, .gif by ffmpeg",
                      path);
}
