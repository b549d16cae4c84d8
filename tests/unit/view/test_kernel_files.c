/* test_kernel_files.c: kernel files in the window, without one: the compiler's words at their lines, levels that come
 * and go, files that hands begin. No kernel runs here. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/structure.h"
#include "app/view/tools/kernel_files.h"
#include "kernel/rungs.h"

#include "tests/unit/view/fixture.h"

static const char good[] = "#include <glint/kernel.h>\n"
                           "KERNEL(convolve, mine) {\n"
                           "    for (int y = part.first; y < part.last; y++)\n"
                           "        store(out, 0, y, 0, 1);\n"
                           "}\n";
static const char bad[] = "#include <glint/kernel.h>\n"
                          "KERNEL(convolve, mine) {\n"
                          "    store(out, 0, part.first, 0, undeclared);\n"
                          "}\n";

static int begin_group(void **state) {
    if (make_folder(state) != 0)
        return 1;
    setenv("XDG_CACHE_HOME", "/nonexistent", 1); /* a result of an earlier run is none */
    return 0;
}

static int end_group(void **state) {
    static const char *const names[] = {"mine.c", "begun.c"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    return remove_folder(state);
}

static bool has_rung(Viewer *viewer, const char *name) {
    bool has = false;
    session_note_rungs(viewer->session);
    for (size_t i = 0; i < viewer->session->rung_count; i++)
        has |= strcmp(viewer->session->rungs[i].level->name, name) == 0;
    return has;
}

static void scripts_open_none(void **state) {
    Viewer *viewer = *state;
    viewer->scripted = true;
    write_text("mine.c", good);
    assert_int_equal(kernel_files_open(viewer, "mine.c"), STATUS_USAGE);
    assert_int_equal(kernel_files_new(viewer, "begun.c"), STATUS_USAGE);
    assert_int_equal(kernel_files_close(viewer, "mine.c"), STATUS_USAGE);
    assert_string_equal(status_message(), "kernels come from --kernel and from hands, not from scripts");
    assert_null(kernel_file_at(0));
    assert_int_equal(access("begun.c", F_OK), -1);
}

/* The file stays open with the error at its line; the next text that compiles clears it, and its level is taken. */
static void words_stand_at_their_lines(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(kernel_files_begin(viewer, 2, false), STATUS_OK);
    write_text("mine.c", bad);
    assert_int_equal(kernel_files_open(viewer, "mine.c"), STATUS_INPUT);
    const KernelSource *shown = kernel_files_shown(viewer);
    assert_non_null(shown);
    assert_false(shown->compiled);
    assert_string_equal(shown->lines[2], "    store(out, 0, part.first, 0, undeclared);");
    assert_int_equal(shown->notes[0].line, 3);
    assert_true(shown->notes[0].error && strstr(shown->notes[0].text, "undeclared"));
    assert_false(has_rung(viewer, "mine"));
    write_text("mine.c", good);
    assert_int_equal(kernel_file_reload(0), STATUS_OK);
    viewer_forget_kernels(viewer);
    kernel_files_follow(viewer);
    assert_string_equal(viewer->request->level, "mine");
    assert_string_equal(kernel_files_shown(viewer)->why, "");
    assert_int_equal(kernel_files_shown(viewer)->note_count, 0);
    assert_true(has_rung(viewer, "mine"));
}

/* The level leaves the ladder; opened again, it is there again. */
static void closed_files_have_no_levels(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(kernel_files_begin(viewer, 2, false), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "mine"), STATUS_OK);
    assert_int_equal(kernel_files_close(viewer, "other.c"), STATUS_USAGE);
    assert_int_equal(kernel_files_close(viewer, "mine.c"), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_false(has_rung(viewer, "mine"));
    assert_null(kernel_files_shown(viewer));
    assert_int_equal(kernel_files_close(viewer, "mine.c"), STATUS_USAGE);
    assert_int_equal(kernel_files_open(viewer, "mine.c"), STATUS_OK);
    assert_int_equal(kernel_files_open(viewer, "mine.c"), STATUS_USAGE);
    assert_string_equal(viewer->request->level, "mine");
    assert_true(has_rung(viewer, "mine"));
}

/* A file is begun for the operation that is shown, and none is overwritten. */
static void files_are_begun(void **state) {
    Viewer *viewer = *state;
    char text[64] = "";
    assert_int_equal(kernel_files_begin(viewer, 2, false), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "contrast=1.25", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(kernel_files_new(viewer, "mine.c"), STATUS_USAGE);
    assert_int_equal(kernel_files_new(viewer, "begun.txt"), STATUS_USAGE);
    assert_int_equal(kernel_files_new(viewer, "begun.c"), STATUS_OK);
    FILE *file = fopen("begun.c", "r");
    bool point = false;
    assert_non_null(file);
    while (fgets(text, sizeof text, file))
        point |= strstr(text, "KERNEL(point") != NULL;
    assert_true(point);
    assert_int_equal(fclose(file), 0);
}

/* Where nothing is done to the picture, a filter of the kernel's operation is. */
static void kernels_bring_a_filter(void **state) {
    Viewer *viewer = *state;
    char chain[256];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(kernel_files_begin(viewer, 2, true), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "box=5");
    assert_string_equal(viewer->request->level, "mine");
}

/* The words of counts: those that there are none of are left out. */
static void counts_have_words(void **state) {
    char words[96];
    Structure structure = {.counted = true, .figures = {912.4, 100, 1.25, -1, -1, -1}};
    (void)state;
    assert_string_equal(structure_words(&structure, words, sizeof words), "912 instr./pixel · 1.25 sectors");
    structure.figures[FIGURE_CONFLICTS] = 0.5;
    assert_string_equal(structure_words(&structure, words, sizeof words),
                        "912 instr./pixel · 1.25 sectors · 0.5 conflicts");
    structure.counted = false;
    assert_string_equal(structure_words(&structure, words, sizeof words), "");
    assert_string_equal(structure_words(NULL, words, sizeof words), "");
}

int main(void) {
    KernelCompilerInfo info = {0};
    if (backends_register() != STATUS_OK)
        return 1;
    for (size_t i = 0; i < kernel_compiler_count() && !(info.found && info.kind == KERNEL_CPU); i++)
        kernel_compiler_info(i, &info);
    if (!info.found || info.kind != KERNEL_CPU)
        return 0; /* nothing compiles them */
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(scripts_open_none),           WITH_VIEWER(words_stand_at_their_lines),
        WITH_VIEWER(closed_files_have_no_levels), WITH_VIEWER(files_are_begun),
        WITH_VIEWER(kernels_bring_a_filter),      cmocka_unit_test(counts_have_words),
    };
    return cmocka_run_group_tests(tests, begin_group, end_group);
}
