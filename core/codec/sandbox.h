/* sandbox.h: pictures of strangers are decoded by processes that can do nothing else.
 * Owns a server: a program that is executed for it, this one by default. The server makes a process for each file,
 * which sees the file and a piece of shared memory, and may calculate and allocate. The process reaches no other files,
 * no networks and no other processes. It gets no more memory, threads or time than it was given (SECURITY.md). If it
 * crashes, hangs or tries, that is one failed input.
 */
#ifndef GLINT_CORE_CODEC_SANDBOX_H
#define GLINT_CORE_CODEC_SANDBOX_H

#include "core/codec/codec.h"

typedef struct Sandbox Sandbox;

/* `seconds` are for each header, and for each picture; `srgb`: pictures come with their colours converted, as by
 * icc_to_srgb. Any number of threads may decode in it. The sandbox ends with the thread that opens it. STATUS_DEVICE
 * if the system does not let us. */
Status sandbox_open(unsigned seconds, bool srgb, Sandbox **sandbox);
/* The same by another server: `program` is executed with these arguments, which NULL ends, and calls sandbox_serve. It
 * ends with this process. */
Status sandbox_open_by(const char *program, char *const arguments[], unsigned seconds, bool srgb, Sandbox **sandbox);
void sandbox_close(Sandbox **sandbox); /* accepts NULL */
CodecBox *sandbox_box(Sandbox *sandbox);

#endif
