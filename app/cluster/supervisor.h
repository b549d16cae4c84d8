/* supervisor.h: MPI apart from the work.
 * MPI ends all processes of a launch as soon as one of them ends without MPI_Finalize. One crash, or one kill for want
 * of memory, would lose the other processes' files in flight. A process that a launcher has started therefore only
 * makes MPI calls. It starts a worker, carries out the worker's calls, and ends MPI properly if the worker is lost. */
#ifndef GLINT_APP_CLUSTER_SUPERVISOR_H
#define GLINT_APP_CLUSTER_SUPERVISOR_H

#include "app/cluster/mpi.h"
#include "core/base/status.h"

/* Forks, and returns in the worker: *mpi has its supervisor do the calls (begin and abort are not among them). The
 * supervisor passes SIGINT, SIGTERM and SIGHUP on. It ends with the worker's exit status, after the worker and, behind
 * mpi->end, all others have ended. A supervisor that is killed takes its worker along. STATUS_DEVICE if MPI is not to
 * be had; `launcher` names the program that has started several processes. */
Status supervisor_start(const char *launcher, const Mpi **mpi, int *rank, int *size);

/* From now on no process waits for this one, up to mpi->end. If the worker is lost, the others go on, and process 0
 * gets a last message without a byte. If process 0 itself is lost, messages to it are dropped. Before, all end. */
void supervisor_go_apart(void);

#endif
