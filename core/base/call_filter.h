/* call_filter.h: filters of system calls (seccomp(2)), for processes that run code which nobody vouches for. */
#ifndef GLINT_CORE_BASE_CALL_FILTER_H
#define GLINT_CORE_BASE_CALL_FILTER_H

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* A build with a sanitizer leaves such processes the means that its runtime needs: standard error, and memory. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#    define SANITIZED 1
#elif defined __has_feature
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED 0
#endif

/* A rule: the first that fits decides. It fits by the call's number and, unless `argument` is CALL_ANY, the bits of
 * `mask` in that argument's low half, where all flags are. The verdict is one of seccomp's. */
typedef struct CallRule {
    unsigned call;
    int argument;
    uint32_t mask, value, verdict;
} CallRule;

enum { CALL_ANY = -1, CALL_RULES_MAX = 64 };

typedef struct CallRules {
    const CallRule *list;
    size_t count;
} CallRules;

/* Filters this process's calls from now on, by the rules of both lists. Calls that no rule fits have the verdict
 * `otherwise`. Returns a descriptor if `flags` ask for one, else 0; -1 if the system does not let it. */
int call_filter_install(CallRules first, CallRules second, uint32_t otherwise, unsigned flags);

#endif
