/* scaled_real.h: the steps with sums of type REAL, for scaled.isa.c. */

/* SCALED_BLOCK values at most of a row, or of the border beyond the picture. */
static inline void NAME(load)(const Stage *stage, ptrdiff_t y, size_t at, size_t count, REAL *to) {
    const Border border = gaussian_job(stage)->border;
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    const void *row = view_row(stage->in[0], sy < 0 ? 0 : (size_t)sy);
    if (sy < 0)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)border.value;
    else if (stage->in[0].shape.type == PIXEL_U8)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const uint8_t *)row)[at + i];
    else if (stage->in[0].shape.type == PIXEL_U16)
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const uint16_t *)row)[at + i];
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (REAL)((const float *)row)[at + i];
}

/* Segment s of the rows, from pixel s * step on, belongs to the grid's rows s to s + taps - 1. Rows that are being
 * summed are in turns of `taps`. */
static void NAME(down)(const ScaledJob *job, size_t at) {
    const Stage *stage = job->stage;
    const GaussianGrid *grid = &job->y;
    const long height = (long)stage->in[0].shape.height, points = gaussian_grid_count(grid, (size_t)height);
    const BorderMode mode = gaussian_job(stage)->border.mode;
    const size_t count = job->line - at < SCALED_BLOCK ? job->line - at : SCALED_BLOCK;
    REAL sums[GRID_TAPS_MAX][SCALED_BLOCK] = {{0}}, values[SCALED_BLOCK] = {0};
    for (long s = 1 - grid->taps; s < points; s++) {
        const long y = s * grid->step;
        const bool alike = (y >= height || y + grid->step <= 0) && mode != BORDER_MIRROR && mode != BORDER_WRAP;
        double whole[GRID_TAPS_MAX] = {0}; /* weights of all rows of the segment, where they are alike */
        for (int p = 0; alike && p < grid->step; p++)
            for (int t = 0; t < grid->taps; t++)
                whole[t] += grid->down[p * grid->taps + t];
        for (int p = 0; p < (alike ? 1 : grid->step); p++) {
            const double *weights = alike ? whole : grid->down + p * grid->taps;
            NAME(load)(stage, y + p, at, count, values);
            for (int t = 0; t < grid->taps; t++) {
                const REAL weight = (REAL)weights[t];
                REAL *to = sums[(s + t + grid->taps) % grid->taps];
                for (size_t i = 0; i < SCALED_BLOCK; i++)
                    to[i] += weight * values[i];
            }
        }
        REAL *done = sums[(s + grid->taps) % grid->taps];
        if (s >= 0)
            memcpy((REAL *)job->plane + (size_t)s * job->line + at, done, count * sizeof *done);
        memset(done, 0, sizeof sums[0]);
    }
}

static void NAME(along)(const ScaledJob *job, long j, void *scratch) {
    const Shape shape = job->stage->in[0].shape;
    const GaussianGrid *grid = &job->x;
    const Border border = gaussian_job(job->stage)->border;
    const long width = (long)shape.width, points = gaussian_grid_count(grid, shape.width);
    const int channels = shape.channels;
    REAL *row = (REAL *)job->plane + (size_t)j * job->line, *sums = scratch;
    memset(sums, 0, (size_t)points * (size_t)channels * sizeof *sums);
    for (long s = 1 - grid->taps; s < points; s++) {
        const int first = s < 0 ? (int)-s : 0; /* taps whose points exist */
        const int last = s + grid->taps > points ? (int)(points - s) : grid->taps;
        for (int p = 0; p < grid->step; p++) {
            const ptrdiff_t x = border_index(border.mode, s * grid->step + p, width);
            const double *weights = grid->down + p * grid->taps;
            for (int c = 0; c < channels; c++) {
                const REAL value = x < 0 ? (REAL)border.value : row[x * channels + c];
                for (int t = first; t < last; t++)
                    sums[(s + t) * channels + c] += (REAL)weights[t] * value;
            }
        }
    }
    for (long x = 0; x < width; x++) {
        const double *weights = grid->up + x % grid->step * grid->taps;
        const REAL *from = sums + x / grid->step * channels;
        for (int c = 0; c < channels; c++) {
            REAL sum = 0;
            for (int t = 0; t < grid->taps; t++)
                sum += (REAL)weights[t] * from[t * channels + c];
            row[x * channels + c] = sum;
        }
    }
}

static void NAME(up)(const ScaledJob *job, size_t y) {
    const GaussianGrid *grid = &job->y;
    const double *weights = grid->up + y % (size_t)grid->step * (size_t)grid->taps;
    const REAL *from = (const REAL *)job->plane + y / (size_t)grid->step * job->line;
    void *row = view_row(job->stage->out, y);
    for (size_t at = 0; at < job->line; at += PACK) {
        const size_t count = job->line - at < PACK ? job->line - at : PACK;
        REAL sums[PACK] = {0};
        if (count == PACK)
            for (int t = 0; t < grid->taps; t++)
                for (size_t i = 0; i < PACK; i++)
                    sums[i] += (REAL)weights[t] * from[(size_t)t * job->line + at + i];
        else
            for (int t = 0; t < grid->taps; t++)
                for (size_t i = 0; i < count; i++)
                    sums[i] += (REAL)weights[t] * from[(size_t)t * job->line + at + i];
        if (job->stage->out.shape.type == PIXEL_F32) {
            for (size_t i = 0; i < count; i++)
                ((float *)row)[at + i] = (float)sums[i];
        } else {
            WHOLE whole[PACK];
            PACK_TO(sums, whole);
            memcpy((WHOLE *)row + at, whole, count * sizeof *whole);
        }
    }
}
