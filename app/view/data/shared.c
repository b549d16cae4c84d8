/* shared.c: a head before each block has its size and its owners. */
#include "app/view/data/shared.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Head {
    _Alignas(max_align_t) size_t size;
    atomic_int owners;
} Head;

static Head *head_of(void *block) {
    return (Head *)block - 1;
}

static void *with_head(Head *head, size_t size) {
    if (!head)
        return NULL;
    head->size = size;
    atomic_init(&head->owners, 1);
    return head + 1;
}

void *shared_create(size_t size) {
    return with_head(calloc(1, sizeof(Head) + size), size);
}

void *shared_retain(void *block) {
    atomic_fetch_add_explicit(&head_of(block)->owners, 1, memory_order_relaxed);
    return block;
}

void shared_release(void *block) {
    if (block && atomic_fetch_sub_explicit(&head_of(block)->owners, 1, memory_order_acq_rel) == 1)
        free(head_of(block));
}

void *shared_own(void *block, size_t used) {
    const size_t size = head_of(block)->size;
    if (atomic_load_explicit(&head_of(block)->owners, memory_order_acquire) == 1)
        return block;
    void *own = with_head(malloc(sizeof(Head) + size), size);
    if (!own)
        return NULL;
    memcpy(own, block, used);
    shared_release(block);
    return own;
}
