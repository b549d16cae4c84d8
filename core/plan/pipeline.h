/* pipeline.h: a plan bound to a device: frames, levels, and a timed run.
 * Owns validation (once, here), the frames between stages and the choice of levels. */
#ifndef GLINT_CORE_PLAN_PIPELINE_H
#define GLINT_CORE_PLAN_PIPELINE_H

#include "core/base/timing.h"
#include "core/device/partition.h"
#include "core/plan/fuse.h"

typedef struct Pipeline Pipeline;

/* Binds `plan` (taken over, also on failure) to `device` (borrowed), with a queue of its own, and allocates its frames.
 * Values whose last use is past lend their frame to later ones. `level` is a name or "best". STATUS_USAGE if no
 * operation of the plan has a level of that name, or if the level cannot do a stage (with the reason). A stage whose
 * ladder has no such name takes its best. STATUS_INPUT if its frames are more than memory_budget(). */
Status pipeline_create(Device *device, Plan *plan, const char *level, Pipeline **pipeline);
void pipeline_destroy(Pipeline **pipeline);
/* Puts a pipeline for another plan (taken over, also on failure) in the place of this one, on the same queue. Frames of
 * shapes that both have stay, and the input keeps its pixels. Sums of stages (Op.accumulates) stay where the same
 * stages have the same places in both plans. Fails as pipeline_create; then this one stays as it is. */
Status pipeline_replace(Pipeline **pipeline, Plan *plan, const char *level);
/* Chooses levels again, as pipeline_create does; on failure the old choice stays. The sources keep their pixels. */
Status pipeline_set_level(Pipeline *pipeline, const char *name);

/* Fills a source of the plan, by its number; an image of its shape. One that nothing reads is left out. The images that
 * filters read are there from the beginning. */
enum { PIPELINE_PICTURE = 0 }; /* the first source: the picture that the chain filters */
Status pipeline_upload(Pipeline *pipeline, size_t source, ImageView image);
/* The frame of a source, for a caller that fills it by other means before the next run; without pixels if nothing reads
 * it. */
Frame pipeline_fill(Pipeline *pipeline, size_t source);
/* Takes a source's pixels from a frame of the device that nothing writes to; turned as an orientation (TIFF 6.0, 1 to
 * 8) says. Enqueued: the frame is needed until the next run has ended. */
Status pipeline_take(Pipeline *pipeline, size_t source, Frame frame, int orientation);
bool pipeline_uploaded(const Pipeline *pipeline, size_t source); /* whether it has pixels */
/* Runs every stage, waits, and fills the spans: one per stage, named by its label. NULL for spans saves the time marks,
 * which take 2 us each on a GPU. STATUS_INTERRUPTED if its queue was stopped (core/base/stop.h): then the result is
 * worth nothing. */
Status pipeline_run(Pipeline *pipeline, Spans *spans);
/* Enqueues every stage without time marks, for a caller that waits for the queue itself. */
Status pipeline_enqueue(Pipeline *pipeline);
/* pipeline_run in two steps, for a caller that has something else to do meanwhile: to enqueue every stage, and to wait.
 * Work that the caller enqueues between them comes behind, and pipeline_replace and pipeline_set_level are not for use.
 * Where there are too many stages to be timed at once, pipeline_can_start says so. */
bool pipeline_can_start(const Pipeline *pipeline);
Status pipeline_start(Pipeline *pipeline);
Status pipeline_end(Pipeline *pipeline, Spans *spans);
/* Runs the stages from `first` to before `end` alike: those before them have run. */
Status pipeline_run_stages(Pipeline *pipeline, size_t first, size_t end, Spans *spans);
/* From now on runs tell `partial` (borrowed, or NULL) the parts of the result that they have made. Where a level shares
 * it out in tiles, on the CPU, they come in its order. */
void pipeline_tell(Pipeline *pipeline, Partial *partial);
/* From now on a stage's result stands for the rows from `top` on of a picture of `height` rows. The stage sees all of
 * that, and is to write those alone. */
void pipeline_place(Pipeline *pipeline, size_t index, size_t top, size_t height);
/* The job of a stage, of its op's own type, to be changed between runs: not so that its level could not do it. */
void *pipeline_job(Pipeline *pipeline, size_t index);
/* Sets a parameter of this name (plan_bind), for the runs that follow, in all stages that have it; none may. `bytes`
 * has as many as were bound. */
void pipeline_set(Pipeline *pipeline, const char *name, const void *bytes);
Status pipeline_download(Pipeline *pipeline, ImageView image); /* pipeline_result_shape */
/* Downloads the result's rows from `first` on, as many as the image has. */
Status pipeline_download_rows(Pipeline *pipeline, size_t first, ImageView image);
Shape pipeline_result_shape(const Pipeline *pipeline);
/* Bytes that the best levels would take besides the frames of a plan. */
size_t plan_workspace(const Plan *plan, const Device *device);
size_t pipeline_bytes(const Pipeline *pipeline);  /* that its frames and levels take, wherever they are */
size_t pipeline_memory(const Pipeline *pipeline); /* of these, bytes of host memory */
Frame pipeline_result(const Pipeline *pipeline);  /* on the device, valid until the next run or destroy */
/* The frame of the chain's first value; without pixels if the plan has none, or if nothing reads its picture. */
Frame pipeline_unfiltered(const Pipeline *pipeline);
Shape pipeline_unfiltered_shape(const Pipeline *pipeline);

const Device *pipeline_device(const Pipeline *pipeline);
Queue *pipeline_queue(const Pipeline *pipeline);     /* for other work with its frames */
const Plan *pipeline_plan(const Pipeline *pipeline); /* as it was made, whatever was set since */
/* Its stages are the plan's as the levels run them: one that takes points in has those of up to three. */
size_t pipeline_stage_count(const Pipeline *pipeline);
const FusedStage *pipeline_stages(const Pipeline *pipeline);         /* all */
const Stage *pipeline_stage(const Pipeline *pipeline, size_t index); /* with frames bound */
const Level *pipeline_level(const Pipeline *pipeline, size_t index);
/* About the stage's kernel, since the first run with these levels; NULL where the backend has no facts. */
const LaunchFacts *pipeline_facts(const Pipeline *pipeline, size_t index);
/* The launches of the stage's last run. */
Partition pipeline_partition(const Pipeline *pipeline, size_t index);
/* The index of the first stage that does this operation; pipeline_stage_count if none does. */
size_t pipeline_find_stage(const Pipeline *pipeline, const Op *op);
/* The operation whose ladder the user climbs: that of the stage that does the most arithmetic; its index. */
size_t pipeline_main_stage(const Pipeline *pipeline);

/* Whether pictures of others can stand in for the frames of the picture and of the result. Not where both are one
 * frame, or where the result is added to. */
bool pipeline_borrows(const Pipeline *pipeline);
/* Until pipeline_settle, these frames stand for those of the picture and of the result, or the pipeline's own where
 * they have no pixels. They lie where the device's levels take them. The pipeline borrows. */
void pipeline_borrow(Pipeline *pipeline, Frame picture, Frame result);
/* The pipeline's own frames are back; the picture has no pixels. Work that is enqueued goes on with those it got. */
void pipeline_settle(Pipeline *pipeline);

/* Upload, run, download in one call; spans get "upload", the stages, "download". On the host levels read and write the
 * images where they lie, and nothing is copied. */
Status pipeline_process(Pipeline *pipeline, ImageView in, ImageView out, Spans *spans);

#endif
