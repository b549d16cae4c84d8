/* team.c: threads that wait for work, a gate that they enter by, and the order of their waits. */
#include "cpu/team.h"

#include "core/base/thread.h"
#include "core/base/timing.h"
#include "core/device/backend.h"
#include "core/device/partial.h"
#include "cpu/device.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* The gate: whether work is open to others, how many of them are at it, and which work it is. */
#define OPEN          UINT64_C(1)
#define INSIDE        UINT64_C(2)
#define TURN          UINT64_C(0x10000)
#define AT_WORK(gate) ((gate) % TURN / INSIDE)

/* Nobody pauses while looking: hypervisors take a processor away that pauses often. */
enum {
    SPINS = 100000, /* looks before a thread sleeps: some 100 us */
    PIECES = 8,     /* for each thread, so that one that is late or slow holds up little */
    ROWS_TOGETHER = 16,
    FEW_ROWS = 64, /* of pictures that may be done before another thread has taken notice */
    LOOK_EVERY = 4 /* of their rows, one look at the clock */
};
static const double alone_ms = 0.003; /* another thread's help with less costs more than it saves */

/* The pieces that a thread takes first: the next of them, and the end. A picture's rows thus lie in the cache of the
 * core that wrote them, when the next operation reads them. */
typedef struct Share {
    _Alignas(64) atomic_size_t next;
    size_t end;
} Share;

struct Team {
    size_t count; /* of threads that help */
    pthread_t *threads;
    size_t places;          /* of threads, that the system may not all give */
    atomic_int *processors; /* each place: that its thread was seen on last */
    Share *shares;          /* these: of the turn that is open; one for each place */
    TeamWork *work;
    const void *job;
    size_t pieces;
    const Queue *queue;
    _Alignas(64) _Atomic uint64_t gate;
    atomic_bool quits;
    atomic_size_t asleep; /* helpers */
    atomic_bool waits;    /* the one that asks */
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
};

typedef struct Helper {
    Team *team;
    size_t number;
} Helper;

/* A thread that finds itself on the processor of one before it leaves for another. A thread often begins on the
 * processor of the one that woke it, and systems take their time to part the two. */
static void part(Team *team, size_t thread) {
#if defined(__linux__)
    const int here = sched_getcpu();
    bool shared = false;
    cpu_set_t all, others;
    atomic_store(&team->processors[thread], here);
    for (size_t i = 0; i < thread; i++)
        shared |= atomic_load(&team->processors[i]) == here;
    if (!shared || sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    others = all;
    for (size_t i = 0; i < team->places; i++) {
        const int taken = atomic_load(&team->processors[i]);
        if (taken >= 0 && taken < CPU_SETSIZE)
            CPU_CLR((size_t)taken, &others);
    }
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0)
        return;
    sched_setaffinity(0, sizeof all, &all); /* to be moved again by the system as it likes */
    atomic_store(&team->processors[thread], sched_getcpu());
#else
    (void)team, (void)thread;
#endif
}

/* Its own pieces, then those that others have left. */
static void take_pieces(Team *team, size_t thread) {
    for (size_t k = 0; k < team->places; k++) {
        Share *share = &team->shares[(thread + k) % team->places];
        for (size_t i; (i = atomic_fetch_add(&share->next, 1)) < share->end && !queue_stops(team->queue);)
            team->work(team->job, i, thread);
    }
}

/* Whether there is work of another turn than `last`, or none will come. */
static bool calls(Team *team, uint64_t last) {
    const uint64_t gate = atomic_load(&team->gate);
    return ((gate & OPEN) && gate / TURN != last) || atomic_load(&team->quits);
}

static void await_work(Team *team, uint64_t last) {
    for (int i = 0; i < SPINS; i++) {
        if (calls(team, last))
            return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (!calls(team, last))
        pthread_cond_wait(&team->begins, &team->lock);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

static void leave(Team *team) {
    const uint64_t left = atomic_fetch_sub(&team->gate, INSIDE) - INSIDE;
    if ((left & OPEN) || AT_WORK(left) > 0 || !atomic_load(&team->waits))
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_signal(&team->ends);
    pthread_mutex_unlock(&team->lock);
}

static void *help(void *helper) {
    const Helper own = *(Helper *)helper;
    Team *team = own.team;
    uint64_t last = 0;
    free(helper);
    for (;;) {
        await_work(team, last);
        if (atomic_load(&team->quits))
            return NULL;
        part(team, own.number);
        uint64_t gate = atomic_load(&team->gate);
        if (!(gate & OPEN) || !atomic_compare_exchange_strong(&team->gate, &gate, gate + INSIDE))
            continue;
        last = gate / TURN;
        take_pieces(team, own.number);
        leave(team);
    }
}

/* With as many helpers as the system gives, at most `count`; NULL if memory is short. */
static Team *team_create(size_t count) {
    Team *team = aligned_alloc(64, sizeof *team);
    if (!team)
        return NULL;
    *team = (Team){.threads = calloc(count, sizeof *team->threads),
                   .places = count + 1,
                   .processors = calloc(count + 1, sizeof *team->processors),
                   .shares = aligned_alloc(64, (count + 1) * sizeof(Share))};
    for (size_t i = 0; team->processors && i <= count; i++)
        atomic_init(&team->processors[i], -1);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begins, NULL);
    pthread_cond_init(&team->ends, NULL);
    while (team->threads && team->processors && team->shares && team->count < count) {
        Helper *helper = malloc(sizeof *helper);
        if (!helper)
            break;
        *helper = (Helper){team, team->count + 1};
        if (!thread_begin(&team->threads[team->count], NULL, help, helper)) {
            free(helper);
            break;
        }
        team->count++;
    }
    return team;
}

void team_free(Team **team) {
    Team *ended = *team;
    if (!ended)
        return;
    pthread_mutex_lock(&ended->lock);
    atomic_store(&ended->quits, true);
    pthread_cond_broadcast(&ended->begins);
    pthread_mutex_unlock(&ended->lock);
    for (size_t i = 0; i < ended->count; i++)
        pthread_join(ended->threads[i], NULL);
    pthread_mutex_destroy(&ended->lock);
    pthread_cond_destroy(&ended->begins);
    pthread_cond_destroy(&ended->ends);
    free(ended->threads);
    free(ended->processors);
    free(ended->shares);
    free(ended);
    *team = NULL;
}

static void wake(Team *team) {
    const size_t asleep = atomic_load(&team->asleep);
    if (asleep == 0)
        return;
    pthread_mutex_lock(&team->lock);
    if (team->pieces > asleep)
        pthread_cond_broadcast(&team->begins);
    else
        for (size_t i = 1; i < team->pieces; i++)
            pthread_cond_signal(&team->begins);
    pthread_mutex_unlock(&team->lock);
}

/* No thread enters any more; those that have are waited for. */
static void close_gate(Team *team) {
    atomic_fetch_and(&team->gate, ~OPEN);
    for (int i = 0; i < SPINS; i++) {
        if (AT_WORK(atomic_load(&team->gate)) == 0)
            return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->waits, true);
    while (AT_WORK(atomic_load(&team->gate)) > 0)
        pthread_cond_wait(&team->ends, &team->lock);
    atomic_store(&team->waits, false);
    pthread_mutex_unlock(&team->lock);
}

/* Pieces of a result that can be seen while it is made. */
typedef struct Shown {
    Partial *partial;
    const Queue *queue;
    const uint32_t *order;
    TeamWork *work;
    const void *job;
} Shown;

static void show_piece(const void *job, size_t piece, size_t thread) {
    const Shown *shown = job;
    shown->work(shown->job, shown->order[piece], thread);
    if (!queue_stops(shown->queue)) /* else it may have ended between rows */
        partial_add(shown->partial, shown->order[piece]);
}

static size_t all_threads(const Queue *queue) {
    return (size_t)queue->device->threads;
}

/* Shares of equal size; or, where pieces have an order, one that all take from. */
static void cut_shares(Team *team, size_t pieces, bool ordered) {
    for (size_t i = 0; i < team->places; i++) {
        const size_t begin = ordered ? 0 : pieces * i / team->places;
        team->shares[i].end = ordered ? (i == 0) * pieces : pieces * (i + 1) / team->places;
        atomic_store(&team->shares[i].next, begin);
    }
}

/* By this thread and as many of the team; `ordered`: the pieces are taken from the first on, in turn. */
static void share(Queue *queue, size_t pieces, TeamWork *work, const void *job, Partition how, size_t threads,
                  bool ordered) {
    CpuQueue *cpu = (CpuQueue *)queue;
    /* Only a result's partition is noted, and only if threads share it: the making of a table is no part of the
     * result. */
    if (how.tile[1] > 0 && threads == all_threads(queue))
        partition_note(how);
    if (threads > 1 && pieces > 1 && !cpu->team)
        cpu->team = team_create(threads - 1);
    Team *team = threads > 1 ? cpu->team : NULL;
    if (pieces < 2 || !team || !team->shares) {
        for (size_t i = 0; i < pieces && !queue_stops(queue); i++)
            work(job, i, 0);
        return;
    }
#if defined(__linux__)
    if (team->processors)
        atomic_store(&team->processors[0], sched_getcpu());
#endif
    team->work = work;
    team->job = job;
    team->pieces = pieces;
    team->queue = queue;
    cut_shares(team, pieces, ordered);
    atomic_fetch_add(&team->gate, TURN + OPEN);
    wake(team);
    take_pieces(team, 0);
    close_gate(team);
}

/* `how.tile` is of the result. */
static void share_result(Queue *queue, size_t pieces, TeamWork *work, const void *job, Partition how, size_t threads) {
    uint32_t *order = queue->partial ? malloc(pieces * sizeof *order) : NULL;
    if (order && partial_share(queue->partial, how, pieces, order))
        share(queue, pieces, show_piece, &(Shown){queue->partial, queue, order, work, job}, how, threads, true);
    else
        share(queue, pieces, work, job, how, threads, false);
    free(order);
}

void cpu_share(Queue *queue, size_t pieces, TeamWork *work, const void *job) {
    share(queue, pieces, work, job, (Partition){.launches = 0}, all_threads(queue), false);
}

/* ---- rows, tiles ---- */

typedef struct Rows {
    const Queue *queue;
    size_t first, rows, together; /* `first` and on are left */
    TeamRow *work;
    const void *job;
} Rows;

static void share_some(const void *job, size_t piece, size_t thread) {
    const Rows *all = job;
    const size_t begin = all->first + piece * all->together, end = begin + all->together;
    (void)thread;
    for (size_t y = begin; y < end && y < all->rows && !queue_stops(all->queue); y++)
        all->work(all->job, y);
}

static Rows cut_rows(const Queue *queue, size_t rows, TeamRow *work, const void *job) {
    const size_t own = rows / (PIECES * all_threads(queue));
    return (Rows){queue, 0, rows, own < 1 ? 1 : own < ROWS_TOGETHER ? own : ROWS_TOGETHER, work, job};
}

static size_t row_pieces(const Rows *all) {
    return (all->rows - all->first + all->together - 1) / all->together;
}

/* The first of few rows: all, if they take little. Rows that are shown have an order, which begins with none done. */
static void begin_alone(Rows *all) {
    if (all->rows > FEW_ROWS || all->queue->partial)
        return;
    const double end = clock_ms() + alone_ms;
    for (; all->first < all->rows && !queue_stops(all->queue); all->first++) {
        if (all->first % LOOK_EVERY == LOOK_EVERY - 1 && clock_ms() > end)
            return;
        all->work(all->job, all->first);
    }
}

void cpu_share_rows(Queue *queue, size_t rows, TeamRow *work, const void *job) {
    Rows all = cut_rows(queue, rows, work, job);
    begin_alone(&all);
    cpu_share(queue, row_pieces(&all), share_some, &all);
}

void cpu_share_result(Queue *queue, size_t rows, TeamRow *work, const void *job) {
    Rows all = cut_rows(queue, rows, work, job);
    begin_alone(&all);
    share_result(queue, row_pieces(&all), share_some, &all, (Partition){.tile = {0, all.together}}, all_threads(queue));
}

void cpu_make_result(Queue *queue, size_t rows, TeamRow *work, const void *job) {
    const Rows all = cut_rows(queue, rows, work, job);
    share_result(queue, row_pieces(&all), share_some, &all, (Partition){.tile = {0, all.together}}, 1);
}

typedef struct StageRows {
    const Stage *stage;
    TeamStageRow *work;
} StageRows;

static void share_stage_row(const void *job, size_t y) {
    const StageRows *all = job;
    all->work(all->stage, y);
}

void cpu_share_stage(Queue *queue, const Stage *stage, TeamStageRow *work) {
    cpu_share_result(queue, stage->out.shape.height, share_stage_row, &(StageRows){stage, work});
}

void cpu_make_stage(Queue *queue, const Stage *stage, TeamStageRow *work) {
    cpu_make_result(queue, stage->out.shape.height, share_stage_row, &(StageRows){stage, work});
}

typedef struct Tiles {
    TeamTiles cut;
    size_t across;
    TeamTile *work;
    const void *job;
} Tiles;

static void share_tile(const void *job, size_t piece, size_t thread) {
    const Tiles *all = job;
    all->work(all->job, piece % all->across * all->cut.columns, piece / all->across * all->cut.rows,
              all->cut.bytes ? (char *)all->cut.scratch + thread * all->cut.bytes : NULL);
}

void cpu_share_tiles(Queue *queue, const TeamTiles *tiles, TeamTile *work, const void *job) {
    const Tiles all = {*tiles, (tiles->width + tiles->columns - 1) / tiles->columns, work, job};
    share_result(queue, all.across * ((tiles->height + tiles->rows - 1) / tiles->rows), share_tile, &all,
                 (Partition){.tile = {tiles->columns, tiles->rows}}, all_threads(queue));
}
