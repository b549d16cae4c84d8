/* listen.c: Unix sockets and ports of the loopback interface. */
#include "app/serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAITING_MAX = 128 /* connections that nobody has accepted yet */ };

/* A socket that its server has left refuses connections. */
static Status remove_left(const char *path, const struct sockaddr_un *address) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return STATUS_OK;
    if (!S_ISSOCK(info.st_mode))
        return fail(STATUS_USAGE, "--socket %s: something else is there; want a path that is free", path);
    const int tried = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool left =
        tried >= 0 && connect(tried, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
    if (tried >= 0)
        close(tried);
    if (!left)
        return fail(STATUS_USAGE, "--socket %s: another server listens there", path);
    return unlink(path) == 0 ? STATUS_OK : fail(STATUS_DEVICE, "--socket %s: cannot be replaced: %m", path);
}

Status listen_on_path(const char *path, int *descriptor) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return fail(STATUS_USAGE, "--socket %s: want a path of at most %zu bytes", path, sizeof address.sun_path - 1);
    strcpy(address.sun_path, path);
    TRY(remove_left(path, &address));
    *descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const mode_t before = umask(0177);
    const bool bound = *descriptor >= 0 && bind(*descriptor, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    if (bound && listen(*descriptor, WAITING_MAX) == 0)
        return STATUS_OK;
    const Status status = fail(STATUS_DEVICE, "--socket %s: cannot be made: %m", path);
    if (*descriptor >= 0)
        close(*descriptor);
    return status;
}

Status listen_on_port(int *port, int *descriptor) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int one = 1;
    *descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool listens = *descriptor >= 0 && setsockopt(*descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                         bind(*descriptor, (const struct sockaddr *)&address, sizeof address) == 0 &&
                         listen(*descriptor, WAITING_MAX) == 0 &&
                         getsockname(*descriptor, (struct sockaddr *)&address, &size) == 0;
    if (listens) {
        *port = ntohs(address.sin_port);
        return STATUS_OK;
    }
    const Status status = fail(STATUS_DEVICE, "--port %d: cannot be listened on: %m", *port);
    if (*descriptor >= 0)
        close(*descriptor);
    return status;
}
