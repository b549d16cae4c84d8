/* plans.c: the plans that calls left warm, so that the next call of its kind begins at once.
 * Owns their list, the latest first, which the GIL guards, and the count of copied bytes. */
#include "python/module.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_PLANS = 16 };
static const uint64_t kept_bytes = (uint64_t)1 << 30; /* of memory that plans keep, besides the latest's */

static Plan *latest;
static GlintCopied ended = {.size = sizeof(GlintCopied)}; /* of plans that are no more */

static void add_copied(GlintCopied *sum, const Plan *plan) {
    GlintCopied copied = GLINT_COPIED;
    if (glint_copied(plan->plan, &copied, NULL))
        return;
    sum->to_device += copied.to_device;
    sum->from_device += copied.from_device;
    sum->rearranged += copied.rearranged;
    sum->runs += copied.runs;
}

GlintCopied plans_copied(void) {
    GlintCopied sum = ended;
    for (const Plan *plan = latest; plan; plan = plan->next)
        add_copied(&sum, plan);
    return sum;
}

void plans_forget(void) {
    latest = NULL;
}

/* Moves plans that `leaves` says of from the list to another, and ends them there. */
static void drop_if(bool (*leaves)(const Plan *plan, void *context), void *context) {
    Plan *out = NULL;
    for (Plan **at = &latest; *at;) {
        Plan *plan = *at;
        if (plan->users == 0 && leaves(plan, context)) {
            *at = plan->next;
            plan->next = out;
            out = plan;
            add_copied(&ended, plan);
        } else {
            at = &plan->next;
        }
    }
    if (!out)
        return;
    Py_BEGIN_ALLOW_THREADS;
    for (Plan *next; out; out = next) {
        next = out->next;
        glint_plan_free(out->plan);
        free(out);
    }
    Py_END_ALLOW_THREADS;
}

static bool is_owners(const Plan *plan, void *owner) {
    return !owner || plan->owner == owner;
}

void plans_drop(void *owner) {
    drop_if(is_owners, owner);
}

typedef struct Count {
    unsigned plans;
    uint64_t bytes;
} Count;

/* Called from the latest on. */
static bool is_too_many(const Plan *plan, void *context) {
    Count *count = context;
    if (count->plans > 0 && (count->plans >= KEPT_PLANS || plan->bytes > kept_bytes - count->bytes))
        return true;
    count->plans++;
    count->bytes += plan->bytes < kept_bytes - count->bytes ? plan->bytes : kept_bytes - count->bytes;
    return false;
}

static Plan *find_kept(const void *owner, const Machine *machine, GlintShape shape, size_t pictures) {
    for (Plan **at = &latest; *at; at = &(*at)->next) {
        Plan *plan = *at;
        if (plan->owner != owner || plan->machine != machine || plan->pictures != pictures ||
            plan->shape.width != shape.width || plan->shape.height != shape.height ||
            plan->shape.channels != shape.channels || plan->shape.type != shape.type)
            continue;
        *at = plan->next;
        plan->next = latest;
        latest = plan;
        return plan;
    }
    return NULL;
}

static uint64_t bytes_of(GlintPlan *plan) {
    char *json;
    uint64_t bytes = 0;
    if (glint_describe_plan(plan, &json, NULL))
        return 0;
    const char *at = strstr(json, "\"bytes\":");
    if (at)
        bytes = strtoull(at + strlen("\"bytes\":"), NULL, 10);
    glint_free(json);
    return bytes;
}

bool plan_take(const void *owner, const GlintChain *chain, const GlintPlanOptions *options, const Machine *machine,
               GlintShape shape, Plan **plan) {
    *plan = find_kept(owner, machine, shape, options->pictures);
    if (*plan) {
        (*plan)->users++;
        return true;
    }
    Plan *made = malloc(sizeof *made);
    if (!made)
        return PyErr_NoMemory() != NULL;
    *made = (Plan){.owner = owner, .machine = machine, .shape = shape, .pictures = options->pictures, .users = 1};
    GlintError error;
    GlintStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_plan(machine->device, chain, &shape, options, &made->plan, &error);
    if (!status) {
        made->result = glint_plan_result(made->plan);
        made->bytes = bytes_of(made->plan);
    }
    Py_END_ALLOW_THREADS;
    if (status) {
        free(made);
        raise_error(&error);
        return false;
    }
    made->next = latest;
    latest = made;
    drop_if(is_too_many, &(Count){0});
    *plan = made;
    return true;
}

void plan_leave(Plan *plan) {
    plan->users--;
}
