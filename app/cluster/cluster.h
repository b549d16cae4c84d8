/* cluster.h: the processes of one command that mpirun, or srun with MPI, has started on one machine or on many.
 * Owns each process's number and its share of its node; MPI is its supervisor's (supervisor.h). A command that was
 * started alone is a cluster of one process. */
#ifndef GLINT_APP_CLUSTER_H
#define GLINT_APP_CLUSTER_H

#include "app/common_options.h"

#include <stdint.h>

/* Joins the other processes, if a launcher has started several. Then a child of the caller's process returns, and the
 * caller's becomes its supervisor. STATUS_DEVICE if MPI is not to be had; STATUS_USAGE, in all of them, if they have
 * different arguments. cluster_end follows in any case. From then on process 0 speaks to people; the others say only
 * their own failures. Takes the process's share of its node's memory, processors and devices, where the options leave
 * that open: options->threads, and `devices` ("1,5") or "". */
Status cluster_begin(int argc, char **argv, CommonOptions *options, char *devices, size_t size);
/* Leaves the others; the launcher sees this process end when all have left. Returns the status in process 0, STATUS_OK
 * in the others: launchers want one answer. */
Status cluster_end(Status status);

int cluster_rank(void); /* this process, from 0 */
int cluster_size(void); /* 1 where it is alone */

/* By all processes, at the same point of their work. */
/* The worst status of all: in process 0 with a message, should its own have been good. The others say their failures
 * here, since process 0 alone speaks at the end. */
Status cluster_agree(Status status);
void cluster_broadcast(void *data, size_t bytes); /* process 0's */
int cluster_min(int value);                       /* of all */

/* From now on no process waits for another, up to cluster_end: one that is lost ends alone. Before, all end. */
void cluster_go_apart(void);
/* The next number of those that nobody has taken, from 0 on. Any thread may ask. */
size_t cluster_next(void);
/* From now on there are none below `count`. */
void cluster_take_all(size_t count);

/* To process 0. Any thread may send. */
void cluster_send(const void *data, size_t bytes);
/* In process 0: the next message of `from`; waits. */
void cluster_receive(int from, void *data, size_t bytes);

/* In process 0: a thread that takes the others' messages, until `take` has said of each of them that this was its last.
 * One of no bytes says that the process was lost. NULL, and nobody listens, if the thread cannot be made. */
typedef struct Listener Listener;
typedef bool ClusterTake(void *context, int from, void *data, size_t bytes);
Listener *cluster_listen(ClusterTake *take, void *context);
/* Waits for the last message; once interrupted, a short time. */
void cluster_listened(Listener **listener);

/* The devices of the index-th of `count` processes of a machine, as in "1,5"; "" without devices. They belong to the
 * wanted backend, or to the last one that has any besides the host. Where processes are more, they share. */
void cluster_devices(const char *wanted, int index, int count, char *list, size_t size);

/* The number and the count of this process, from 1 on, by the variables of Slurm's arrays and of launchers, which need
 * no MPI. STATUS_USAGE if none is set, or if they make no sense. */
Status cluster_shard(long *shard, long *shards);

#endif
