/* chain.c: chains as handles. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

static Status format(GlintChain *chain) {
    const size_t length = chain_format(chain->chain, NULL, 0);
    chain->formatted = malloc(length + 1);
    if (!chain->formatted)
        return fail(STATUS_DEVICE, "no memory for a chain");
    chain_format(chain->chain, chain->formatted, length + 1);
    return STATUS_OK;
}

static Status make(const char *text, GlintChain **chain) {
    TRY(library_given("glint_chain", "chain", chain));
    *chain = NULL;
    TRY(library_given("glint_chain", "text", text));
    TRY(library_begin());
    GlintChain *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a chain");
    Status status = chain_open(text, &made->chain);
    if (status == STATUS_OK)
        status = format(made);
    if (status == STATUS_OK)
        *chain = made;
    else
        glint_chain_free(made);
    return status;
}

GlintStatus glint_chain(const char *text, GlintChain **chain, GlintError *error) {
    return library_settle(make(text, chain), error);
}

const char *glint_chain_text(const GlintChain *chain) {
    return chain ? chain->formatted : NULL;
}

void glint_chain_free(GlintChain *chain) {
    if (!chain)
        return;
    chain_destroy(&chain->chain);
    free(chain->formatted);
    free(chain);
}
