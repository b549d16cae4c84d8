/* lammps.c: frames of a dump of LAMMPS as text (docs.lammps.org/dump.html, "dump custom" and "dump atom"). */
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

#define ATOMS_MAX 4294967294

static Status end_early(Header *header, const char *wanted) {
    return header_wrong(header, (Word){header->end, header->end}, wanted);
}

/* The last three words of "ITEM: BOX BOUNDS pp pp ff": along which sides the box is periodic. */
static void read_borders(Header header, Box *box) {
    Word words[3] = {{0}}, word;
    while (header_word(&header, &word)) {
        words[0] = words[1];
        words[1] = words[2];
        words[2] = word;
    }
    for (int i = 0; i < 3; i++)
        box->open[i] = words[i].end - words[i].begin == 2 && strchr("fsm", *words[i].begin);
}

/* "xlo_bound xhi_bound xy", three lines, or "ax ay az originx" of a general box. */
static Status read_box(Header *header, bool skewed, bool general) {
    double rows[3][4] = {{0}};
    Box *box = &header->particles->box, borders = {0};
    read_borders(*header, &borders);
    for (int i = 0; i < 3; i++) {
        if (!header_line(header))
            return end_early(header, "a line of the box");
        TRY(header_numbers(header, general ? 4 : skewed ? 3 : 2, "a number of the box", rows[i]));
    }
    header->particles->has_box = true;
    if (general) {
        for (int i = 0; i < 3; i++) {
            memcpy(box->sides[i], rows[i], sizeof box->sides[i]);
            box->corner[i] = rows[i][3];
        }
        memcpy(box->open, borders.open, sizeof box->open);
        return STATUS_OK;
    }
    const double xy = rows[0][2], xz = rows[1][2], yz = rows[2][2]; /* bounds are those of the whole box */
    const double least = xy + xz < 0 ? xy + xz : 0, most = xy + xz > 0 ? xy + xz : 0;
    const double low = xy < least ? xy : least, high = xy > most ? xy : most;
    rows[0][0] -= xz < low ? xz : low;
    rows[0][1] -= xz > high ? xz : high;
    rows[1][0] -= yz < 0 ? yz : 0;
    rows[1][1] -= yz > 0 ? yz : 0;
    const double corner[3] = {rows[0][0], rows[1][0], rows[2][0]};
    const double lengths[3] = {rows[0][1] - rows[0][0], rows[1][1] - rows[1][0], rows[2][1] - rows[2][0]};
    *box = box_along_axes(corner, lengths);
    memcpy(box->open, borders.open, sizeof box->open);
    box->sides[1][0] = xy;
    box->sides[2][0] = xz;
    box->sides[2][1] = yz;
    return STATUS_OK;
}

/* The names behind "ITEM: ATOMS". */
static Status read_names(Header *header) {
    Word word;
    while (header_word(header, &word))
        TRY(particles_add(header->particles, word.begin, (size_t)(word.end - word.begin), 0, COLUMN_TEXT, NULL));
    return header->particles->count > 0 ? STATUS_OK : header_wrong(header, word, "the names of columns");
}

/* Passes what is behind an item, up to its atoms; *atoms is how many there are. */
static Status read_item(Header *header, size_t *atoms) {
    if (header_begins(header, "ITEM: BOX BOUNDS"))
        return read_box(header, header_begins(header, "ITEM: BOX BOUNDS xy"),
                        header_begins(header, "ITEM: BOX BOUNDS abc"));
    if (!header_begins(header, "ITEM: NUMBER OF ATOMS"))
        return header_line(header) ? STATUS_OK : end_early(header, "a value of the item");
    (void)header_line(header);
    return header_whole(header, ATOMS_MAX, "the number of atoms", atoms);
}

/* Behind a frame's atoms another begins; else some are missing, or too many. It then ends before the next that
 * begins. */
static void pass_rows(Header *header, size_t atoms) {
    const char *const rows = header->next;
    (void)header_skip(header, atoms);
    Header behind = *header;
    const bool over = header_is_over(&behind);
    if (!over)
        (void)header_line(&behind);
    header->ended |= behind.ended;
    if (!over && !header_begins(&behind, "ITEM: TIMESTEP")) {
        header->next = rows;
        header_find(header, "ITEM: TIMESTEP");
    }
}

static bool pass(Header *header) {
    size_t atoms = 0;
    Word word;
    header_find(header, "ITEM: TIMESTEP");
    if (!header_line(header))
        return false;
    while (header_line(header)) {
        if (header_begins(header, "ITEM: TIMESTEP")) { /* the frame before has no atoms */
            header->next = header->line;
            return true;
        }
        if (header_begins(header, "ITEM: ATOMS")) {
            pass_rows(header, atoms);
            return true;
        }
        if (header_begins(header, "ITEM: NUMBER OF ATOMS") && header_line(header) && header_word(header, &word) &&
            !word_whole(word, ATOMS_MAX, &atoms))
            atoms = 0;
    }
    return true;
}

/* Goes on to the line of the frame's atoms. */
static Status find_atoms(Header *header, size_t *atoms) {
    bool begun = false;
    while (header_line(header)) {
        if (header_begins(header, "ITEM: ATOMS"))
            return begun ? STATUS_OK
                         : header_wrong(header, (Word){header->line, header->line_end}, "ITEM: TIMESTEP before it");
        if (!header_begins(header, "ITEM: "))
            return header_wrong(header, (Word){header->line, header->line_end}, "\"ITEM: ...\"");
        begun |= header_begins(header, "ITEM: TIMESTEP");
        TRY(read_item(header, atoms));
    }
    return end_early(header, begun ? "ITEM: ATOMS" : "ITEM: TIMESTEP");
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    size_t atoms = 0;
    particles->id = "id";
    TRY(find_atoms(&header, &atoms));
    header.at = header.line + strlen("ITEM: ATOMS");
    TRY(read_names(&header));
    return header_rows(&header, atoms, "an atom: its header promises more");
}

const SceneFormat scene_format_lammps = {
    .name = "dump",
    .more = " lammpstrj",
    .help = "particles of LAMMPS, frames of a dump as text",
    .binary = true,
    .table = table,
    .pass = pass,
};
