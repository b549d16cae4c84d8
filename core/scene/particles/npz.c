/* npz.c: archives of NumPy's arrays: zip files (PKWARE, APPNOTE.TXT 6.3.10) whose members are stored or deflated. */
#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/scene/files/formats.h"
#include "core/scene/particles/npy.h"
#include "core/scene/particles/roles.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END_BYTES = 22,      /* of the record behind all */
    COMMENT_MAX = 65535, /* bytes behind it */
    ENTRY_BYTES = 46,    /* of a member's entry in the directory, without its name */
    LOCAL_BYTES = 30,    /* of the header before a member, without its name */
    MEMBERS_MAX = 10000,
    DEFLATE_MAX = 1032, /* bytes that one can become */
};

typedef struct Member {
    char name[COLUMN_NAME]; /* without ".npy" */
    Bytes packed;           /* in the file */
    bool deflated;
    size_t size;          /* unpacked */
    unsigned char *whole; /* unpacked; NULL: it was not needed, or is in the file as it is */
    size_t rows;
    Status status; /* of unpacking */
} Member;

typedef struct Npz {
    Member *members;
    size_t count;
} Npz;

static uint64_t whole_at(const unsigned char *bytes, size_t count) {
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static Status damaged(const Particles *particles, const char *what) {
    return fail(STATUS_INPUT, "%s: %s", particles->name, what);
}

/* ---- the directory ---- */

/* Sizes that do not fit 32 bits are in the entry's field 1 ("Zip64"): those that are all ones, in this order. */
static bool read_zip64(const unsigned char *extra, size_t length, uint64_t *values[3]) {
    while (length >= 4) {
        const size_t id = (size_t)whole_at(extra, 2), size = (size_t)whole_at(extra + 2, 2);
        if (size > length - 4)
            return false;
        const unsigned char *at = extra + 4, *end = at + size;
        for (int i = 0; i < 3 && id == 1; i++) {
            if (*values[i] != UINT32_MAX)
                continue;
            if (end - at < 8)
                return false;
            *values[i] = whole_at(at, 8);
            at += 8;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
    return true;
}

/* Where the member's bytes are, behind its own header. */
static Status find_member(const Particles *particles, uint64_t local, uint64_t packed, Member *member) {
    const Bytes file = particles->file;
    if (local > file.size || file.size - local < LOCAL_BYTES || memcmp(file.data + local, "PK\3\4", 4) != 0)
        return damaged(particles, "a member's header is not where the archive's directory says");
    const size_t begin =
        (size_t)(local + LOCAL_BYTES + whole_at(file.data + local + 26, 2) + whole_at(file.data + local + 28, 2));
    if (begin > file.size || packed > file.size - begin)
        return damaged(particles, "a member is longer than the file");
    member->packed = (Bytes){file.data + begin, (size_t)packed};
    return STATUS_OK;
}

/* An entry of the directory; members that are no arrays are passed over. */
static Status read_entry(Particles *particles, Npz *npz, const unsigned char **at, const unsigned char *end) {
    const unsigned char *entry = *at;
    if (end - entry < ENTRY_BYTES || memcmp(entry, "PK\1\2", 4) != 0)
        return damaged(particles, "the archive's directory ends early");
    const size_t name = (size_t)whole_at(entry + 28, 2), extra = (size_t)whole_at(entry + 30, 2),
                 comment = (size_t)whole_at(entry + 32, 2);
    if (name + extra + comment > (size_t)(end - entry) - ENTRY_BYTES)
        return damaged(particles, "the archive's directory ends early");
    const char *text = (const char *)entry + ENTRY_BYTES;
    const unsigned method = (unsigned)whole_at(entry + 10, 2), flags = (unsigned)whole_at(entry + 8, 2);
    uint64_t packed = whole_at(entry + 20, 4), size = whole_at(entry + 24, 4), local = whole_at(entry + 42, 4);
    *at = entry + ENTRY_BYTES + name + extra + comment;
    if (name <= 4 || memcmp(text + name - 4, ".npy", 4) != 0)
        return STATUS_OK;
    if (!read_zip64(entry + ENTRY_BYTES + name, extra, (uint64_t *[3]){&size, &packed, &local}))
        return damaged(particles, "a member's sizes are not whole");
    if ((method != 0 && method != 8) || (flags & 1))
        return damaged(particles, "a member is neither stored nor deflated, or is encrypted");
    Member *member = &npz->members[npz->count];
    *member = (Member){.deflated = method == 8, .size = (size_t)size};
    memcpy(member->name, text, name - 4 < COLUMN_NAME ? name - 4 : COLUMN_NAME - 1);
    TRY(find_member(particles, local, packed, member));
    if (member->deflated ? size / DEFLATE_MAX > packed : size != packed)
        return damaged(particles, "a member promises more bytes than it can hold");
    npz->count++;
    return STATUS_OK;
}

/* The record behind all; NULL if there is none. */
static const unsigned char *find_end(Bytes file) {
    for (size_t back = END_BYTES; back <= file.size && back <= END_BYTES + COMMENT_MAX; back++)
        if (memcmp(file.data + file.size - back, "PK\5\6", 4) == 0)
            return file.data + file.size - back;
    return NULL;
}

static Status find_directory(const Particles *particles, uint64_t *count, uint64_t *at, uint64_t *size) {
    const Bytes file = particles->file;
    const unsigned char *end = find_end(file);
    if (!end)
        return damaged(particles, "no end of an archive: it is cut off, or no archive of NumPy");
    *count = whole_at(end + 10, 2);
    *size = whole_at(end + 12, 4);
    *at = whole_at(end + 16, 4);
    if ((*count == UINT16_MAX || *size == UINT32_MAX || *at == UINT32_MAX) && end - file.data >= 20 &&
        memcmp(end - 20, "PK\6\7", 4) == 0) {
        const uint64_t record = whole_at(end - 12, 8);
        if (record > file.size || file.size - record < 56 || memcmp(file.data + record, "PK\6\6", 4) != 0)
            return damaged(particles, "the end of the archive is not where it says");
        *count = whole_at(file.data + record + 32, 8);
        *size = whole_at(file.data + record + 40, 8);
        *at = whole_at(file.data + record + 48, 8);
    }
    return *at <= file.size && *size <= file.size - *at && *count <= MEMBERS_MAX
               ? STATUS_OK
               : damaged(particles, "the archive's directory is beyond the file, or has more than 10000 members");
}

static Status read_directory(Particles *particles, Npz *npz) {
    uint64_t count = 0, begin = 0, size = 0;
    TRY(find_directory(particles, &count, &begin, &size));
    npz->members = calloc(count ? count : 1, sizeof *npz->members);
    if (!npz->members)
        return fail(STATUS_DEVICE, "%s: no memory for its directory", particles->name);
    const unsigned char *at = particles->file.data + begin, *end = at + size;
    for (uint64_t i = 0; i < count; i++)
        TRY(read_entry(particles, npz, &at, end));
    return STATUS_OK;
}

/* ---- members ---- */

/* Unpacks the first `size` bytes; false if the member is damaged. */
static bool unpack(const Member *member, unsigned char *to, size_t size, size_t *got) {
    z_stream stream = {0};
    size_t fed = 0;
    int code = Z_OK;
    *got = 0;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    while (code == Z_OK && *got < size) {
        const size_t in = member->packed.size - fed < INT_MAX ? member->packed.size - fed : INT_MAX;
        const size_t out = size - *got < INT_MAX ? size - *got : INT_MAX;
        stream.next_in = member->packed.data + fed;
        stream.avail_in = (uInt)in;
        stream.next_out = to + *got;
        stream.avail_out = (uInt)out;
        code = inflate(&stream, Z_NO_FLUSH);
        if (stream.avail_in == in && stream.avail_out == out && code == Z_OK)
            code = Z_BUF_ERROR;
        fed += in - stream.avail_in;
        *got += out - stream.avail_out;
    }
    inflateEnd(&stream);
    return code == Z_OK || code == Z_STREAM_END;
}

static Status add_member(Particles *particles, Npz *npz, size_t index) {
    Member *member = &npz->members[index];
    const size_t before = particles->count;
    unsigned char *head = NULL;
    Bytes beginning = {member->packed.data, member->packed.size < NPY_HEAD ? member->packed.size : NPY_HEAD};
    if (member->deflated) {
        head = malloc(NPY_HEAD);
        if (!head)
            return fail(STATUS_DEVICE, "%s: no memory for %s", particles->name, member->name);
        beginning = (Bytes){head, 0};
        if (!unpack(member, head, member->size < NPY_HEAD ? member->size : NPY_HEAD, &beginning.size))
            beginning.size = 0;
    }
    const Status status = npy_columns(particles, member->name, beginning, member->size, &member->rows);
    free(head);
    for (size_t i = before; i < particles->count; i++)
        particles->columns[i].source = index;
    return status;
}

/* Only arrays of as many rows as the longest has are columns. */
static void keep_longest(Particles *particles, const Npz *npz) {
    size_t kept = 0;
    for (size_t i = 0; i < npz->count; i++)
        particles->rows = npz->members[i].rows > particles->rows ? npz->members[i].rows : particles->rows;
    for (size_t i = 0; i < particles->count; i++)
        if (npz->members[particles->columns[i].source].rows == particles->rows)
            particles->columns[kept++] = particles->columns[i];
    particles->count = kept;
}

static void unpack_piece(const void *job, size_t piece) {
    Member *member = ((Member *const *)job)[piece];
    size_t got;
    if (!unpack(member, member->whole, member->size, &got) || got != member->size)
        member->status = STATUS_INPUT;
}

/* Unpacks those that are packed and have columns that are needed. */
static Status fetch(Particles *particles, Column *const *columns, size_t count) {
    Npz *npz = particles->of;
    Member *packed[TARGETS_MAX] = {0};
    size_t pieces = 0, bytes = particles->file.size;
    for (size_t i = 0; i < count; i++) {
        Member *member = &npz->members[columns[i]->source];
        if (member->deflated && !member->whole) {
            bytes = memory_sum(bytes, member->size);
            TRY(memory_fits(bytes, particles->name));
            member->whole = malloc(member->size ? member->size : 1);
            if (!member->whole)
                return fail(STATUS_DEVICE, "%s: no memory for %s", particles->name, member->name);
            packed[pieces++] = member;
        }
        columns[i]->first = (member->deflated ? member->whole : member->packed.data) + columns[i]->field;
    }
    share_pieces(pieces, unpack_piece, packed);
    for (size_t i = 0; i < pieces; i++)
        if (packed[i]->status != STATUS_OK)
            return fail(STATUS_INPUT, "%s: %s: its compressed bytes are damaged", particles->name, packed[i]->name);
    return STATUS_OK;
}

static void release(void *of) {
    Npz *npz = of;
    for (size_t i = 0; i < npz->count; i++)
        free(npz->members[i].whole);
    free(npz->members);
    free(npz);
}

static Status table(Particles *particles) {
    Npz *npz = calloc(1, sizeof *npz);
    if (!npz)
        return fail(STATUS_DEVICE, "%s: no memory", particles->name);
    particles->of = npz;
    particles->release = release;
    particles->fetch = fetch;
    TRY(read_directory(particles, npz));
    for (size_t i = 0; i < npz->count; i++)
        TRY(add_member(particles, npz, i));
    keep_longest(particles, npz);
    return STATUS_OK;
}

const SceneFormat scene_format_npz = {
    .name = "npz",
    .more = "",
    .help = "arrays of NumPy in one file, whose names are those of the columns",
    .binary = true,
    .table = table,
};
