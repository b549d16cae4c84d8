/* mpi.c: the module glint-mpi.so: all that calls MPI. */
#include "app/cluster/mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* MPI is one for the process, and so is this. */
static struct {
    int rank;
    MPI_Comm node;
    MPI_Win window;   /* of one counter, in process 0 */
    int64_t *counter; /* there */
} own;

#define PAUSE 1000 /* us, between looks for messages */

static void begin(int *rank, int *size) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    own.rank = *rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &own.node);
    const MPI_Aint bytes = *rank == 0 ? (MPI_Aint)sizeof *own.counter : 0;
    MPI_Win_allocate(bytes, (int)sizeof *own.counter, MPI_INFO_NULL, MPI_COMM_WORLD, &own.counter, &own.window);
    MPI_Win_lock_all(0, own.window);
    if (*rank == 0) {
        const int64_t none = 0;
        int64_t before;
        MPI_Fetch_and_op(&none, &before, MPI_INT64_T, 0, 0, MPI_REPLACE, own.window);
        MPI_Win_flush(0, own.window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void locate(int kind, int *index, int *count) {
    MPI_Comm alike;
    MPI_Comm_split(own.node, kind, own.rank, &alike);
    MPI_Comm_rank(alike, index);
    MPI_Comm_size(alike, count);
    MPI_Comm_free(&alike);
}

static int max(int value) {
    int all = value;
    MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void broadcast(void *data, size_t bytes) {
    for (size_t done = 0, step; done < bytes; done += step) {
        step = bytes - done < 1 << 30 ? bytes - done : 1 << 30; /* MPI counts in int */
        MPI_Bcast((char *)data + done, (int)step, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static int64_t add(int64_t addend) {
    int64_t before = 0;
    MPI_Fetch_and_op(&addend, &before, MPI_INT64_T, 0, 0, MPI_SUM, own.window);
    MPI_Win_flush(0, own.window);
    return before;
}

static void send(const void *data, size_t bytes) {
    MPI_Send(data, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static bool probe(int *from, size_t *bytes) {
    int there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *bytes = (size_t)count;
    return true;
}

static void receive(int from, void *data, size_t bytes) {
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A message that has come, unread. */
static bool drop(void) {
    int from;
    size_t bytes;
    if (!probe(&from, &bytes))
        return false;
    void *data = malloc(bytes + 1);
    if (data)
        receive(from, data, bytes);
    free(data);
    return data != NULL;
}

/* A barrier, in which process 0 still serves the counter and takes the messages of others, which wait for that. */
static void wait_for_all(void) {
    MPI_Request all;
    int there = 0, waits = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (MPI_Test(&all, &there, MPI_STATUS_IGNORE); !there; MPI_Test(&all, &there, MPI_STATUS_IGNORE))
        if ((own.rank > 0 || !drop()) && usleep(PAUSE) == 0 && own.rank <= 1 &&
            ++waits == MPI_PATIENCE * (1000000 / PAUSE))
            fprintf(stderr, "glint: process %d has done its part and waits for the others to end; is one stopped?\n",
                    own.rank);
}

static void end(void) {
    wait_for_all();
    MPI_Win_unlock_all(own.window);
    MPI_Win_free(&own.window);
    MPI_Comm_free(&own.node);
    MPI_Finalize();
}

static void abort_all(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

const Mpi glint_mpi = {.begin = begin,
                       .end = end,
                       .abort = abort_all,
                       .locate = locate,
                       .max = max,
                       .broadcast = broadcast,
                       .add = add,
                       .send = send,
                       .probe = probe,
                       .receive = receive};
