/* running_sums.h: the strip's code for one type of values. Included by running.isa.c with IN, SUM and NAME defined. */

/* Adds a picture's row to the sums, or takes it away. Beyond the picture there is the border's value. */
static inline __attribute__((always_inline)) bool NAME(add_row)(const RunningJob *job, ptrdiff_t y, SUM sign,
                                                                SUM *restrict inside) {
    const ImageView in = job->stage->in[0];
    const Border border = convolve_job(job->stage)->border;
    const ptrdiff_t at = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    const size_t count = in.shape.width * (size_t)in.shape.channels;
    if (at < 0) {
        const SUM outside = sign * (SUM)border.value;
        for (size_t i = 0; i < count; i++)
            inside[i] += outside;
        return true;
    }
    const IN *restrict row = view_row(in, (size_t)at);
    SUM rest = 0; /* 0 as long as all is finite: no more are zero times infinity or NaN */
    for (size_t i = 0; i < count; i++) {
        const SUM value = (SUM)row[i];
        inside[i] += sign * value;
        rest += 0 * value;
    }
    return rest == 0;
}

/* The row that enters and the one that leaves, at once. */
static inline __attribute__((always_inline)) bool NAME(move_row)(const RunningJob *job, ptrdiff_t enters,
                                                                 ptrdiff_t leaves, SUM *restrict inside) {
    const ImageView in = job->stage->in[0];
    const BorderMode mode = convolve_job(job->stage)->border.mode;
    const ptrdiff_t in_at = border_index(mode, enters, (ptrdiff_t)in.shape.height);
    const ptrdiff_t out_at = border_index(mode, leaves, (ptrdiff_t)in.shape.height);
    if (in_at < 0 || out_at < 0) {
        const bool finite = NAME(add_row)(job, enters, 1, inside);
        return NAME(add_row)(job, leaves, (SUM)-1, inside) && finite;
    }
    const IN *restrict entering = view_row(in, (size_t)in_at), *restrict leaving = view_row(in, (size_t)out_at);
    SUM rest = 0;
    for (size_t i = 0; i < in.shape.width * (size_t)in.shape.channels; i++) {
        const SUM value = (SUM)entering[i];
        inside[i] += value - (SUM)leaving[i];
        rest += 0 * value;
    }
    return rest == 0;
}

/* The sums beyond the picture's sides. */
static void NAME(fill_sides)(const RunningJob *job, SUM *columns) {
    const ConvolveJob *convolve = convolve_job(job->stage);
    const size_t channels = (size_t)job->stage->in[0].shape.channels;
    const ptrdiff_t width = (ptrdiff_t)job->stage->in[0].shape.width, left = convolve->mask->width / 2;
    const ptrdiff_t right = convolve->mask->width - 1 - left;
    const SUM outside = (SUM)convolve->mask->height * (SUM)convolve->border.value;
    for (ptrdiff_t side = 0; side < left + right; side++) {
        const ptrdiff_t x = side < left ? -1 - side : width + side - left;
        const ptrdiff_t from = border_index(convolve->border.mode, x, width);
        for (size_t c = 0; c < channels; c++)
            columns[(size_t)(x + left) * channels + c] =
                from < 0 ? outside : columns[(size_t)(from + left) * channels + c];
    }
}

/* Sums along the row, of `reach` values a channel. */
static inline __attribute__((always_inline)) void NAME(along)(const SUM *restrict columns, size_t channels,
                                                              size_t width, size_t reach, SUM *restrict sums) {
    SUM running[4] = {0};
    for (size_t i = 0; i < reach; i++)
        for (size_t c = 0; c < channels; c++)
            running[c] += columns[i * channels + c];
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < channels; c++) {
            sums[x * channels + c] = running[c];
            running[c] += columns[(x + reach) * channels + c] - columns[x * channels + c];
        }
}

/* Stores a row. Sums of u8 are exact in f32, and so is the place of a quotient between two whole numbers or halfway. */
static void NAME(finish)(const RunningJob *job, const SUM *restrict sums, size_t y) {
    const Shape shape = job->stage->out.shape;
    const size_t count = shape.width * (size_t)shape.channels;
    void *row = view_row(job->stage->out, y);
    const double factor = job->factor, divisor = job->divisor, bias = job->bias;
    if (sizeof(IN) == 1 && shape.type == PIXEL_U8 && factor == 1) {
        uint8_t *restrict to = row;
        const float by = (float)divisor, plus = (float)bias;
        for (size_t i = 0; i < count; i++) {
            const float value = (float)(int32_t)sums[i] / by + plus;
            const float low = value > 0 ? value : 0;
            to[i] = (uint8_t)(int32_t)rintf(low < 255 ? low : 255);
        }
    } else if (shape.type == PIXEL_F32) {
        float *restrict to = row;
        for (size_t i = 0; i < count; i++)
            to[i] = (float)((double)sums[i] * factor / divisor + bias);
    } else {
        const double white = shape.type == PIXEL_U8 ? 255 : 65535;
        uint8_t *restrict bytes = row;
        uint16_t *restrict words = row;
        for (size_t i = 0; i < count; i++) {
            const double value = (double)sums[i] * factor / divisor + bias;
            const double low = value > 0 ? value : 0;
            const int32_t whole = (int32_t)rint(low < white ? low : white);
            if (shape.type == PIXEL_U8)
                bytes[i] = (uint8_t)whole;
            else
                words[i] = (uint16_t)whole;
        }
    }
}

static bool NAME(strip)(const RunningJob *job, size_t first, void *scratch) {
    const Mask *mask = convolve_job(job->stage)->mask;
    const Shape shape = job->stage->out.shape;
    const size_t channels = (size_t)shape.channels, reach = (size_t)mask->width;
    const size_t end = first + job->rows < shape.height ? first + job->rows : shape.height;
    SUM *columns = scratch, *sums = columns + (job->columns + 15) / 16 * 16;
    SUM *inside = columns + reach / 2 * channels;
    const ptrdiff_t top = (ptrdiff_t)first - mask->height / 2;
    bool finite = true;
    memset(columns, 0, job->columns * sizeof *columns);
    for (int j = 0; j < mask->height; j++)
        finite &= NAME(add_row)(job, top + j, 1, inside);
    for (size_t y = first; y < end && finite; y++) {
        NAME(fill_sides)(job, columns);
        if (channels == 4)
            NAME(along)(columns, 4, shape.width, reach, sums);
        else if (channels == 3)
            NAME(along)(columns, 3, shape.width, reach, sums);
        else if (channels == 2)
            NAME(along)(columns, 2, shape.width, reach, sums);
        else
            NAME(along)(columns, 1, shape.width, reach, sums);
        NAME(finish)(job, sums, y);
        if (y + 1 < end) {
            const ptrdiff_t leaves = top + (ptrdiff_t)(y - first);
            finite = NAME(move_row)(job, leaves + mask->height, leaves, inside);
        }
    }
    return finite;
}

#undef IN
#undef SUM
#undef NAME
