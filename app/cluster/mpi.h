/* mpi.h: the functions of MPI that glint needs. The program knows MPI by this table only. mpi.c, which fills it in, is
 * a module of its own (glint-mpi.so), compiled where MPI's development files are. It is loaded when a launcher has
 * started several processes: the program starts without MPI. One thread at a time calls these. An error of MPI ends all
 * processes. */
#ifndef GLINT_APP_CLUSTER_MPI_H
#define GLINT_APP_CLUSTER_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MPI_KIND_NODE = 0,
    MPI_PATIENCE =
        20, /* s: a process that has waited so long for another one says so, once; the other may be stopped */
};

typedef struct Mpi {
    void (*begin)(int *rank, int *size); /* processes are numbered from 0 */
    void (*end)(void);                   /* by all processes; messages that nobody has received are dropped */
    void (*abort)(int status);           /* ends all processes, with this exit status */

    /* By all processes, at the same point of their work: */
    void (*locate)(int kind, int *index, int *count); /* among those of the node that have said the same kind, >= 0 */
    int (*max)(int value);                            /* of all */
    void (*broadcast)(void *data, size_t bytes);      /* process 0's */

    /* Each for itself: */
    int64_t (*add)(int64_t addend);                      /* to a counter that begins with 0; returns its value before */
    void (*send)(const void *data, size_t bytes);        /* to process 0; less than 2 GiB */
    bool (*probe)(int *from, size_t *bytes);             /* in process 0: whether a message has come, and of whom */
    void (*receive)(int from, void *data, size_t bytes); /* the next of that process; waits */
} Mpi;

extern const Mpi glint_mpi; /* of the module */

#endif
