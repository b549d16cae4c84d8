/* rungs.c: kernels as levels. A run copies the stage's frames to the kernel's process and back, which does not count.
 */
#include "kernel/rungs.h"

#include "core/base/file_identity.h"
#include "core/base/ledger.h"
#include "core/base/timing.h"
#include "core/device/added.h"
#include "core/device/occupancy.h"
#include "core/stage/op.h"
#include "kernel/host/host.h"
#include "kernel/stages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHAPES = 12, CAPABILITY = 80 }; /* pixels that a file is compiled for; PTX for all GPUs from Ampere on */

/* Code for pixels of one type and number of channels. */
typedef struct Compiled {
    PixelType type;
    int channels;
    uint64_t number;
    KernelBinary binary;
} Compiled;

typedef struct KernelFile {
    char *path;
    KernelKind kind;
    pthread_mutex_t lock;
    Compiled compiled[SHAPES];
    size_t compiled_count;
    double seconds;           /* that a run may take */
    FileIdentity taken, seen; /* as it was when it was compiled, and at the last look */
    struct stat read;         /* the file that was compiled, as the ledger knows it; or zeros */
    atomic_bool closed;
    pthread_mutex_t told; /* of the report */
    KernelReport report;
} KernelFile;

typedef struct Rung {
    Level level; /* first, so that a Level * is ours */
    char name[2 * KERNEL_NAME], idea[160];
    KernelFile *file;
    const Backend *backend;
    char kernel[KERNEL_NAME];
    pthread_mutex_t lock; /* of the host */
    KernelHost *host;     /* NULL until it runs */
    KernelAnswer answer;  /* of the last run */
    KernelRecord *record; /* of the last run that was recorded; or NULL */
    const char *ptx;      /* that it is of */
} Rung;

static KernelFile files[KERNEL_FILES_MAX];
static Rung rungs[KERNEL_RUNGS_MAX];
static atomic_size_t file_count, rung_count;       /* other threads read the lists while one appends */
static bool counts;                                /* kernel_rungs_count */
static _Thread_local const EmulatorWatch *watched; /* kernel_rungs_record */

/* ---- reports ---- */

static void report_free(KernelReport *report) {
    for (size_t i = 0; i < report->count; i++) {
        free(report->diagnostics[i].file);
        free(report->diagnostics[i].text);
    }
    free(report->diagnostics);
    *report = (KernelReport){.serial = report->serial};
}

void kernel_report_free(KernelReport *report) {
    report_free(report);
}

/* Takes the sentences of the compiler over. */
static void note_compiled(KernelFile *file, KernelBinary *binary, Status status) {
    pthread_mutex_lock(&file->told);
    report_free(&file->report);
    file->report.serial++;
    file->report.compiled = status == STATUS_OK;
    file->report.diagnostics = binary->diagnostics;
    file->report.count = binary->diagnostic_count;
    if (status != STATUS_OK)
        snprintf(file->report.why, sizeof file->report.why, "%s", status_message());
    binary->diagnostics = NULL;
    binary->diagnostic_count = 0;
    pthread_mutex_unlock(&file->told);
}

/* A kernel's fault, or that it ran without one: then the fault before is gone. */
static void note_run(KernelFile *file, const KernelFault *fault, Status status) {
    KernelReport *report = &file->report;
    pthread_mutex_lock(&file->told);
    if (report->compiled && (status == STATUS_INPUT || (status == STATUS_OK && report->why[0]))) {
        report->serial++;
        report->fault_line = status == STATUS_INPUT ? fault->line : 0;
        snprintf(report->why, sizeof report->why, "%s", status == STATUS_INPUT ? status_message() : "");
    }
    pthread_mutex_unlock(&file->told);
}

static Status copy_diagnostic(const KernelDiagnostic *from, KernelDiagnostic *to) {
    *to = *from;
    to->file = strdup(from->file);
    to->text = strdup(from->text);
    return to->file && to->text ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a compiler's words");
}

static Status copy_report(const KernelReport *from, KernelReport *to) {
    *to = *from;
    to->count = 0;
    to->diagnostics = from->count ? calloc(from->count, sizeof *to->diagnostics) : NULL;
    if (from->count && !to->diagnostics)
        return fail(STATUS_DEVICE, "no memory for a compiler's words");
    while (to->count < from->count) {
        const size_t i = to->count++;
        TRY(copy_diagnostic(&from->diagnostics[i], &to->diagnostics[i]));
    }
    return STATUS_OK;
}

Status kernel_file_report(size_t index, KernelReport *report) {
    KernelFile *file = &files[index];
    pthread_mutex_lock(&file->told);
    const Status status = copy_report(&file->report, report);
    pthread_mutex_unlock(&file->told);
    if (status != STATUS_OK)
        report_free(report);
    return status;
}

unsigned kernel_file_serial(size_t index) {
    KernelFile *file = &files[index];
    pthread_mutex_lock(&file->told);
    const unsigned serial = file->report.serial;
    pthread_mutex_unlock(&file->told);
    return serial;
}

/* ---- code ---- */

/* `again`: the file is watched. */
static Status compile(KernelFile *file, PixelType type, int channels, bool again, Compiled *compiled) {
    static _Atomic uint64_t numbers;
    const KernelTarget target = {.kind = file->kind,
                                 .capability = CAPABILITY,
                                 .type = pixel_type_name(type),
                                 .channels = channels,
                                 .again = again};
    *compiled = (Compiled){.type = type, .channels = channels, .number = ++numbers};
    const Status status = kernel_compile(file->path, &target, &compiled->binary);
    if (compiled->binary.log && compiled->binary.log[0] != '\0')
        fputs(compiled->binary.log, stderr);
    note_compiled(file, &compiled->binary, status);
    if (status != STATUS_OK)
        kernel_binary_free(&compiled->binary);
    return status;
}

/* The code for pixels of this shape, compiled once. */
static Status code_for(KernelFile *file, Shape shape, const Compiled **code) {
    Status status = STATUS_OK;
    size_t i = 0;
    pthread_mutex_lock(&file->lock);
    while (i < file->compiled_count &&
           (file->compiled[i].type != shape.type || file->compiled[i].channels != shape.channels))
        i++;
    if (i == file->compiled_count) {
        status = compile(file, shape.type, shape.channels, false, &file->compiled[i]);
        file->compiled_count += status == STATUS_OK;
    }
    *code = &file->compiled[i];
    pthread_mutex_unlock(&file->lock);
    return status;
}

static const KernelEntry *entry_of(const KernelBinary *binary, const char *name) {
    for (size_t i = 0; i < binary->kernel_count; i++)
        if (strcmp(binary->kernels[i].name, name) == 0)
            return &binary->kernels[i];
    return NULL;
}

/* ---- a run ---- */

static ImageView host_view(Frame frame, void *pixels) {
    return (ImageView){frame.shape, shape_row_bytes(frame.shape), pixels};
}

static Status fetch(Queue *queue, Frame from, ImageView to) {
    const Backend *backend = queue->device->backend;
    if (backend->host_frames) {
        view_copy(from, to);
        return STATUS_OK;
    }
    TRY(backend->download(queue, from, to));
    return backend->sync(queue);
}

static Status put(Queue *queue, ImageView from, Frame to) {
    const Backend *backend = queue->device->backend;
    if (backend->host_frames) {
        view_copy(from, to);
        return STATUS_OK;
    }
    TRY(backend->upload(queue, from, to));
    return backend->sync(queue);
}

static void flip_rows(ImageView view) {
    const size_t bytes = shape_row_bytes(view.shape);
    for (size_t top = 0, bottom = view.shape.height; top + 1 < bottom; top++) {
        unsigned char *a = view_row(view, top), *b = view_row(view, --bottom);
        for (size_t i = 0; i < bytes; i++) {
            const unsigned char kept = a[i];
            a[i] = b[i];
            b[i] = kept;
        }
    }
}

static Status fetch_inputs(Queue *queue, const Stage *stage, const KernelTask *task, unsigned char *memory) {
    for (int i = 0; i < task->count; i++) {
        const Frame *frame = kernel_stage_frame(stage, task, i);
        if (!frame || frame == &stage->out)
            continue;
        const ImageView view = kernel_stage_view(stage, task, i, memory);
        TRY(fetch(queue, *frame, view));
        if (kernel_stage_flips(stage, frame))
            flip_rows(view);
    }
    return kernel_stage_fill(stage, task, memory);
}

static Status put_result(Queue *queue, const Stage *stage, const KernelTask *task, unsigned char *memory, size_t used) {
    for (int i = 0; i < task->count; i++) {
        if (kernel_stage_frame(stage, task, i) != &stage->out)
            continue;
        const ImageView view = kernel_stage_view(stage, task, i, memory);
        if (kernel_stage_flips(stage, &stage->out))
            flip_rows(view);
        return put(queue, view, stage->out);
    }
    const ImageView result = host_view(stage->out, memory + task_place(used)); /* sums or counts, in the room behind */
    kernel_stage_read(stage, task, memory, result);
    return put(queue, result, stage->out);
}

/* For people who look at a rung's use of a multiprocessor. */
static void note_facts(const Rung *rung, const KernelEntry *kernel) {
    const KernelFacts *facts = &rung->answer.facts;
    const Multiprocessor *multiprocessor = multiprocessor_find(facts->capability / 10, facts->capability % 10);
    const int threads = kernel->block[0] * kernel->block[1];
    Occupancy occupancy;
    LaunchFacts launch = {.registers = facts->registers,
                          .shared_bytes = facts->shared_bytes,
                          .threads = threads,
                          .blocks = facts->blocks,
                          .major = facts->capability / 10,
                          .minor = facts->capability % 10};
    if (facts->registers <= 0 || !multiprocessor ||
        occupancy_of(multiprocessor, facts->registers, facts->shared_bytes, threads, &occupancy) != STATUS_OK)
        return;
    launch.occupancy = (double)(facts->blocks * threads) / multiprocessor->threads;
    launch.limit = launch.occupancy < 1 ? occupancy_limit_names[occupancy.limit] : NULL;
    ladder_note_facts(&rung->level, &launch);
}

/* Takes the record out of the common memory. */
static Status keep_record(Rung *rung, const unsigned char *memory, const KernelTask *task, const Compiled *code) {
    if (!task->record_offset)
        return STATUS_OK;
    if (!rung->record)
        rung->record = malloc(sizeof *rung->record);
    if (!rung->record)
        return fail(STATUS_DEVICE, "no memory for the record of a run");
    memcpy(rung->record, memory + task->record_offset, sizeof *rung->record);
    kernel_record_clean(rung->record);
    rung->ptx = (const char *)code->binary.bytes.data;
    return STATUS_OK;
}

static Status run_locked(Rung *rung, Queue *queue, const Stage *stage, double *ms) {
    const Shape shape = kernel_stage_shape(stage);
    const Compiled *code;
    KernelTask task = {.channels = shape.channels, .runs = 1, .checks = true, .counts = counts};
    TaskMemory *memory;
    if (atomic_load(&rung->file->closed))
        return fail(STATUS_USAGE, "%s was closed", rung->file->path);
    TRY(code_for(rung->file, shape, &code));
    const KernelEntry *entry = entry_of(&code->binary, rung->kernel);
    if (!entry)
        return fail(STATUS_INPUT, "%s: no kernel \"%s\" for %s pixels of %d channels", rung->file->path, rung->kernel,
                    pixel_type_name(shape.type), shape.channels);
    task.kernel = *entry;
    task.binary = code->number;
    task.binary_offset = task_place(sizeof *memory);
    task.binary_bytes = code->binary.bytes.size + (rung->file->kind == KERNEL_PTX); /* with the zero behind it */
    const size_t used = kernel_stage_describe(stage, &task, task.binary_offset + task.binary_bytes);
    if (!rung->host)
        TRY(kernel_host_open(rung->backend->name, 0, rung->file->seconds, &rung->host));
    const size_t result = task_place(used) + shape_bytes(stage->out.shape);
    if (watched) {
        task.record_offset = task_place(result);
        task.watch = *watched;
    }
    const size_t all = watched ? task.record_offset + sizeof(KernelRecord) : result;
    TRY(kernel_host_memory(rung->host, all, &memory));
    unsigned char *bytes = (unsigned char *)memory;
    memory->task = task;
    memcpy(bytes + task.binary_offset, code->binary.bytes.data, task.binary_bytes);
    if (task.record_offset) /* a device that makes none leaves it empty */
        memset(bytes + task.record_offset, 0, offsetof(KernelRecord, row));
    TRY(fetch_inputs(queue, stage, &task, bytes));
    TRY(kernel_host_run(rung->host, queue->stop, &rung->answer));
    *ms = rung->answer.ms[0];
    note_facts(rung, &task.kernel);
    TRY(keep_record(rung, bytes, &task, code));
    return put_result(queue, stage, &task, bytes, used);
}

static Status run(Queue *queue, const Stage *stage) {
    Rung *rung = (Rung *)queue->level;
    const double from = clock_ms();
    double ms = 0;
    pthread_mutex_lock(&rung->lock);
    const Status status = run_locked(rung, queue, stage, &ms);
    note_run(rung->file, &rung->answer.fault, status);
    pthread_mutex_unlock(&rung->lock);
    queue_tell(queue, ms, clock_ms() - from);
    return status;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return kernel_stage_accepts(stage, why_not);
}

/* ---- adding ---- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static Status add_rung(KernelFile *file, const KernelEntry *entry, const Backend *backend) {
    const Op *op = kernel_op(entry->operation);
    const size_t count = atomic_load(&rung_count);
    if (count == KERNEL_RUNGS_MAX)
        return fail(STATUS_USAGE, "%s: no more than %d kernels can be added", file->path, KERNEL_RUNGS_MAX);
    Rung *rung = &rungs[count];
    rung->file = file;
    rung->backend = backend;
    snprintf(rung->kernel, sizeof rung->kernel, "%s", entry->name);
    snprintf(rung->idea, sizeof rung->idea, "a kernel of your own, line %d of %s", entry->line, file_name(file->path));
    snprintf(rung->name, sizeof rung->name, "%s", entry->name);
    if (level_by_name(backend, op, rung->name))
        snprintf(rung->name, sizeof rung->name, "%s:%s", entry->name, file_name(file->path));
    rung->level = (Level){.op = op,
                          .name = rung->name,
                          .idea = rung->idea,
                          .allows = kernel_stage_allows,
                          .raced = true,
                          .accepts = accepts,
                          .run = run};
    pthread_mutex_init(&rung->lock, NULL);
    TRY(ladder_add(backend, &rung->level));
    atomic_store(&rung_count, count + 1);
    return STATUS_OK;
}

static bool is_added(const KernelFile *file, const KernelEntry *entry, const Backend *backend) {
    for (size_t i = 0; i < rung_count; i++)
        if (rungs[i].file == file && rungs[i].backend == backend && strcmp(rungs[i].kernel, entry->name) == 0)
            return true;
    return false;
}

/* Adds the kernels that are not there yet. */
static Status add_kernels(KernelFile *file, const KernelBinary *binary) {
    static const char *const of_kinds[][2] = {[KERNEL_PTX] = {"cuda", "emulated"}, [KERNEL_CPU] = {"cpu", NULL}};
    const char *const *backends = of_kinds[file->kind];
    bool any = false;
    for (int b = 0; b < 2 && backends[b]; b++) {
        const Backend *backend = backend_by_name(backends[b]);
        int count;
        if (backend && backend->level_count == 0) /* the levels of a module are known once that is loaded */
            (void)backend->device_count(&count);
        for (size_t i = 0; backend && i < binary->kernel_count; i++)
            if (!is_added(file, &binary->kernels[i], backend))
                TRY(add_rung(file, &binary->kernels[i], backend));
        any |= backend != NULL;
    }
    return any ? STATUS_OK
               : fail(STATUS_DEVICE, "%s: neither a GPU nor the emulated one is in this build to run it", file->path);
}

static FileIdentity look(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? file_identity(&info) : (FileIdentity){0};
}

/* Notes the file that is about to be compiled. */
static void take_identity(KernelFile *file) {
    if (stat(file->path, &file->read) != 0)
        file->read = (struct stat){0};
    file->taken = file->read.st_ino ? file_identity(&file->read) : (FileIdentity){0};
}

/* A file that was closed is there again. */
static Status open_again(size_t index) {
    KernelFile *file = &files[index];
    if (!atomic_load(&file->closed))
        return fail(STATUS_USAGE, "%s is open already", file->path);
    atomic_store(&file->closed, false);
    return kernel_file_reload(index);
}

Status kernel_rungs_add(const char *path, double seconds) {
    const Compiled *code;
    const size_t count = atomic_load(&file_count), known = kernel_file_find(path);
    KernelFile *file = &files[count];
    if (known < count)
        return open_again(known);
    if (count == KERNEL_FILES_MAX)
        return fail(STATUS_USAGE, "%s: no more than %d kernel files can be given", path, KERNEL_FILES_MAX);
    TRY(kernel_kind(path, &file->kind));
    file->path = strdup(path);
    if (!file->path)
        return fail(STATUS_DEVICE, "no memory for %s", path);
    file->seconds = seconds;
    pthread_mutex_init(&file->lock, NULL);
    pthread_mutex_init(&file->told, NULL);
    atomic_store(&file_count, count + 1);
    take_identity(file);
    TRY(code_for(file, (Shape){1, 1, 3, PIXEL_U8}, &code));
    return add_kernels(file, &code->binary);
}

void kernel_rungs_count(void) {
    counts = true;
}

void kernel_rungs_record(const EmulatorWatch *watch) {
    watched = watch;
}

const char *kernel_file_at(size_t index) {
    return index < atomic_load(&file_count) ? files[index].path : NULL;
}

size_t kernel_file_find(const char *path) {
    size_t i = 0;
    while (kernel_file_at(i) && strcmp(files[i].path, path) != 0)
        i++;
    return i;
}

void kernel_file_close(size_t index) {
    atomic_store(&files[index].closed, true);
}

bool kernel_file_closed(size_t index) {
    return atomic_load(&files[index].closed);
}

/* A file that editors have put another one in the place of is no input any more: its inode may become an output's. */
static void forget_replaced(KernelFile *file, FileIdentity now) {
    if (file->read.st_ino == 0 || (now.inode == file->read.st_ino && now.device == file->read.st_dev))
        return;
    ledger_forget(&file->read);
    file->read = (struct stat){0};
}

bool kernel_file_changed(size_t index) {
    KernelFile *file = &files[index];
    if (atomic_load(&file->closed))
        return false;
    const FileIdentity now = look(file->path);
    forget_replaced(file, now);
    const bool whole = now.inode > 0 && file_identity_same(now, file->seen); /* who saves by renaming brings it back */
    file->seen = now;
    return whole && !file_identity_same(now, file->taken);
}

/* Holds up, or lets go on, the runs of a file's kernels. */
static void hold_runs(const KernelFile *file, size_t count, int (*hold)(pthread_mutex_t *)) {
    for (size_t i = 0; i < count; i++)
        if (rungs[i].file == file)
            hold(&rungs[i].lock);
}

/* Records of code that goes away. */
static void drop_records(const KernelFile *file, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rungs[i].file == file) {
            free(rungs[i].record);
            rungs[i].record = NULL;
        }
}

Status kernel_file_reload(size_t index) {
    KernelFile *file = &files[index];
    const size_t held = rung_count;
    Compiled compiled = {.type = PIXEL_U8, .channels = 3};
    if (file->compiled_count > 0) /* for the pixels that it ran on last */
        compiled = file->compiled[file->compiled_count - 1];
    take_identity(file);
    TRY(compile(file, compiled.type, compiled.channels, true, &compiled));
    hold_runs(file, held, pthread_mutex_lock);
    drop_records(file, held);
    for (size_t i = 0; i < file->compiled_count; i++)
        kernel_binary_free(&file->compiled[i].binary);
    file->compiled[0] = compiled;
    file->compiled_count = 1;
    hold_runs(file, held, pthread_mutex_unlock);
    return add_kernels(file, &compiled.binary);
}

const Level *kernel_rung_at(size_t index, const Backend **backend) {
    *backend = index < rung_count ? rungs[index].backend : NULL;
    return index < rung_count ? &rungs[index].level : NULL;
}

bool kernel_rung_closed(const Level *level) {
    for (size_t i = 0; i < rung_count; i++)
        if (level == &rungs[i].level)
            return atomic_load(&rungs[i].file->closed);
    return false;
}

bool kernel_rung(const Level *level, const char **path, const char **name) {
    for (size_t i = 0; i < rung_count; i++)
        if (level == &rungs[i].level) {
            *path = rungs[i].file->path;
            *name = rungs[i].kernel;
            return true;
        }
    return false;
}

const KernelAnswer *kernel_rung_answer(const Level *level) {
    return &((const Rung *)level)->answer;
}

const KernelRecord *kernel_rung_record(const Level *level, const char **ptx) {
    const Rung *rung = (const Rung *)level;
    *ptx = rung->record ? rung->ptx : NULL;
    return rung->record;
}
