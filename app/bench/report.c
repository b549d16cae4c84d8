/* report.c: the ladder's figures, for people and for programs. */
#include "app/bench/ladder.h"
#include "app/say.h"
#include "core/device/added.h"
#include "core/scene/scene.h"
#include "core/stage/op_report.h"

#include <math.h>
#include <string.h>

/* The figures of a rung. */
typedef struct Figures {
    double ms, mpixels, gigabytes, gigaflops, copies, speedup;
} Figures;

/* The width of the column of names. */
static int name_width(const Ladder *ladder) {
    size_t width = 12;
    for (size_t i = 0; i < ladder->count; i++) {
        const size_t length = strlen(ladder->results[i].level->name);
        width = length > width ? length : width;
    }
    return (int)width;
}

/* 0 where the arithmetic shows only as a run goes. */
static double flops_of(const Ladder *ladder) {
    return stage_cost_is_open(ladder->stage) ? 0 : ladder->cost.flops;
}

/* The best time of a plain copy of as many bytes as the picture and its result have. Without a picture, the copy is as
 * large as the result. */
static double copy_ms(const Ladder *ladder) {
    const Shape out = ladder->stage->out.shape,
                in = ladder->stage->in[0].shape.width ? ladder->stage->in[0].shape : out;
    return ((double)shape_bytes(in) + (double)shape_bytes(out)) / fmax(ladder->copies.rate, 1) * 1e3;
}

static Figures figures_of(const Ladder *ladder, const LevelResult *result) {
    const Shape shape = stage_picture(ladder->stage);
    double lowest = 0;
    for (size_t i = ladder->count; i-- > 0;)
        lowest = ladder->results[i].why_not ? lowest : ladder->results[i].median;
    const double ms = fmax(result->median, 1e-6);
    return (Figures){ms,
                     (double)shape.width * (double)shape.height / ms / 1e3,
                     ladder->cost.bytes / ms / 1e6,
                     flops_of(ladder) / ms / 1e6,
                     ms / fmax(copy_ms(ladder), 1e-6),
                     lowest / ms};
}

/* Prints the use of a multiprocessor by each kernel, and its limit. */
static void print_facts(FILE *to, const Ladder *ladder) {
    fprintf(to, "%-*s %10s %10s %10s %8s %10s  %s\n", name_width(ladder), "kernel", "registers", "shared KiB",
            "threads", "blocks", "occupancy", "limited by");
    for (size_t i = 0; i < ladder->count; i++) {
        const LaunchFacts *f = &ladder->results[i].facts;
        if (f->threads > 0)
            fprintf(to, "%-*s %10d %10.1f %10d %8d %9.0f%%  %s\n", name_width(ladder), ladder->results[i].level->name,
                    f->registers, (double)f->shared_bytes / 1024, f->threads, f->blocks, 100 * f->occupancy,
                    f->limit ? f->limit : "nothing");
    }
}

static void print_value(FILE *to, int width, int digits, double value) {
    if (value > 0)
        fprintf(to, " %*.*f", width, digits, value);
    else
        fprintf(to, " %*s", width, "n/a");
}

/* The limits of the device: bytes a second, by the copy; and the rate of this job's arithmetic under the roofline. */
static double bandwidth_of(const Ladder *ladder) {
    return ladder->copies.rate;
}
static double roof_of(const Ladder *ladder) {
    const double by_memory = bandwidth_of(ladder) * flops_of(ladder) / fmax(ladder->cost.bytes, 1);
    return ladder->peak.rate > 0 ? fmin(ladder->peak.rate, by_memory) : by_memory;
}

/* The result of the raced library; NULL without one. */
static const LevelResult *raced_of(const Ladder *ladder) {
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->results[i].level->raced && !ladder_added(ladder->results[i].level) && !ladder->results[i].why_not)
            return &ladder->results[i];
    return NULL;
}

/* How near a level comes to the ceilings, its traffic in the caches, and a run's cost. */
static void print_measured(FILE *to, const Ladder *ladder) {
    const double pixels = (double)ladder->stage->out.shape.width * (double)ladder->stage->out.shape.height;
    const LevelResult *raced = raced_of(ladder);
    fprintf(to, "%-*s %10s %10s %10s %8s %10s %10s", name_width(ladder), "measured", "roof %", "hot ms", "cold ms",
            "watts", "mJ a run", "Mpixel/J");
    fprintf(to, raced ? " %% of %s\n" : "\n", raced ? raced->level->name : "");
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        fprintf(to, "%-*s", name_width(ladder), result->level->name);
        print_value(to, 10, 1, 100 * figures_of(ladder, result).gigaflops * 1e9 / fmax(roof_of(ladder), 1));
        print_value(to, 10, 3, result->hot);
        print_value(to, 10, 3, result->cold);
        print_value(to, 8, 0, result->watts);
        print_value(to, 10, 2, result->joules * 1e3);
        print_value(to, 10, 1, result->joules > 0 ? pixels / result->joules / 1e6 : 0);
        if (raced)
            print_value(to, 5 + (int)strlen(raced->level->name), 1, 100 * raced->median / fmax(result->median, 1e-6));
        fputc('\n', to);
    }
    fprintf(to, "this device: %.1f GB/s by copies, ", bandwidth_of(ladder) / 1e9);
    fprintf(to, ladder->peak.rate > 0 ? "%.0f GFLOP/s by multiply-adds\n" : "GFLOP/s not measured\n",
            ladder->peak.rate / 1e9);
}

static const char *const ray_kinds[] = {
    [COUNTER_CAMERA_RAYS] = "eye", [COUNTER_SHADOW_RAYS] = "shadow", [COUNTER_SECONDARY_RAYS] = "secondary"};

/* Rays by kind, their costs, and how many of them the levels follow. */
static void print_rays(FILE *to, const Ladder *ladder) {
    const RayCounters *counters = &ladder->trace_stats.counters;
    const double rays = counters_rays(counters);
    const bool light = stage_cost_is_open(ladder->stage);
    fprintf(to, "%-*s %10s %10s", name_width(ladder), "rays", "million", "Mray/s");
    if (!light)
        fprintf(to, " %12s", "up, down ms");
    for (int i = 0; light && i < GOALS; i++)
        fprintf(to, " %4u spp ms", sample_goals[i]);
    fputc('\n', to);
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        fprintf(to, "%-*s %10.3f %10.1f", name_width(ladder), result->level->name, rays / 1e6,
                rays / fmax(result->median, 1e-6) / 1e3);
        if (!light)
            print_value(to, 12, 3, result->whole);
        for (int goal = 0; light && goal < GOALS; goal++)
            print_value(to, 11, 3, result->goals[goal]);
        fputc('\n', to);
    }
    fputs("the rays:", to);
    for (size_t kind = 0; kind < sizeof ray_kinds / sizeof ray_kinds[0]; kind++)
        fprintf(to, " %.0f %s%s", (double)counters->counts[kind], ray_kinds[kind],
                kind == COUNTER_SECONDARY_RAYS ? ";" : ",");
    fprintf(to, " each visits %.1f nodes and tests %.1f spheres\n", counters_per_ray(counters, COUNTER_NODES),
            counters_per_ray(counters, COUNTER_TESTS));
    if (ladder->trace_stats.build_ms > 0)
        fprintf(to, "the BVH: built in %.3f ms, %.1f million spheres a second; refitted in %.3f ms; %.1f MB\n",
                ladder->trace_stats.build_ms, (double)ladder->scene->count / ladder->trace_stats.build_ms / 1e3,
                ladder->trace_stats.refit_ms, (double)ladder->trace_stats.build_bytes / 1e6);
}

/* Pairs of bodies a second, as if all met all, also where a level leaves pairs out. By this count, a tree may exceed
 * the device's peak. */
static double interactions_of(const Ladder *ladder, const LevelResult *result) {
    return op_report(ladder->stage->op)->pairs(ladder->stage) / fmax(result->median, 1e-6) * 1e3;
}

static void print_bodies(FILE *to, const Ladder *ladder) {
    fprintf(to, "%-*s %14s %10s %10s %12s %12s\n", name_width(ladder), "bodies", "10^9 pairs/s", "steps/s", "% of peak",
            "error", "allowed");
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        fprintf(to, "%-*s %14.3f %10.1f", name_width(ladder), result->level->name,
                interactions_of(ladder, result) / 1e9,
                op_report(ladder->stage->op)->steps(ladder->stage) / fmax(result->median, 1e-6) * 1e3);
        print_value(to, 10, 1, 100 * figures_of(ladder, result).gigaflops * 1e9 / fmax(ladder->peak.rate, 1));
        fprintf(to, " %12.2g %12.2g\n", result->verdict.worst, result->verdict.allowed);
    }
    fprintf(to, "errors are by the largest acceleration; 20 operations a pair\n");
}

/* Whether there is a 95th percentile: neither of an estimate, nor of one run. */
static bool has_spread(const LevelResult *result) {
    return !result->estimated && result->runs > 1;
}

/* Median and 95th percentile, or why there is none. */
static void print_times(FILE *to, const Ladder *ladder, const LevelResult *result) {
    fprintf(to, "%-*s %10.3f", name_width(ladder), result->level->name, result->median);
    if (has_spread(result))
        fprintf(to, " %10.3f", result->p95);
    else
        fprintf(to, " %10s", result->estimated ? "estimate" : "one run");
}

void ladder_print(FILE *to, const Ladder *ladder, const char *job) {
    say(to, "%s", job);
    fprintf(to, "%s: %s; a copy takes %.3f ms\n", ladder->queue->device->backend->name, ladder->queue->device->name,
            copy_ms(ladder));
    fprintf(to, "%-*s %10s %10s %10s %8s %9s %8s %9s  %s\n", name_width(ladder), "level", "ms", "95 %", "Mpixel/s",
            "GB/s", "GFLOP/s", "copies", "speed-up", "check");
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not) {
            fprintf(to, "%-*s %10s cannot: %s\n", name_width(ladder), result->level->name, "-", result->why_not);
            continue;
        }
        const Figures f = figures_of(ladder, result);
        print_times(to, ladder, result);
        fprintf(to, " %10.1f %8.2f", f.mpixels, f.gigabytes);
        print_value(to, 9, 1, f.gigaflops);
        fprintf(to, " %8.1f %8.1fx  %s\n", f.copies, f.speedup, result->verdict.agrees ? "agrees" : "WRONG");
    }
    for (size_t i = 0; i < ladder->count; i++)
        if (ladder->results[i].estimated)
            fprintf(to, "%s is estimated from a part of the job; --level %s runs it\n", ladder->results[i].level->name,
                    ladder->results[i].level->name);
    if (backend_telemetry(ladder->queue->device->backend)->facts)
        print_facts(to, ladder);
    print_measured(to, ladder);
    if (counters_rays(&ladder->trace_stats.counters) > 0)
        print_rays(to, ladder);
    if (op_report(ladder->stage->op)->pairs)
        print_bodies(to, ladder);
    fprintf(to, "the job: %.1f MB must move", ladder->cost.bytes / 1e6);
    if (flops_of(ladder) > 0)
        fprintf(to, ", %.2f GFLOP, %.1f FLOP a byte", flops_of(ladder) / 1e9,
                flops_of(ladder) / fmax(ladder->cost.bytes, 1));
    fprintf(to, "; best takes %s\n", level_best(ladder->queue->device, ladder->stage)->name);
    fflush(to);
}

void ladder_print_checks(FILE *to, const Ladder *ladder, const char *job) {
    say(to, "%s", job);
    fprintf(to, "%s: %s; emulated: no times\n%-*s  %s\n", ladder->queue->device->backend->name,
            ladder->queue->device->name, name_width(ladder), "level", "check");
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        fprintf(to, "%-*s  %s%s\n", name_width(ladder), result->level->name, result->why_not ? "cannot: " : "",
                result->why_not          ? result->why_not
                : result->verdict.agrees ? "agrees"
                                         : "WRONG");
    }
    fflush(to);
}

/* A counter that is not always to be had. */
static void add_measured(json_t *entry, const char *name, double value) {
    if (value > 0)
        json_object_set_new(entry, name, json_real(value));
}

static double worst_of(const LevelResult *result) {
    return isfinite(result->verdict.worst) ? result->verdict.worst : -1.0;
}

/* An entry without figures: its times are null. */
static json_t *check_json(const LevelResult *result, const char *name, const char *job) {
    return json_pack("{s:s, s:s, s:o, s:n, s:n, s:s, s:b, s:f}", "name", name, "run_type", "iteration", "label",
                     json_text(job), "real_time", "cpu_time", "time_unit", "ms", "agrees", result->verdict.agrees,
                     "worst", worst_of(result));
}

/* Google Benchmark's JSON schema, with our figures as counters. */
void ladder_add_json(json_t *list, const Ladder *ladder, const char *job) {
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        char name[256];
        snprintf(name, sizeof name, "%s/%s/%s", result->level->op->name, ladder->queue->device->backend->name,
                 result->level->name);
        if (ladder->queue->device->backend->timeless) {
            json_array_append_new(list, check_json(result, name, job));
            continue;
        }
        const Figures f = figures_of(ladder, result);
        json_t *entry =
            json_pack("{s:s, s:s, s:o, s:I, s:f, s:f, s:s, s:f, s:f, s:f, s:f, s:f, s:b, s:f}", "name", name,
                      "run_type", "iteration", "label", json_text(job), "iterations", (json_int_t)result->runs,
                      "real_time", result->median, "cpu_time", result->cpu_median, "time_unit", "ms", "copy_ms",
                      copy_ms(ladder), "Mpixel/s", f.mpixels, "GB/s", f.gigabytes, "copies", f.copies, "speedup",
                      f.speedup, "agrees", result->verdict.agrees, "worst", worst_of(result));
        if (has_spread(result))
            json_object_set_new(entry, "p95", json_real(result->p95));
        if (result->estimated)
            json_object_set_new(entry, "estimated", json_true());
        add_measured(entry, "GFLOP/s", f.gigaflops);
        add_measured(entry, "roof", f.gigaflops * 1e9 / fmax(roof_of(ladder), 1));
        if (raced_of(ladder))
            add_measured(entry, "of_raced", raced_of(ladder)->median / fmax(result->median, 1e-6));
        if (op_report(ladder->stage->op)->pairs)
            add_measured(entry, "interactions/s", interactions_of(ladder, result));
        add_measured(entry, "hot_ms", result->hot);
        add_measured(entry, "cold_ms", result->cold);
        add_measured(entry, "watts", result->watts);
        add_measured(entry, "joules", result->joules);
        add_measured(entry, "pixels/J", result->joules > 0 ? f.mpixels * 1e3 * f.ms / result->joules : 0);
        add_measured(entry, "build_ms", ladder->trace_stats.build_ms);
        add_measured(entry, "refit_ms", ladder->trace_stats.refit_ms);
        add_measured(entry, "build_bytes", (double)ladder->trace_stats.build_bytes);
        for (size_t kind = 0; kind < sizeof ray_kinds / sizeof ray_kinds[0]; kind++)
            add_measured(entry, ray_kinds[kind], (double)ladder->trace_stats.counters.counts[kind]);
        add_measured(entry, "Mray/s", counters_rays(&ladder->trace_stats.counters) / fmax(result->median, 1e-6) / 1e3);
        add_measured(entry, "nodes", counters_per_ray(&ladder->trace_stats.counters, COUNTER_NODES));
        add_measured(entry, "tests", counters_per_ray(&ladder->trace_stats.counters, COUNTER_TESTS));
        add_measured(entry, "whole_ms", result->whole);
        for (int goal = 0; goal < GOALS; goal++) {
            snprintf(name, sizeof name, "%u_spp_ms", sample_goals[goal]);
            add_measured(entry, name, result->goals[goal]);
        }
        json_array_append_new(list, entry);
    }
}
