/* test_heif_boxes.c: the work that boxes of HEIF may ask for. It is counted, not timed: the walk is compiled here once
 * more, with functions that count in the place of those that read. */
#include "core/codec/boxes.h"
#include "core/codec/heif_boxes.h"

#include <string.h>

static size_t reads; /* numbers and heads of boxes */

static uint64_t counted_number(Input *file, size_t at, size_t bytes) {
    reads++;
    return box_number(file, at, bytes);
}

static bool counted_at(Input *file, size_t at, size_t end, Box *box) {
    reads++;
    return box_at(file, at, end, box);
}

HeifBoxes counted_boxes(Input *file);
int counted_channels(Input *file, uint64_t id);
#define box_number         counted_number
#define box_at             counted_at
#define heif_boxes         counted_boxes
#define heif_item_channels counted_channels
#include "core/codec/heif_boxes.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/boxes.h"

/* A picture, 1, whose alpha is picture 2, as `references` say; and properties: `free` ones, then a turn by a quarter.
 * The box of associations stays open, to be ended by end_meta. */
typedef struct Open {
    Made made;
    size_t meta, iprp, ipma;
} Open;

static Open begin_meta(size_t references, size_t properties, size_t entries) {
    Open open = {0};
    Made *made = &open.made;
    open.meta = begin_box(made, "meta", true);
    const size_t pitm = begin_box(made, "pitm", true);
    put(made, 1, 2);
    end_box(made, pitm, 0);
    const size_t iref = begin_box(made, "iref", true);
    for (size_t i = 0; i < references; i++) {
        const size_t auxl = begin_box(made, "auxl", false);
        put(made, 2, 2);
        put(made, 1, 2);
        put(made, 1, 2);
        end_box(made, auxl, 0);
    }
    end_box(made, iref, 0);
    open.iprp = begin_box(made, "iprp", false);
    const size_t ipco = begin_box(made, "ipco", false);
    for (size_t i = 0; i < properties; i++)
        end_box(made, begin_box(made, "free", false), 0);
    const size_t irot = begin_box(made, "irot", false);
    put(made, 1, 1);
    end_box(made, irot, 0);
    end_box(made, ipco, 0);
    open.ipma = begin_box(made, "ipma", true);
    put(made, entries, 4);
    return open;
}

/* The item has `count` times the property. */
static void associate(Open *open, size_t item, size_t count, size_t property) {
    put(&open->made, item, 2);
    put(&open->made, count, 1);
    for (size_t i = 0; i < count; i++)
        put(&open->made, property, 1);
}

static HeifBoxes end_meta(Open *open, size_t beyond) {
    end_box(&open->made, open->ipma, beyond);
    end_box(&open->made, open->iprp, beyond);
    end_box(&open->made, open->meta, beyond);
    Input input = input_of(open->made.file);
    reads = 0;
    const HeifBoxes boxes = counted_boxes(&input);
    bytes_free(&open->made.file);
    return boxes;
}

/* ---- tests ---- */

/* 128 properties, and 127 500 times the last but one: each is looked up, not walked to. */
static void properties_are_walked_once(void **state) {
    (void)state;
    enum { FREE = 127, ENTRIES = 500, EACH = 255 };
    Open open = begin_meta(1, FREE, ENTRIES);
    for (size_t i = 0; i < ENTRIES; i++)
        associate(&open, 1, EACH, FREE);
    const HeifBoxes boxes = end_meta(&open, 0);
    assert_int_equal(boxes.orientation, 1);
    assert_true(reads >= (size_t)ENTRIES * EACH);
    assert_true(reads < (size_t)ENTRIES * EACH + 10 * ENTRIES);
}

/* Four billion entries are promised, in boxes that end far behind the file: those that are there count. */
static void entries_end_with_the_file(void **state) {
    (void)state;
    Open open = begin_meta(1, 0, UINT32_MAX);
    associate(&open, 1, 1, 1);
    const HeifBoxes boxes = end_meta(&open, (size_t)1 << 31);
    assert_int_equal(boxes.orientation, 8); /* a quarter against the clock */
    assert_true(reads < 100);
}

/* Alpha that is named many times is one: its turns are hidden once. Three quarters against the clock are one with it.
 */
static void an_auxiliary_counts_once(void **state) {
    (void)state;
    Open open = begin_meta(20, 0, 2);
    associate(&open, 1, 3, 1);
    associate(&open, 2, 3, 1);
    const HeifBoxes boxes = end_meta(&open, 0);
    assert_int_equal(boxes.count, 6);
    assert_int_equal(boxes.orientation, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_walked_once),
        cmocka_unit_test(entries_end_with_the_file),
        cmocka_unit_test(an_auxiliary_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
