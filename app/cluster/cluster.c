/* cluster.c: how processes find each other, and how threads take turns with MPI. */
#include "app/cluster/cluster.h"

#include "app/cluster/supervisor.h"
#include "core/base/bytes.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/share.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A process has one number in one cluster. */
static struct {
    const Mpi *mpi; /* NULL: alone */
    int rank, size;
    pthread_mutex_t turn; /* of who calls the supervisor */
} own = {.size = 1, .turn = PTHREAD_MUTEX_INITIALIZER};

struct Listener {
    ClusterTake *take;
    void *context;
    pthread_t thread;
    atomic_bool waits; /* process 0 has nothing else to do */
    bool ended[];      /* by process: it has said its last */
};

#define PAUSE  0.005 /* s, between looks for messages */
#define LEAVES 0.7   /* s, that others get to end after a signal: mpirun kills after one */

/* Variables by which launchers number the processes that they have started. */
typedef struct Launcher {
    const char *rank, *size;
} Launcher;

/* Open MPI's mpirun, MPICH's and Intel's, srun with PMIx. */
static const Launcher mpi_launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
static const Launcher any_launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

/* The variable's whole number; false where it is not set, or is no such number. */
static bool read_number(const char *name, long *number) {
    const char *text = getenv(name);
    char *end;
    if (!text || *text == '\0')
        return false;
    *number = strtol(text, &end, 10);
    return *end == '\0';
}

/* The first launcher that has started several processes, or NULL. */
static const Launcher *find_launcher(const Launcher *launchers, size_t count, long *rank, long *size) {
    for (size_t i = 0; i < count; i++)
        if (read_number(launchers[i].rank, rank) && read_number(launchers[i].size, size) && *size > 1)
            return &launchers[i];
    return NULL;
}

/* ---- beginning and end ---- */

static uint64_t hash_text(const char *text) {
    return bytes_hash((Bytes){(unsigned char *)text, strlen(text)});
}

static bool same_in_all(int value) {
    return own.mpi->max(value) == -own.mpi->max(-value);
}

/* Processes of different commands would wait for each other, or leave work undone. */
static Status compare_arguments(int argc, char **argv) {
    uint64_t hash = (uint64_t)argc;
    for (int i = 1; i < argc; i++)
        hash = 31 * hash + hash_text(argv[i]);
    if (same_in_all((int)(hash >> 33)))
        return STATUS_OK;
    return fail(STATUS_USAGE, own.rank > 0 ? ""
                                           : "the processes of one launch work together, and these have different "
                                             "arguments");
}

/* This process's share of processors, which others of its node may be bound to as well. */
static int count_processors(int processes) {
    const int online = (int)sysconf(_SC_NPROCESSORS_ONLN) / processes, mine = (int)share_cores();
    const int share = mine < online ? mine : online;
    return share > 0 ? share : 1;
}

void cluster_devices(const char *wanted, int index, int count, char *list, size_t size) {
    list[0] = '\0';
    for (size_t i = backend_count(); i-- > 0;) {
        const Backend *backend = backend_at(i);
        int devices;
        size_t length = 0;
        const bool any = strcmp(wanted, "auto") == 0 && !backend->timeless;
        if (backend->host_frames || (!any && strcmp(wanted, backend->name) != 0) ||
            backend->device_count(&devices) != STATUS_OK || devices == 0)
            continue;
        for (int device = index % devices; device < devices && length < size; device += count)
            length += (size_t)snprintf(list + length, size - length, "%s%d", length > 0 ? "," : "", device);
        return;
    }
}

static void take_share(CommonOptions *options, char *devices, size_t size) {
    int index, count, processes, place;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"); /* launchers may have shared the devices out themselves */
    char memory[32];
    own.mpi->locate(MPI_KIND_NODE, &place, &processes);
    own.mpi->locate((int)(hash_text(visible ? visible : "") >> 33), &index, &count);
    if (options->threads == 0)
        options->threads = count_processors(processes);
    snprintf(memory, sizeof memory, "%zu", memory_budget() / (size_t)processes);
    if (!getenv("GLINT_MEMORY"))
        setenv("GLINT_MEMORY", memory, 0);
    cluster_devices(options->backend, index, count, devices, size);
    if (own.rank > 0) { /* process 0 speaks for all */
        options->quiet = true;
        options->explain = false;
        options->json = options->profile = NULL;
    }
}

Status cluster_begin(int argc, char **argv, CommonOptions *options, char *devices, size_t size) {
    long rank, processes;
    const Launcher *launcher =
        find_launcher(mpi_launchers, sizeof mpi_launchers / sizeof *mpi_launchers, &rank, &processes);
    devices[0] = '\0';
    if (!launcher)
        return STATUS_OK;
    TRY(supervisor_start(launcher->size, &own.mpi, &own.rank, &own.size));
    if (own.size == 1)
        return cluster_end(STATUS_OK);
    TRY(compare_arguments(argc, argv));
    take_share(options, devices, size);
    return STATUS_OK;
}

Status cluster_end(Status status) {
    const bool first = own.rank == 0;
    if (own.mpi)
        own.mpi->end();
    own.mpi = NULL;
    own.rank = 0;
    own.size = 1;
    return first ? status : STATUS_OK;
}

int cluster_rank(void) {
    return own.rank;
}

int cluster_size(void) {
    return own.size;
}

/* ---- together ---- */

Status cluster_agree(Status status) {
    if (own.size == 1)
        return status;
    const bool own_fault = status != STATUS_OK && status != STATUS_USAGE && status != STATUS_INTERRUPTED;
    if (own_fault && own.rank > 0)
        say(stderr, "glint: process %d: %s", own.rank, status_message());
    const Status worst = (Status)own.mpi->max((int)status);
    if (own.rank > 0)
        return worst == STATUS_OK ? STATUS_OK : fail(worst, "%s", "");
    return status != STATUS_OK || worst == STATUS_OK ? status : fail(worst, "another process failed");
}

void cluster_broadcast(void *data, size_t bytes) {
    if (own.size > 1)
        own.mpi->broadcast(data, bytes);
}

int cluster_min(int value) {
    return own.size > 1 ? -own.mpi->max(-value) : value;
}

/* ---- each for itself ---- */

void cluster_go_apart(void) {
    if (own.size > 1)
        supervisor_go_apart();
}

static int64_t add(int64_t addend) {
    pthread_mutex_lock(&own.turn);
    const int64_t before = own.mpi->add(addend);
    pthread_mutex_unlock(&own.turn);
    return before;
}

size_t cluster_next(void) {
    return (size_t)add(1);
}

void cluster_take_all(size_t count) {
    (void)add((int64_t)count);
}

void cluster_send(const void *data, size_t bytes) {
    pthread_mutex_lock(&own.turn);
    own.mpi->send(data, bytes);
    pthread_mutex_unlock(&own.turn);
}

void cluster_receive(int from, void *data, size_t bytes) {
    pthread_mutex_lock(&own.turn);
    own.mpi->receive(from, data, bytes);
    pthread_mutex_unlock(&own.turn);
}

/* A message that has come, to be freed; NULL if none has. */
static void *next_message(int *from, size_t *bytes) {
    void *data = NULL;
    pthread_mutex_lock(&own.turn);
    if (own.mpi->probe(from, bytes) && (data = malloc(*bytes + 1)))
        own.mpi->receive(*from, data, *bytes);
    pthread_mutex_unlock(&own.turn);
    return data;
}

/* Silence: a process is stopped, or is long at a file. */
static void say_silent(const Listener *listener) {
    for (int i = 1; i < own.size; i++)
        if (!listener->ended[i])
            say(stderr, "glint: nothing was heard for %d s, and process %d is waited for; is it stopped?", MPI_PATIENCE,
                i);
}

static void *listen(void *context) {
    Listener *listener = context;
    double left = LEAVES, silent = 0; /* s */
    for (int talking = own.size - 1; talking > 0 && left > 0;) {
        int from;
        size_t bytes;
        void *data = next_message(&from, &bytes);
        if (data && !listener->ended[from]) { /* one may be lost behind its last message */
            listener->ended[from] = listener->take(listener->context, from, data, bytes);
            talking -= listener->ended[from];
        } else if (!data)
            usleep((useconds_t)(PAUSE * 1e6));
        left -= !data && interrupted() ? PAUSE : 0;
        if (silent < MPI_PATIENCE) { /* it is said once */
            silent = data || !atomic_load(&listener->waits) ? 0 : silent + PAUSE;
            if (silent >= MPI_PATIENCE)
                say_silent(listener);
        }
        free(data);
    }
    return NULL;
}

Listener *cluster_listen(ClusterTake *take, void *context) {
    Listener *listener = calloc(1, sizeof *listener + (size_t)own.size * sizeof *listener->ended);
    if (!listener)
        return NULL;
    listener->take = take;
    listener->context = context;
    if (pthread_create(&listener->thread, NULL, listen, listener) == 0)
        return listener;
    free(listener);
    return NULL;
}

void cluster_listened(Listener **listener) {
    if (*listener) {
        atomic_store(&(*listener)->waits, true);
        pthread_join((*listener)->thread, NULL);
    }
    free(*listener);
    *listener = NULL;
}

/* ---- without MPI ---- */

/* The task's place in Slurm's array, from 0 on. */
static bool read_array(long *index, long *count) {
    long first = 0, step = 1;
    if (!read_number("SLURM_ARRAY_TASK_ID", index) || !read_number("SLURM_ARRAY_TASK_COUNT", count))
        return false;
    (void)read_number("SLURM_ARRAY_TASK_MIN", &first);
    (void)read_number("SLURM_ARRAY_TASK_STEP", &step);
    *index = (*index - first) / (step > 0 ? step : 1);
    return true;
}

Status cluster_shard(long *shard, long *shards) {
    long index = 0, count = 1, rank = 0, size = 1;
    const bool array = read_array(&index, &count);
    if (!find_launcher(any_launchers, sizeof any_launchers / sizeof *any_launchers, &rank, &size)) {
        rank = 0;
        size = 1;
        if (!array)
            return fail(STATUS_USAGE,
                        "--shard auto: there is neither a Slurm array (SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT), "
                        "nor a launcher of several processes; want I/N");
    }
    if (index < 0 || index >= count || rank < 0 || rank >= size)
        return fail(STATUS_USAGE,
                    "--shard auto: task %ld of %ld of the array, process %ld of %ld: there is no such part; an array "
                    "begins anywhere, and has no gaps",
                    index + 1, count, rank + 1, size);
    *shard = index * size + rank + 1;
    *shards = count * size;
    return STATUS_OK;
}
