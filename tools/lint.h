/* lint.h: facts that the static analyser cannot see from headers: fail() returns the status that it is given, and
 * argp_error() ends the program. */
#include "core/base/status.h"

#include <argp.h>

void argp_error(const struct argp_state *state, const char *format, ...) __attribute__((noreturn));

#define fail(status, ...)        ((void)fail(status, __VA_ARGS__), (status))
#define fail_within(status, ...) ((void)fail_within(status, __VA_ARGS__), (status))
