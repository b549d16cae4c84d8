/* sandbox.c: files of strangers, which processes decode that reach nothing. */
#include "core/codec/sandbox.h"

#include "core/codec/sandbox_server.h"
#include "library/library.h"

#include <stdlib.h>

enum { SECONDS_MAX = 86400 };

struct GlintSandbox {
    unsigned life; /* library_life */
    Sandbox *sandbox;
};

static Status start(const char *const *server, uint32_t seconds, GlintSandbox **sandbox) {
    TRY(library_given("glint_sandbox", "sandbox", sandbox));
    *sandbox = NULL;
    TRY(library_given("glint_sandbox", "server", server));
    TRY(library_given("glint_sandbox", "server[0]", server[0]));
    if (seconds < 1 || seconds > SECONDS_MAX)
        return fail(STATUS_USAGE, "glint_sandbox: %u seconds, want 1 to %d", seconds, SECONDS_MAX);
    TRY(library_begin());
    GlintSandbox *made = malloc(sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a sandbox");
    made->life = library_life();
    const Status status = sandbox_open_by(server[0], (char *const *)(uintptr_t)server, seconds, false, &made->sandbox);
    if (status == STATUS_OK)
        *sandbox = made;
    else
        free(made);
    return status;
}

GlintStatus glint_sandbox(const char *const *server, uint32_t seconds, GlintSandbox **sandbox, GlintError *error) {
    return library_settle(start(server, seconds, sandbox), error);
}

void glint_sandbox_serve(void) {
    sandbox_serve();
}

static Status find_box(GlintSandbox *sandbox, GlintImage **image, CodecBox **box) {
    if (image)
        *image = NULL;
    const Status alive = library_alive("sandbox", sandbox, sandbox ? sandbox->life : 0);
    if (!sandbox || alive != STATUS_OK)
        return alive;
    *box = sandbox_box(sandbox->sandbox);
    return STATUS_OK;
}

static Status read_file(GlintSandbox *sandbox, const char *path, GlintImage **image) {
    CodecBox *box = NULL;
    TRY(find_box(sandbox, image, &box));
    return library_read("glint_sandbox_read", box, path, image);
}

GlintStatus glint_sandbox_read(GlintSandbox *sandbox, const char *path, GlintImage **image, GlintError *error) {
    return library_settle(read_file(sandbox, path, image), error);
}

static Status decode(GlintSandbox *sandbox, const void *bytes, size_t size, GlintImage **image) {
    CodecBox *box = NULL;
    TRY(find_box(sandbox, image, &box));
    return library_decode("glint_sandbox_decode", box, bytes, size, image);
}

GlintStatus glint_sandbox_decode(GlintSandbox *sandbox, const void *bytes, size_t size, GlintImage **image,
                                 GlintError *error) {
    return library_settle(decode(sandbox, bytes, size, image), error);
}

void glint_sandbox_free(GlintSandbox *sandbox) {
    if (!sandbox)
        return;
    sandbox_close(&sandbox->sandbox);
    free(sandbox);
}
