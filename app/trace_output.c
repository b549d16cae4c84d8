/* trace_output.c: numbers in names. */
#include "app/trace_output.h"

#include <stdio.h>
#include <string.h>

Status trace_output_name(const char *output, long frame, long frames, char path[static PATH_MAX]) {
    const char *field = strstr(output, "{frame}"), *slash = strrchr(output, '/');
    const char *dot = strrchr(output, '.'), *name = slash ? slash + 1 : output;
    const char *before = field ? field : dot && dot > name ? dot : output + strlen(output);
    const char *behind = field ? field + strlen("{frame}") : before;
    int digits = 4;
    for (long max = 10000; max <= frames; max *= 10)
        digits++;
    const int length = frames == 0 ? snprintf(path, PATH_MAX, "%s", output)
                                   : snprintf(path, PATH_MAX, "%.*s%s%0*ld%s", (int)(before - output), output,
                                              field ? "" : "-", digits, frame + 1, behind);
    return length < PATH_MAX ? STATUS_OK : fail(STATUS_DEVICE, "%s: the path is too long", output);
}

void trace_output_samples(const Progressive *progressive, size_t height, char *text, size_t size) {
    const bool counted = !progressive_complete(progressive) && progressive->samples < SAMPLES_MAX;
    char of[32] = "", more[64] = "";
    if (counted)
        snprintf(of, sizeof of, " of %u", progressive->samples);
    if (progressive->row > 0)
        snprintf(more, sizeof more, ", and %u more in %.0f %% of the picture", progressive->pass,
                 100.0 * (double)progressive->row / (double)height);
    snprintf(text, size, "%u%s sample%s a pixel%s", progressive->done, of, counted || progressive->done != 1 ? "s" : "",
             more);
}

void trace_output_totals(const CommonOptions *common, Simulation *simulation, const Bodies *bodies,
                         unsigned long steps) {
    if (!bodies->known || simulation_fetch(simulation) != STATUS_OK)
        return;
    const BodiesTotals now = bodies_totals(bodies);
    common_say(common, "%lu steps, %g of the scene's time: energy %+.3g %% of itself, momentum %.3g %% of all motion",
               steps, bodies->time, 100 * bodies_energy_drift(bodies, &now), 100 * bodies_momentum_drift(bodies, &now));
}
