/* server.c: the process in which kernels run: it maps the common memory, and answers each GO. A kernel that ends it
 * harms nothing else. */
#include "kernel/host/server.h"

#include "kernel/host/device.h"
#include "kernel/parameters.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool host_fault(KernelAnswer *answer, KernelFaultKind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answer->fault.text, sizeof answer->fault.text, format, arguments);
    va_end(arguments);
    answer->fault.kind = kind;
    return false;
}

bool host_astray(KernelAnswer *answer, const char *deed, const char *parameter, const void *memory, size_t bytes,
                 const void *at) {
    const ptrdiff_t offset = (const unsigned char *)at - (const unsigned char *)memory;
    return offset < 0
               ? host_fault(answer, KERNEL_OUT_OF_BOUNDS, "%s %td bytes in front of %s", deed, -offset, parameter)
               : host_fault(answer, KERNEL_OUT_OF_BOUNDS, "%s byte %td behind the end of %s", deed,
                            offset - (ptrdiff_t)bytes + 1, parameter);
}

bool host_fits(KernelAnswer *answer, const char *name, size_t room, size_t bytes) {
    return bytes <= room ||
           host_fault(answer, KERNEL_RESOURCES, "has room for %zu bytes in %s, want %zu", room, name, bytes);
}

/* ---- the extent of a launch ---- */

static void extent_of(const TaskParameter *work, unsigned extent[2]) {
    const ParameterValue *value = &work->value;
    extent[1] = 1;
    if (work->kind == PARAMETER_VECTOR) {
        extent[0] = (unsigned)value->vector.count;
    } else if (work->kind == PARAMETER_MATRIX) {
        extent[0] = (unsigned)value->matrix.width;
        extent[1] = (unsigned)value->matrix.height;
    } else {
        extent[0] = (unsigned)value->picture.width;
        extent[1] = (unsigned)value->picture.height;
    }
}

static unsigned blocks_for(unsigned extent, int covered) {
    return (extent + (unsigned)covered - 1) / (unsigned)covered;
}

void host_grid(const KernelTask *task, unsigned grid[3], size_t *shared) {
    const KernelEntry *kernel = &task->kernel;
    const int across = kernel->block[0] * kernel->pixels[0], down = kernel->block[1] * kernel->pixels[1];
    const int work = kernel_parameters[kernel->operation].work;
    unsigned extent[2];
    extent_of(&task->parameters[work], extent);
    grid[0] = task->parameters[work].kind == PARAMETER_VECTOR ? blocks_for(extent[0], across * down)
                                                              : blocks_for(extent[0], across);
    grid[1] = blocks_for(extent[1], down);
    grid[2] = 1;
    *shared = kernel->shared > 0 ? (size_t)kernel->shared : 0;
    if (kernel->shared < 0) { /* HALO */
        const KernelMask *mask = &task->parameters[2].value.mask;
        const int halo[2] = {kernel->operation == GLINT_convolve ? mask->width - 1 : 0,
                             kernel->operation == GLINT_convolve ? mask->height - 1 : 0};
        *shared = (size_t)-kernel->shared * (size_t)(across + halo[0]) * (size_t)(down + halo[1]);
    }
}

/* ---- tasks ---- */

typedef struct Server {
    const HostDevice *device;
    int index;
    bool open;
    uint64_t binary; /* the code that is loaded; 0: none */
    unsigned char *memory;
    size_t bytes;
} Server;

static KernelAnswer *under_way; /* the answer to the last GO */

/* Without its socket, the process has nothing to do any more. */
static void tell(char letter) {
    if (send(SERVER_SOCKET, &letter, 1, MSG_NOSIGNAL) == 1)
        return;
    if (errno == EBADF || errno == ENOTSOCK)
        host_fault(under_way, KERNEL_OTHER, "closes the descriptors of its process");
    _exit(1);
}
static void tell_ran(void) {
    tell(TASK_RAN);
}

static void point_to(TaskParameter *parameter, void *memory) {
    ParameterValue *value = &parameter->value;
    switch (parameter->kind) {
    case PARAMETER_PICTURE:
        value->picture.values = memory;
        break;
    case PARAMETER_MASK:
        value->mask.weights = memory;
        value->mask.across =
            value->mask.separable ? value->mask.weights + value->mask.width * value->mask.height : NULL;
        value->mask.down = value->mask.separable ? value->mask.across + value->mask.width : NULL;
        break;
    case PARAMETER_VECTOR:
        value->vector.values = memory;
        break;
    case PARAMETER_MATRIX:
        value->matrix.values = memory;
        break;
    case PARAMETER_SPHERES:
        value->spheres.list = memory;
        break;
    case PARAMETER_SUMS:
    case PARAMETER_COUNTS:
        value->pointer = memory;
        break;
    default:
        break;
    }
}

/* Pictures and matrices that a kernel makes stay as the device took them, so that a value that is not written shows. */
static bool is_blank(const KernelParameter *row) {
    return row->result && (row->kind == PARAMETER_PICTURE || row->kind == PARAMETER_MATRIX);
}

static bool place_parameters(const Server *server, const KernelTask *task, TaskParameter *parameters, void **places,
                             KernelAnswer *answer) {
    const KernelParameter *rows = kernel_parameters[task->kernel.operation].parameters;
    for (int i = 0; i < task->count; i++) {
        parameters[i] = task->parameters[i];
        places[i] = NULL;
        if (parameters[i].bytes == 0)
            continue;
        if (!server->device->take(parameters[i].bytes, rows[i].name, &places[i], answer))
            return false;
        if (!is_blank(&rows[i]) &&
            !server->device->put(places[i], server->memory + parameters[i].offset, parameters[i].bytes, answer))
            return false;
        point_to(&parameters[i], places[i]);
    }
    return true;
}

static bool fill_constants(const Server *server, const KernelTask *task, KernelAnswer *answer) {
    for (int i = 0; i < task->count; i++) {
        const TaskParameter *parameter = &task->parameters[i];
        const char *name = parameter->kind == PARAMETER_MASK      ? "constant_weights"
                           : parameter->kind == PARAMETER_SPHERES ? "constant_spheres"
                                                                  : NULL;
        const size_t bytes =
            parameter->kind == PARAMETER_MASK
                ? (size_t)parameter->value.mask.width * (size_t)parameter->value.mask.height * sizeof(float)
                : parameter->bytes;
        if (name && !server->device->constant(name, server->memory + parameter->offset, bytes, answer))
            return false;
    }
    return true;
}

static bool fetch_results(const Server *server, const KernelTask *task, void *const *places, KernelAnswer *answer) {
    bool fetched = true;
    for (int i = 0; i < task->count && fetched; i++)
        if (places[i])
            fetched = server->device->get(server->memory + task->parameters[i].offset, places[i],
                                          task->parameters[i].bytes, answer);
    return fetched;
}

static bool work(Server *server, const KernelTask *task, KernelAnswer *answer) {
    const HostDevice *device = server->device;
    TaskParameter parameters[TASK_PARAMETERS];
    void *places[TASK_PARAMETERS];
    const HostCall call = {task, parameters,
                           task->record_offset ? (KernelRecord *)(server->memory + task->record_offset) : NULL,
                           tell_ran};
    if (!server->open && !device->open(server->index, answer))
        return false;
    server->open = true;
    if (task->binary != server->binary && !device->load(task, server->memory + task->binary_offset, answer))
        return false;
    server->binary = task->binary;
    if (!place_parameters(server, task, parameters, places, answer) || !fill_constants(server, task, answer))
        return false;
    tell(TASK_READY);
    if (!device->run(&call, answer) || !fetch_results(server, task, places, answer))
        return false;
    device->give_back();
    return true;
}

/* Maps the common memory again where it has grown. */
static bool map_memory(Server *server) {
    struct stat info;
    if (fstat(SERVER_MEMORY, &info) != 0)
        return false;
    if ((size_t)info.st_size == server->bytes)
        return true;
    if (server->memory)
        munmap(server->memory, server->bytes);
    void *mapped = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, SERVER_MEMORY, 0);
    if (mapped == MAP_FAILED)
        return false;
    server->memory = mapped;
    server->bytes = (size_t)info.st_size;
    return true;
}

static _Noreturn void serve(Server *server) {
    char letter;
    while (recv(SERVER_SOCKET, &letter, 1, 0) == 1 && map_memory(server)) {
        TaskMemory *memory = (TaskMemory *)server->memory;
        memset(&memory->answer, 0, sizeof memory->answer);
        under_way = &memory->answer;
        const KernelTask task = memory->task; /* a kernel may write anywhere */
        if (!work(server, &task, &memory->answer))
            server->binary = 0;
        tell(TASK_DONE);
    }
    _exit(0);
}

/* A kernel that ends the process ends it at once: nothing of the program's is left to be done. */
static void leave(int status, void *nothing) {
    (void)nothing;
    (void)fflush(stdout);
    _exit(status);
}

/* Ends with the program, and not by signals that are for that. Where memory runs out, this process goes first. */
static void settle(void) {
    static const int of_who_asks[] = {SIGINT, SIGTERM, SIGHUP};
    const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NAME, KERNEL_SERVER);
    for (size_t i = 0; i < sizeof of_who_asks / sizeof *of_who_asks; i++)
        signal(of_who_asks[i], SIG_IGN);
    if (score >= 0) {
        (void)!write(score, "1000", 4);
        close(score);
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)on_exit(leave, NULL);
}

void kernel_host_serve_if_asked(char **argv) {
    static const HostDevice *const devices[] = {
        &host_cpu,
        &host_emulated,
#ifdef GLINT_HAS_CUDA
        &host_cuda,
#endif
    };
    if (!argv[0] || strcmp(argv[0], KERNEL_SERVER) != 0 || !argv[1] || !argv[2])
        return;
    settle();
    Server server = {.index = (int)strtol(argv[2], NULL, 10)};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i]->name, argv[1]) == 0)
            server.device = devices[i];
    if (server.device)
        serve(&server);
    _exit(1);
}
