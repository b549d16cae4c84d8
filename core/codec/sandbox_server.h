/* sandbox_server.h: how the process that wants pictures and the server of its sandbox talk.
 * A request goes over the server's standard input, a SEQPACKET socket: a job, and with it three descriptors. The last
 * one gives back, once, how the decoder ended, as an int that waitpid gives. Its answer is in the memory of the second
 * one (core/codec/sandbox_answer.h). */
#ifndef GLINT_CORE_CODEC_SANDBOX_SERVER_H
#define GLINT_CORE_CODEC_SANDBOX_SERVER_H

#include "core/codec/codec.h"

enum { JOB_FILE, JOB_ANSWER, JOB_END, JOB_DESCRIPTORS };

typedef struct Job {
    bool whole, srgb; /* whole: the picture, not its header alone; srgb: its colours are converted (core/image/icc.h) */
    Pages pages;
    size_t max, answer; /* bytes: of the decoder besides the answer, and of that */
    unsigned seconds;
} Job;

/* A decoder's exit status. */
enum { END_DONE = 0, END_REFUSED = 77 /* the system does not let us confine it */ };

/* The name that the program is executed by, from which it knows that it is a server. */
#define SANDBOX_SERVER "glint: sandbox"

/* To be called first in main: does not return if the program was executed to be a sandbox's server. */
void sandbox_serve_if_asked(char **argv);

/* Serves the sandbox that executed this process, until that ends. To be called before the process has other threads. */
_Noreturn void sandbox_serve(void);

bool job_send(int socket, const Job *job, const int descriptors[JOB_DESCRIPTORS]);

#endif
