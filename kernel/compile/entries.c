/* entries.c: the arrays glint_kernel_NAME of eight ints, in texts and in ELF files. */
#include "kernel/compile/entries.h"

#include "kernel/layout.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "glint_kernel_"

enum { ENTRIES_MAX = 64, PREFIX_LENGTH = sizeof PREFIX - 1, WORDS = GLINT_KERNEL_WORDS };

typedef struct Found {
    KernelEntry list[ENTRIES_MAX];
    size_t count;
    bool other_version;
} Found;

static void add(Found *found, const char *name, size_t length, const int words[WORDS]) {
    if (found->count == ENTRIES_MAX || length == 0 || length >= KERNEL_NAME)
        return;
    if (words[0] != GLINT_KERNEL_VERSION || words[1] < 0 || words[1] >= GLINT_OPERATIONS) {
        found->other_version = true;
        return;
    }
    KernelEntry *entry = &found->list[found->count++];
    *entry = (KernelEntry){.operation = words[1],
                           .block = {words[2], words[3]},
                           .pixels = {words[4], words[5]},
                           .shared = words[6],
                           .line = words[7]};
    memcpy(entry->name, name, length);
}

/* ---- PTX: ".const .align 4 .b8 glint_kernel_mine[32] = {1, 0, 0, 0, ...};" ---- */

/* Numbers of `each` bytes, least first; those that are left out are 0. */
static void read_numbers(const char *text, size_t each, int words[WORDS]) {
    unsigned char bytes[WORDS * sizeof(int)] = {0};
    char *end;
    for (size_t at = 0; at + each <= sizeof bytes; at += each, text = end + strspn(end, ", \n")) {
        const long long number = strtoll(text, &end, 0);
        if (end == text)
            break;
        for (size_t i = 0; i < each; i++)
            bytes[at + i] = (unsigned char)((unsigned long long)number >> 8 * i);
    }
    memcpy(words, bytes, sizeof bytes);
}

static void read_ptx(const char *text, Found *found) {
    for (const char *at = text; (at = strstr(at, PREFIX));) {
        const char *name = at + PREFIX_LENGTH;
        const size_t length = strcspn(name, "[ ;\n");
        const char *values = name + length + strcspn(name + length, "{;\n");
        int words[WORDS];
        at = values;
        if (name[length] != '[' || *values != '{')
            continue;
        const int bytes = atoi(name + length + 1);
        read_numbers(values + 1, bytes == WORDS ? sizeof(int) : 1, words);
        add(found, name, length, words);
    }
}

/* ---- ELF ---- */

/* A part of the file; NULL if the file does not have all of it. */
static const void *part(Bytes file, uint64_t at, uint64_t size) {
    return at <= file.size && size <= file.size - at ? file.data + at : NULL;
}

/* A part that holds structs of ELF: elsewhere than at a multiple of 8 there are none. */
static const void *table(Bytes file, uint64_t at, uint64_t size) {
    return at % 8 == 0 ? part(file, at, size) : NULL;
}

/* The bytes of the file that lie at an address once it is loaded. */
static const void *loaded(Bytes file, const Elf64_Ehdr *header, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = table(file, header->e_phoff + i * sizeof *segment, sizeof *segment);
        if (segment && segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr <= segment->p_filesz && size <= segment->p_filesz - (address - segment->p_vaddr))
            return part(file, segment->p_offset + (address - segment->p_vaddr), size);
    }
    return NULL;
}

static void read_symbol(Bytes file, const Elf64_Ehdr *header, const Elf64_Sym *symbol, const char *name, size_t room,
                        Found *found) {
    const size_t length = strnlen(name, room);
    int words[WORDS];
    const void *values = symbol->st_size == sizeof words ? loaded(file, header, symbol->st_value, sizeof words) : NULL;
    if (length == room || length <= PREFIX_LENGTH || strncmp(name, PREFIX, PREFIX_LENGTH) != 0 || !values)
        return;
    memcpy(words, values, sizeof words);
    add(found, name + PREFIX_LENGTH, length - PREFIX_LENGTH, words);
}

static void read_object(Bytes file, Found *found) {
    const Elf64_Ehdr *header = table(file, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return;
    for (size_t i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = table(file, header->e_shoff + i * sizeof *section, sizeof *section);
        if (!section || section->sh_type != SHT_DYNSYM)
            continue;
        const Elf64_Shdr *names = table(file, header->e_shoff + section->sh_link * sizeof *names, sizeof *names);
        const Elf64_Sym *symbols = table(file, section->sh_offset, section->sh_size);
        const char *texts = names ? part(file, names->sh_offset, names->sh_size) : NULL;
        for (size_t k = 0; symbols && texts && k < section->sh_size / sizeof *symbols; k++)
            if (symbols[k].st_name < names->sh_size)
                read_symbol(file, header, &symbols[k], texts + symbols[k].st_name, names->sh_size - symbols[k].st_name,
                            found);
    }
}

/* ---- both ---- */

static int by_line(const void *a, const void *b) {
    const KernelEntry *first = a, *second = b;
    return (first->line > second->line) - (first->line < second->line);
}

static Status check(const char *path, const KernelEntry *entry) {
    enum { THREADS_MAX = 1024, PIXELS_MAX = 1024, SHARED_MAX = 227 << 10 };
    const int *block = entry->block, *pixels = entry->pixels;
    if (block[0] < 1 || block[1] < 1 || block[0] > THREADS_MAX || block[1] > THREADS_MAX ||
        block[0] * block[1] > THREADS_MAX)
        return fail(STATUS_INPUT, "%s:%d: a block of %s has %d x %d threads, want 1 to %d in all", path, entry->line,
                    entry->name, block[0], block[1], THREADS_MAX);
    if (pixels[0] < 1 || pixels[1] < 1 || pixels[0] > PIXELS_MAX || pixels[1] > PIXELS_MAX)
        return fail(STATUS_INPUT, "%s:%d: a thread of %s has %d x %d pixels, want 1 to %d each way", path, entry->line,
                    entry->name, pixels[0], pixels[1], PIXELS_MAX);
    if (entry->shared < -SHARED_MAX || entry->shared > SHARED_MAX)
        return fail(STATUS_INPUT, "%s:%d: a block of %s has %d bytes of dynamic shared memory, want at most %d", path,
                    entry->line, entry->name, entry->shared, SHARED_MAX);
    if (entry->shared < 0 && entry->operation != GLINT_convolve)
        return fail(STATUS_INPUT, "%s:%d: %s asks for HALO memory, and only convolve has a mask", path, entry->line,
                    entry->name);
    return STATUS_OK;
}

Status entries_read(const char *path, KernelKind kind, Bytes bytes, KernelEntry **entries, size_t *count) {
    static const char *const numbers[] = {[KERNEL_PTX] = ", 32, 8, 1, 1, 0", [KERNEL_CPU] = ""};
    Found found = {.count = 0};
    if (kind == KERNEL_PTX)
        read_ptx((const char *)bytes.data, &found);
    else
        read_object(bytes, &found);
    if (found.count == 0 && found.other_version)
        return fail(STATUS_INPUT, "%s: its glint/kernel.h is of another version of glint", path);
    if (found.count == 0)
        return fail(STATUS_INPUT, "%s: has no kernel; want one that begins like KERNEL(convolve, mine%s)", path,
                    numbers[kind]);
    for (size_t i = 0; i < found.count; i++)
        TRY(check(path, &found.list[i]));
    *entries = calloc(found.count, sizeof **entries);
    if (!*entries)
        return fail(STATUS_DEVICE, "no memory for a list of kernels");
    memcpy(*entries, found.list, found.count * sizeof **entries);
    qsort(*entries, found.count, sizeof **entries, by_line);
    *count = found.count;
    return STATUS_OK;
}
