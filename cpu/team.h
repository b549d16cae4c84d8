/* team.h: the threads of a queue, and work that they share piece by piece.
 * The asking thread takes pieces, too, and then waits only for threads that have begun one. A thread that the system
 * has not let run yet costs nothing: it finds the pieces gone. (OpenMP's regions end with a barrier of all threads, and
 * two threads on one core wait there for a tick of the scheduler.) */
#ifndef GLINT_CPU_TEAM_H
#define GLINT_CPU_TEAM_H

#include "core/device/backend.h"

typedef struct Team Team;

/* A piece, carried out by one of the queue's threads: 0 is the one that asks. */
typedef void TeamWork(const void *job, size_t piece, size_t thread);
/* All pieces, in any order; back when they are done, or, once the queue is asked to stop, those that were begun. Not
 * from within a piece. */
void cpu_share(Queue *queue, size_t pieces, TeamWork *work, const void *job);

/* Shares rows [0, rows) as cpu_share shares pieces, a few at a time. */
typedef void TeamRow(const void *job, size_t y);
void cpu_share_rows(Queue *queue, size_t rows, TeamRow *work, const void *job);

/* Shares the rows that a stage makes: those of its result, or how many it says. Where a result can be seen while it is
 * made (Queue.partial), its pieces come in the order that is asked for, here and below. */
void cpu_share_result(Queue *queue, size_t rows, TeamRow *work, const void *job);
typedef void TeamStageRow(const Stage *stage, size_t y);
void cpu_share_stage(Queue *queue, const Stage *stage, TeamStageRow *work);
/* Make all rows without the team, for levels of one thread. */
void cpu_make_result(Queue *queue, size_t rows, TeamRow *work, const void *job);
void cpu_make_stage(Queue *queue, const Stage *stage, TeamStageRow *work);

/* Shares a picture's tiles, by their upper left pixels; tiles at the edges may be smaller. Each thread has its own
 * `bytes` of scratch. */
typedef struct TeamTiles {
    size_t width, height; /* of the picture */
    size_t columns, rows; /* of a tile */
    void *scratch;        /* the first thread's */
    size_t bytes;         /* of a thread; 0 if it needs none */
} TeamTiles;
typedef void TeamTile(const void *job, size_t x, size_t y, void *scratch);
void cpu_share_tiles(Queue *queue, const TeamTiles *tiles, TeamTile *work, const void *job);

void team_free(Team **team); /* accepts NULL */

#endif
