/* call_filter.c: rules as a program of the packet filter. */
#include "core/base/call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#    define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#    define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { STEPS = 6 /* of a rule, at most */ };

typedef struct Filter {
    struct sock_filter steps[4 + CALL_RULES_MAX * STEPS];
    unsigned short count;
} Filter;

static void add(Filter *filter, unsigned code, unsigned k, unsigned yes, unsigned no) {
    filter->steps[filter->count++] =
        (struct sock_filter){(unsigned short)code, (unsigned char)yes, (unsigned char)no, k};
}

enum { LOAD = BPF_LD | BPF_W | BPF_ABS, EQUAL = BPF_JMP | BPF_JEQ | BPF_K, RETURN = BPF_RET | BPF_K };

static void add_rules(Filter *filter, CallRules rules) {
    for (size_t i = 0; i < rules.count; i++) {
        const CallRule *rule = &rules.list[i];
        add(filter, LOAD, offsetof(struct seccomp_data, nr), 0, 0);
        add(filter, EQUAL, rule->call, 0, rule->argument == CALL_ANY ? 1 : 4);
        if (rule->argument != CALL_ANY) {
            add(filter, LOAD, (unsigned)(offsetof(struct seccomp_data, args) + 8 * (size_t)rule->argument), 0, 0);
            add(filter, BPF_ALU | BPF_AND | BPF_K, rule->mask, 0, 0);
            add(filter, EQUAL, rule->value, 0, 1);
        }
        add(filter, RETURN, rule->verdict, 0, 0);
    }
}

int call_filter_install(CallRules first, CallRules second, uint32_t otherwise, unsigned flags) {
    Filter filter = {.count = 0};
    if (first.count + second.count > CALL_RULES_MAX)
        return -1;
    add(&filter, LOAD, offsetof(struct seccomp_data, arch), 0, 0);
    add(&filter, EQUAL, ARCHITECTURE, 1, 0);
    add(&filter, RETURN, SECCOMP_RET_KILL_PROCESS, 0, 0);
    add_rules(&filter, first);
    add_rules(&filter, second);
    add(&filter, RETURN, otherwise, 0, 0);
    const struct sock_fprog program = {filter.count, filter.steps};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}
