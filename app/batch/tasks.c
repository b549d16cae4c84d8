/* tasks.c: the executor's tasks: a file is opened, decoded, encoded, and gets its name.
 * app/file_plan.c has decided before which files may be read and written. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/codec/encoding.h"
#include "core/codec/part.h"
#include "core/codec/save.h"
#include "core/image/icc.h"
#include "core/image/narrow.h"
#include "core/run/rendering.h"

#include <errno.h>
#include <string.h>

#define RETRY_SECONDS 1.0 /* before an input is read again; twice as long each further time */

/* ---- opening ---- */

/* Settles, without decoding, whether there is anything to do. Outputs of files that came later are claimed now. */
static Status settle(const Batch *batch, Picture *picture) {
    const BatchFile *file = picture->file;
    const FileRules *rules = &batch->options->rules;
    picture->outcome = OUTCOME_SKIPPED;
    if (file->state == FILE_UNREADABLE)
        return fail(STATUS_INPUT, "%s: %s", file->input, file->reason);
    if (file->pack) {
        picture->journaled = pack_is_done(file->pack);
        if (!pack_is_left(file->pack))
            picture->outcome = batch->options->dry_run ? OUTCOME_PLANNED : OUTCOME_DONE;
        return STATUS_OK;
    }
    if (file->state != FILE_OPEN)
        return STATUS_OK;
    if (rules->journal)
        TRY(journal_is_done(rules->journal, file->input, file_plan_holder(file), file->output, &picture->journaled));
    if (picture->journaled)
        return STATUS_OK;
    const Status claimed = file->claim ? STATUS_OK : file_plan_claim(picture->file, rules);
    if (claimed != STATUS_OK)
        return fail_within(claimed, "%s: ", file->input);
    if (!(rules->skip_existing && output_exists(file->claim)))
        picture->outcome = batch->options->dry_run ? OUTCOME_PLANNED : OUTCOME_DONE;
    return STATUS_OK;
}

/* The format that an opened picture gets; NULL if the output's path names none. */
static const Format *output_format(const Batch *batch, const Picture *picture) {
    if (!picture->file->claim || !output_is_stdout(picture->file->claim))
        return format_for_path(picture->file->output);
    const char *name = batch->options->format;
    const Format *format = name ? format_by_name(name) : picture->codec.format;
    return format && format->writes ? format : format_default;
}

/* Bytes that decoding and encoding row by row take, besides the rows; 0 if a format cannot. */
static size_t row_working(const Batch *batch, const Picture *picture) {
    enum { ENCODER_BYTES = 2 << 20 };
    const Format *format = picture->format;
    const Output *claim = picture->file->claim; /* without it, a member of an archive, whose size comes before it */
    const bool can =
        format && format->write_rows && !batch->options->srgb && claim && !(format->seeks && output_is_stdout(claim));
    return can && codec_has_rows(&picture->codec) ? memory_sum(ENCODER_BYTES, picture->codec.measure.row_working) : 0;
}

/* Waits if no descriptor is left, since other works free theirs. */
static Status open_input(const char *path, Input *input) {
    enum { TRIES = 100 };
    const double pause = 0.02; /* s */
    for (int tries = 0;; tries++) {
        errno = 0;
        const Status status = input_open(path, input);
        if (status != STATUS_INPUT || (errno != EMFILE && errno != ENFILE) || tries == TRIES)
            return status;
        TRY(interruptible_sleep(pause));
    }
}

/* Reads a member of an archive into memory. The list has members in their order. */
static Status read_member(Batch *batch, const BatchFile *file, Bytes *bytes) {
    enum { SHARE = 2 };
    Status status = STATUS_OK;
    if (archive_is_behind(batch->archive, file->archive, file->member)) {
        archive_close(&batch->archive);
        batch->archive_info = (struct stat){0};
        (void)stat(file->archive, &batch->archive_info); /* once: a network takes its time */
        TRY(archive_open(file->archive, &batch->archive));
    }
    status = archive_go_to(batch->archive, file->member);
    if (status == STATUS_OK) {
        status = archive_read(batch->archive, memory_budget() / SHARE, bytes);
        if (status == STATUS_INPUT)
            status = fail_within(status, "%s: ", file->input);
    }
    if (status != STATUS_OK)
        archive_close(&batch->archive);
    return status;
}

/* Opens the input, and asks about the file that has its bytes; without an answer, *info has no size. */
static Status open_bytes(Batch *batch, const BatchFile *file, Input *input, struct stat *info) {
    Bytes bytes;
    *info = (struct stat){0};
    if (!file->archive) {
        TRY(open_input(file->input, input));
        (void)fstat(input->descriptor, info);
        return STATUS_OK;
    }
    TRY(read_member(batch, file, &bytes));
    *input = input_own(file->input, bytes);
    *info = batch->archive_info;
    return STATUS_OK;
}

static Status open_once(Batch *batch, Picture *picture) {
    const Pages pages = batch->options->pages;
    Input opened;
    Input *input = batch->input.descriptor >= 0 ? &batch->input : &opened;
    if (input == &opened)
        TRY(open_bytes(batch, picture->file, input, &picture->info));
    else
        (void)fstat(input->descriptor, &picture->info);
    picture->changed = picture->file->archive ? archive_changed(batch->archive) : picture->info.st_mtim.tv_sec;
    if (film_is_y4m(input->bytes)) {
        input_close(input);
        return fail(STATUS_INPUT,
                    "%s: is a film: one is filtered at a time, into a y4m (-o NAME.y4m) or Netpbm pictures (--format "
                    "ppm)",
                    picture->file->input);
    }
    TRY(codec_adopt(input, pages, sandbox_box(batch->sandbox), &picture->codec));
    if (batch->options->rules.journal && picture->codec.input.size < SIZE_MAX && picture->info.st_size > 0) {
        picture->opened = true;
        picture->codec.hash = &picture->hash;
        picture->fresh = journal_is_fresh(&picture->info);
    }
    return STATUS_OK;
}

/* Waits, longer each time; false once --retry is used up. Files of folders in networks come and go. */
static bool try_again(const Batch *batch, Status status, int tries) {
    enum { PAUSES = 6 }; /* each is twice as long as the one before: up to a minute */
    if (status != STATUS_INPUT || tries >= batch->options->retries)
        return false;
    char said[1024];
    snprintf(said, sizeof said, "%s", status_message());
    common_say(&batch->options->common, "%s; trying again", said);
    (void)interruptible_sleep((double)(1 << (tries < PAUSES ? tries : PAUSES)) * RETRY_SECONDS);
    return !interrupted();
}

/* How the picture wishes to pass, if it may. */
static unsigned wishes(const Batch *batch, const Picture *picture) {
    const CodecFile *codec = &picture->codec;
    const Format *to = picture->format;
    const Format *device = batch->codec ? batch->codec->format : NULL; /* that the devices' codec knows */
    unsigned all = batch->straight && codec->format->raw ? WISH_ROWS : 0;
    if (codec->format == device && !batch->options->srgb && codec_may_stay_encoded(codec))
        all |= WISH_DEVICE_DECODE;
    if (to && to->shell && to == device && to->shell->takes(&batch->options->save))
        all |= WISH_DEVICE_ENCODE;
    return all;
}

/* A picture with a gain map may pass as its HDR rendering, or become that for its format. */
static void plan_rendering(const Batch *batch, Picture *picture) {
    Work *work = &picture->work;
    if (work->gain_map.channels == 0 || (!batch->options->hdr && !rendering_is_wanted(picture->format)))
        return;
    work->wishes |= WISH_RENDERING;
    if (!batch->options->hdr)
        return;
    work->shape = rendering_shape(work->shape, work->gain_map);
    work->decoding = memory_sum(work->decoding, shape_bytes(work->shape));
    work->wishes &= ~(unsigned)WISH_DEVICE_DECODE;
}

/* Opens a picture only to explain its plan. */
static Status plan_file(Batch *batch, Picture *picture) {
    if (!batch->options->common.explain || picture->file->state != FILE_OPEN || survey_name(picture->file->input).film)
        return STATUS_OK;
    TRY(open_once(batch, picture));
    const Status status = report_planned(batch, codec_shape(&picture->codec), picture->codec.measure.premultiplied);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", picture->file->input);
}

/* False at the end. */
static bool next_file(Batch *batch, Picture *picture) {
    if (batch->watch)
        return watch_run_next(batch, picture);
    const size_t number = batch->shared ? cluster_next() : picture->work.number;
    picture->file = number < batch->list->count ? &batch->list->files[number] : NULL;
    return picture->file != NULL;
}

/* A member that is no picture goes from archive to archive as it is. */
static Status pass_member(Batch *batch, Picture *picture) {
    const BatchFile *file = picture->file;
    Packed packed = {0};
    TRY(read_member(batch, file, &packed.bytes));
    packed.changed = archive_changed(batch->archive);
    packed.from = batch->archive_info;
    picture->outcome = OUTCOME_PASSED;
    return pack_put(file->pack, file->slot, &packed);
}

/* Members that an archive of before has as they would be now are taken from there. */
static bool keep_member(const Batch *batch, Picture *picture) {
    packs_wait(batch->list->packs);
    picture->journaled = pack_keep(picture->file->pack, picture->file->slot);
    if (picture->journaled)
        picture->outcome = OUTCOME_SKIPPED;
    return picture->journaled;
}

static Status open_file(void *context, Work *work, Opened *opened) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    const BatchOptions *options = batch->options;
    Status status;
    *opened = OPENED_END;
    if (!next_file(batch, picture))
        return STATUS_OK;
    *opened = OPENED_SETTLED;
    work->name = picture->file->input;
    TRY(settle(batch, picture));
    if (picture->outcome == OUTCOME_PLANNED)
        return plan_file(batch, picture);
    if (picture->outcome != OUTCOME_DONE || (picture->file->pack && keep_member(batch, picture)))
        return STATUS_OK;
    if (picture->file->state == FILE_PASSED)
        return pass_member(batch, picture);
    for (int tries = 0; (status = open_once(batch, picture)) != STATUS_OK && try_again(batch, status, tries); tries++) {
    }
    if (status == STATUS_OK) {
        *opened = OPENED_WORK;
        work->shape = codec_shape(&picture->codec);
        work->gain_map = picture->codec.measure.gain_map;
        work->further = picture->codec.measure.count - 1;
        picture->format = output_format(batch, picture);
        work->as = (Encoding){picture->format, options->save, options->type_max};
        work->decoding = codec_memory(&picture->codec);
        work->carried = picture->codec.measure.carried;
        work->by_rows = row_working(batch, picture);
        work->wishes = wishes(batch, picture);
        plan_rendering(batch, picture);
    }
    return status;
}

/* ---- decoding and encoding ---- */

static Status read_file(Work *work, size_t max) {
    CodecFile *codec = &((Picture *)work)->codec;
    return work->wishes & WISH_DEVICE_DECODE ? codec_read_encoded(codec, max, &work->encoded, &work->image)
                                             : codec_read(codec, max, &work->image);
}

Status batch_to_srgb(Image *image, const char *name) {
    const Status status = icc_to_srgb(image, "--icc keep");
    return status == STATUS_OK ? status : fail_within(status, "%s: ", name);
}

/* Not all of the picture may be there. */
static void say_part(Batch *batch, const Picture *picture) {
    char words[PART_WORDS];
    if (part_describe(picture->codec.part, words, sizeof words) == 0)
        return;
    pthread_mutex_lock(&batch->report);
    progress_wipe(&batch->progress);
    common_say(&batch->options->common, "%s %s", picture->file->input, words);
    pthread_mutex_unlock(&batch->report);
}

static Status render(Work *work) {
    for (Image **each = &work->image; *each; each = &(*each)->next) {
        const Status status = rendering_make(each);
        if (status != STATUS_OK)
            return fail_within(status, "%s: ", work->name);
    }
    return STATUS_OK;
}

static Status decode_file(void *context, Work *work, size_t max) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    Status status = read_file(work, max);
    const bool is_file = strcmp(picture->file->input, "-") != 0 && !picture->file->archive; /* nor can a stream */
    for (int tries = 0; is_file && status != STATUS_OK && try_again(batch, status, tries); tries++) {
        status = open_once(batch, picture);
        if (status == STATUS_OK)
            status = read_file(work, max);
    }
    if (status == STATUS_OK)
        say_part(batch, picture);
    const bool converts =
        status == STATUS_OK && batch->options->srgb && !batch->sandbox; /* the sandbox has converted already */
    if (converts)
        TRY(batch_to_srgb(work->image, picture->file->input));
    return status == STATUS_OK && batch->options->hdr ? render(work) : status;
}

/* Decodes a picture that the device has refused. */
static Status unpack_file(void *context, Work *work) {
    (void)context;
    Image *about = work->image;
    const Status status = codec_decode(work->encoded.bytes, &work->image);
    if (status == STATUS_OK && about) { /* data behind the picture are not there any more */
        image_destroy(&work->image->gain_map);
        work->image->gain_map = about->gain_map;
        work->image->gain_curve = about->gain_curve;
        work->image->extras = about->extras;
        about->gain_map = NULL;
    }
    image_destroy(&about);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", work->name);
}

/* Encodes the pixels; or adds metadata to a picture that a device has encoded. */
static Status append_picture(Work *work, SaveOptions how) {
    Output *output = ((Picture *)work)->file->claim;
    const Format *format = ((Picture *)work)->format;
    Bytes file;
    if (!output) { /* a member of an archive */
        Bytes *made = &((Picture *)work)->made;
        return work->encoded.bytes.data ? codec_encode_about(format, work->image, work->encoded.bytes, how, made)
                                        : codec_encode_for(((Picture *)work)->file->output, work->image, how, made);
    }
    if (!work->encoded.bytes.data)
        return output_append_picture(output, output_is_stdout(output) ? format : NULL, work->image, how);
    TRY(codec_encode_about(format, work->image, work->encoded.bytes, how, &file));
    const Status status = output_append(output, file);
    bytes_free(&file);
    return status;
}

static Status encode_file(void *context, Work *work) {
    const Batch *batch = context;
    const BatchOptions *options = batch->options;
    const BatchFile *file = ((Picture *)work)->file;
    SaveOptions how = options->save;
    how.gives_up = true;
    how.lost = &((Picture *)work)->lost;
    if (options->strip)
        image_strip(work->image);
    if (!work->encoded.bytes.data)
        TRY(rendering_fit(((Picture *)work)->format, &how, &work->image));
    if (!work->encoded.bytes.data)
        TRY(image_narrow(&work->image, work->as.type_max));
    if (file->claim)
        TRY(output_make_folders(file->claim));
    if (!work->encoded.bytes.data)
        TRY(picture_fit_channels(((Picture *)work)->format, &work->image));
    return append_picture(work, how);
}

/* The journal knows an input that passes by rows by its size and time alone: for a hash it would be read once more. */
static Status open_source(void *context, Work *work, RowSource **from) {
    const Batch *batch = context;
    TRY(codec_read_rows(&((Picture *)work)->codec, from, &work->image));
    if (batch->options->strip)
        image_strip(work->image);
    return STATUS_OK;
}

static Status open_sink(void *context, Work *work, RowSink **to) {
    const Batch *batch = context;
    const BatchFile *file = ((Picture *)work)->file;
    SaveOptions how = batch->options->save;
    ByteSink *bytes;
    how.lost = &((Picture *)work)->lost;
    TRY(output_make_folders(file->claim));
    TRY(output_byte_sink(file->claim, &bytes));
    const PixelType type = work->image->view.shape.type;
    const bool narrows = type > work->as.type_max, premultiplied = work->image->premultiplied;
    if (narrows) {
        work->image->view.shape.type = work->as.type_max;
        work->image->premultiplied = false;
    }
    TRY(codec_write_rows(((Picture *)work)->format, work->image, how, bytes, to));
    return narrows ? narrow_rows(*to, type, premultiplied, to) : STATUS_OK;
}

/* ---- the end of a file ---- */

/* The journal knows of an output before the output has its name. */
static Status note_in_journal(const Batch *batch, const Picture *picture) {
    struct stat made, from = picture->info;
    const BatchFile *file = picture->file;
    if (!picture->codec.hash || !output_stat(file->claim, &made))
        return STATUS_OK;
    if (picture->fresh && picture->hash != 0)
        from.st_ino = 0; /* the journal then goes by its content alone */
    return journal_add(batch->options->rules.journal, file->input, &from, picture->hash, file->output, &made);
}

/* The journal learns of it when the archive is whole. */
static Status commit_member(Picture *picture) {
    Packed packed = {.bytes = picture->made, .changed = picture->changed, .hash = picture->hash};
    if (picture->codec.hash)
        packed.from = picture->info;
    if (picture->fresh && picture->hash != 0)
        packed.from.st_ino = 0;
    picture->made = (Bytes){0};
    return pack_put(picture->file->pack, picture->file->slot, &packed);
}

static Status commit_file(void *context, Work *work) {
    Picture *picture = (Picture *)work;
    bool skipped;
    if (picture->file->pack)
        return commit_member(picture);
    picture->again = !watch_run_was_whole(context, picture);
    if (picture->again)
        return STATUS_OK;
    TRY(note_in_journal(context, picture));
    TRY(output_finish(picture->file->claim, &skipped));
    if (skipped)
        picture->outcome = OUTCOME_SKIPPED;
    return STATUS_OK;
}

/* Stops this process, and keeps the others from beginning more files. */
static void stop(const Batch *batch, Work *work, bool drop) {
    if (batch->watch)
        folder_watch_end(batch->watch);
    if (batch->shared)
        cluster_take_all(batch->list->count);
    executor_stop(work, drop);
}

/* The first output that finds the disk full ends the run, since the others would, too. Works that end with it are not
 * reported. */
static Status end_if_full(Batch *batch, Work *work, Status status) {
    const Picture *picture = (const Picture *)work;
    const BatchFile *file = picture->file;
    const bool full = file->claim ? output_disk_is_full(file->claim) : file->pack && pack_disk_is_full(file->pack);
    if (status != STATUS_DEVICE || !full)
        return status;
    pthread_mutex_lock(&batch->report);
    const bool first = !batch->full[0];
    if (first)
        snprintf(batch->full, sizeof batch->full, "%s", status_message());
    pthread_mutex_unlock(&batch->report);
    if (first)
        stop(batch, work, true);
    return first ? status : STATUS_INTERRUPTED;
}

/* A member whose input failed has no place in its archive. Where the run or the machine failed it, there is none. */
static void settle_member(const BatchFile *file, Status status) {
    if (file->pack && (status == STATUS_INTERRUPTED || status == STATUS_DEVICE))
        pack_give_up(file->pack, status == STATUS_DEVICE ? "a member failed that may not fail another time"
                                                         : "the run ended before its last member");
    if (file->pack)
        pack_leave_out(file->pack, file->slot);
}

static void file_done(void *context, Work *work, Status status) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    status = end_if_full(batch, work, status);
    picture->again |= status == STATUS_INPUT && !watch_run_was_whole(batch, picture);
    if ((status != STATUS_OK || picture->again) && picture->file->claim)
        output_give_up(picture->file->claim);
    settle_member(picture->file, status);
    bytes_free(&picture->made);
    if (status != STATUS_INTERRUPTED && !picture->again) {
        if (status != STATUS_OK)
            picture->outcome = OUTCOME_FAILED;
        if (status != STATUS_OK && batch->options->stop_on_error)
            stop(batch, work, false);
        if (status == STATUS_OK)
            atomic_fetch_or(&batch->lost, picture->lost);
        report_file(batch, picture, status);
    }
    codec_close(&picture->codec);
    watch_run_done(batch, picture);
}

static void rows_passed(void *context, Work *work) {
    (void)context;
    codec_close(&((Picture *)work)->codec);
}

const ExecutorTasks batch_tasks = {.work_bytes = sizeof(Picture),
                                   .open = open_file,
                                   .decode = decode_file,
                                   .unpack = unpack_file,
                                   .encode = encode_file,
                                   .open_source = open_source,
                                   .open_sink = open_sink,
                                   .passed = rows_passed,
                                   .commit = commit_file,
                                   .done = file_done,
                                   .planned = report_plan};
