/* chains.h: for tests of chains, after a definition of REQUIRE: their plans, and their results for a picture. */
#ifndef GLINT_TESTS_CHAINS_H
#define GLINT_TESTS_CHAINS_H

#include "core/chain/chain.h"
#include "core/plan/pipeline.h"

#include <string.h>

/* The chain's plan; the pictures "other" and "another" that it may name are noise. */
static inline Plan *plan_of_chain(const char *text, Shape shape, PlanOptions options) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse(text, &chain));
    for (size_t i = 0; i < 2; i++) {
        Image *image = NULL;
        REQUIRE(image_create(shape, &image));
        view_fill_random(image->view, 5 + i);
        chain->images[i] = (PlanImage){strdup(i ? "another" : "other"), image};
    }
    chain->image_count = 2;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    chain_destroy(&chain);
    return plan;
}

/* The plan of a chain that names one picture, which it takes over. */
static inline Plan *plan_with_image(const char *text, Shape shape, PlanOptions options, const char *name,
                                    Image *image) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse(text, &chain));
    chain->images[0] = (PlanImage){strdup(name), image};
    chain->image_count = 1;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    chain_destroy(&chain);
    return plan;
}

/* The result of the plan, which this takes over, for the picture, by a level. */
static inline Image *run_plan(Device *device, Plan *plan, Image *in, const char *level) {
    Pipeline *pipeline = NULL;
    Image *out = NULL;
    Spans spans = {0};
    if (pipeline_create(device, plan, level, &pipeline) != STATUS_OK)
        fail_msg("%s: %s", level, status_message());
    REQUIRE(image_create(pipeline_result_shape(pipeline), &out));
    REQUIRE(pipeline_process(pipeline, in->view, out->view, &spans));
    pipeline_destroy(&pipeline);
    return out;
}

/* The result of the chain for the picture. */
static inline Image *filter_by(Device *device, const char *text, Image *in, const char *level, PlanOptions options) {
    return run_plan(device, plan_of_chain(text, in->view.shape, options), in, level);
}

#endif
