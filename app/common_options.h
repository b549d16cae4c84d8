/* common_options.h: the options that all subcommands take. */
#ifndef GLINT_APP_COMMON_OPTIONS_H
#define GLINT_APP_COMMON_OPTIONS_H

#include "app/command_line.h"
#include "app/say.h"
#include "core/base/output.h"
#include "core/base/profile_trace.h"
#include "core/device/backend.h"
#include "core/plan/plan.h"

#include <stdio.h>

/* Every command has these. */
typedef struct CommonOptions {
    const char *backend, *level, *json, *profile;
    const char *kernels;         /* files, separated by commas; or NULL */
    double kernel_time;          /* s */
    ProfileTrace *profile_trace; /* of --profile, from common_start on; or NULL */
    Output *report;              /* of --json, from common_start on; or NULL */
    char opening[64];            /* of the report */
    int device, threads;
    PlanOptions plan;
    bool overwrite, quiet, verbose, explain;
    bool stdout_taken; /* by a picture or a film */
    bool keeps_broken; /* a kernel file that does not compile is no failure: the window says so, and watches it */
} CommonOptions;

extern const CommonOptions common_defaults;
extern const OptionTable common_options; /* at the beginning of a command's struct */

/* Adds the kernels of --kernel to the ladders. Claims the files of --profile and --json, after the options were parsed
 * and before anything else. The report begins
 * {"glint": "KIND" with `kind`; it may replace an earlier report of that kind. Fails as kernel_rungs_add, output_claim
 * and output_begin do; common_finish follows in any case. */
Status common_start(CommonOptions *common, const char *kind);
/* Writes the report, if anything was reported, and the trace, unless the request made no sense. Returns the command's
 * status, or if that was good the first failure of these. */
Status common_finish(CommonOptions *common, Status status);
/* Opens the device that the options ask for; "auto" says on stderr which device it took, unless quiet. */
Status common_open(const CommonOptions *common, Device **device);
/* A line on stderr, "glint: ...", unless quiet. */
__attribute__((format(printf, 2, 3))) void common_say(const CommonOptions *common, const char *format, ...);
/* Where results for people go: stdout, but stderr while stdout carries JSON, a timeline, a picture or a film. */
FILE *common_results(const CommonOptions *common);
/* Opens the stream of --json, once there is something to report; NULL if there is none. Fails as output_stream does. */
Status common_open_json(const CommonOptions *common, FILE **file);

#endif
