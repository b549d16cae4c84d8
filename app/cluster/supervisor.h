/* supervisor.h: MPI apart from the work.
 * MPI ends all processes of a launch as soon as one of them ends without a word: one crash, one kill for want of
 * memory, would take the others' files in flight with it. A process that a launcher has started therefore only speaks
 * MPI; it has another do the work, carries out its calls, and answers for it in the end, should it be lost. */
#ifndef GLINT_APP_CLUSTER_SUPERVISOR_H
#define GLINT_APP_CLUSTER_SUPERVISOR_H

#include "app/cluster/mpi.h"
#include "core/base/status.h"

/* Forks, and returns in the worker: *mpi has its supervisor do the calls (begin and abort are not among them). The
 * supervisor passes SIGINT, SIGTERM and SIGHUP on, and ends when the worker and, behind mpi->end, all others have
 * ended, with the worker's exit status; a supervisor that is killed takes its worker along. STATUS_DEVICE if MPI is not
 * to be had; `launcher` names the program that has started several processes. */
Status supervisor_start(const char *launcher, const Mpi **mpi, int *rank, int *size);

/* From now on no process waits for this one, up to mpi->end: if the worker is lost, the others go on, and process 0
 * gets a last message without a byte. If process 0 itself is lost, messages to it are dropped. Before, all end. */
void supervisor_go_apart(void);

#endif
