/* taken_over.c: a library for LD_PRELOAD that takes over the decoders of `glint batch --sandbox`. Once a decoder has
 * given up its rights, the library answers in its place. The answer goes by the file's first value (TELLS; a PPM of 4 x
 * 1 pixels). */
#include "core/codec/sandbox_answer.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    PIXELS_AT = 2 * ANSWER_HEAD,
    PARCEL_AT = 3 * ANSWER_HEAD,
    BLOCK_AT = 4 * ANSWER_HEAD,
    BIG = 1 << 25,
    PROFILE = 15 << 20
};

static unsigned char *answer;     /* shared memory */
static const unsigned char *file; /* the file being decoded */
static size_t answer_size, file_size;

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset) {
    void *(*const next)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    void *memory = next(addr, len, prot, flags, fd, offset);
    if (memory != MAP_FAILED && flags == MAP_SHARED) {
        answer = memory;
        answer_size = len;
    } else if (memory != MAP_FAILED && flags == MAP_PRIVATE && fd >= 0) {
        file = memory;
        file_size = len;
    }
    return memory;
}

static AnswerParcel *put_picture(void) {
    AnswerHead *head = (AnswerHead *)answer;
    AnswerParcel *parcel = (AnswerParcel *)(answer + PARCEL_AT);
    *parcel = (AnswerParcel){.shape = {4, 1, 3, PIXEL_U8}, .pixels = PIXELS_AT};
    head->complete = ANSWER_COMPLETE;
    head->first = PARCEL_AT;
    return parcel;
}

static void put_text(const char *text, size_t size) {
    memcpy(answer + BLOCK_AT, text, size);
    put_picture()->blocks[3] = (AnswerBlock){BLOCK_AT, size};
}

/* Many pictures with one block. */
static void amplify(void) {
    AnswerParcel parcel = *put_picture();
    for (uint64_t at = PARCEL_AT; at < BLOCK_AT * 16; at += sizeof parcel) {
        parcel.blocks[2] = (AnswerBlock){PIXELS_AT, BIG};
        parcel.next = at + sizeof parcel;
        memcpy(answer + at, &parcel, sizeof parcel);
    }
}

static void tell(int what) {
    AnswerHead *head = (AnswerHead *)answer;
    switch (what) {
    case 'i':
        put_picture();
        head->status = STATUS_INTERRUPTED;
        memcpy(head->why, "gone", 5);
        break;
    case 't':
        put_text("Comment", 7);
        break;
    case 'a':
        amplify();
        break;
    case 'b': /* far more pixels than the header said, which the chain would have copies of */
        put_picture()->shape = (AnswerShape){8192, 8190, 1, PIXEL_U8};
        break;
    case 'p':
        put_picture()->blocks[0] = (AnswerBlock){BLOCK_AT, PROFILE};
        break;
    case 'h':
        for (;;)
            sched_yield();
    default:
        put_picture();
    }
    _exit(0);
}

/* Headers are left alone: their answer has no room for pictures. */
long syscall(long sysno, ...) {
    long (*const next)(long, ...) = dlsym(RTLD_NEXT, "syscall");
    long with[6];
    va_list list;
    va_start(list, sysno);
    for (int i = 0; i < 6; i++)
        with[i] = va_arg(list, long);
    va_end(list);
    const long result = next(sysno, with[0], with[1], with[2], with[3], with[4], with[5]);
    if (sysno == SYS_seccomp && result == 0 && with[1] == 0 && answer && file && answer_size > BIG)
        tell(file[file_size - 12]);
    return result;
}
