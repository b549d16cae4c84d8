/* module.c: the extension glint._glint: libglint's functions for Python, under the limited API.
 * Owns the exceptions, and the functions that are about no picture. glint/__init__.py makes the module `glint` of it.
 */
#include "python/module.h"

#include <stdarg.h>
#include <string.h>

/* ---- errors ---- */

static PyObject *error_type;
static struct {
    GlintStatus status;
    const char *name, *base, *help;
    PyObject *type;
} kinds[] = {
    {GLINT_USAGE, "UsageError", "ValueError", "The request makes no sense: an argument, a chain, a level.", NULL},
    {GLINT_INPUT, "InputError", "ValueError", "A file, a picture or a scene cannot be used.", NULL},
    {GLINT_DEVICE, "DeviceError", "RuntimeError", "The device or the system failed: no GPU, no memory, no space.",
     NULL},
    {GLINT_STOPPED, "Stopped", "RuntimeError", "The work was ended early.", NULL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void raise_error(const GlintError *error) {
    size_t i = 0;
    while (i + 1 < KINDS && (int32_t)kinds[i].status != error->status)
        i++;
    PyObject *type = kinds[i].type;
    PyObject *sentence = PyUnicode_DecodeUTF8(error->sentence, (Py_ssize_t)strlen(error->sentence), "replace");
    if (!sentence)
        return;
    PyErr_SetObject(type, sentence);
    Py_DECREF(sentence);
}

bool raise_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PyErr_FormatV(kinds[0].type, format, arguments);
    va_end(arguments);
    return false;
}

static bool add_errors(PyObject *module) {
    PyObject *builtins = PyImport_ImportModule("builtins");
    error_type = PyErr_NewExceptionWithDoc(
        "glint.Error", "All errors of glint; `status` is the exit status of the program.", NULL, NULL);
    if (!builtins || !error_type || PyModule_AddObjectRef(module, "Error", error_type))
        return false;
    for (size_t i = 0; i < KINDS; i++) {
        char name[64];
        PyOS_snprintf(name, sizeof name, "glint.%s", kinds[i].name);
        PyObject *base = PyObject_GetAttrString(builtins, kinds[i].base);
        PyObject *bases = base ? PyTuple_Pack(2, error_type, base) : NULL;
        PyObject *members = Py_BuildValue("{s:i}", "status", (int)kinds[i].status);
        kinds[i].type = bases && members ? PyErr_NewExceptionWithDoc(name, kinds[i].help, bases, members) : NULL;
        Py_XDECREF(base);
        Py_XDECREF(bases);
        Py_XDECREF(members);
        if (!kinds[i].type || PyModule_AddObjectRef(module, kinds[i].name, kinds[i].type))
            return false;
    }
    Py_DECREF(builtins);
    return true;
}

bool text_of(PyObject *object, const char *what, const char **text) {
    *text = NULL;
    if (object == Py_None)
        return true;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: want a str or None", what);
        return false;
    }
    Py_ssize_t length;
    *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (*text && strlen(*text) != (size_t)length)
        return raise_usage("%s: a text with a zero byte", what);
    return *text != NULL;
}

/* ---- functions ---- */

static PyObject *json_object(GlintStatus status, char *json, const GlintError *error) {
    if (status) {
        raise_error(error);
        return NULL;
    }
    PyObject *text = PyUnicode_FromString(json);
    glint_free(json);
    return text;
}

static PyObject *list_topic(PyObject *module, PyObject *topic) {
    (void)module;
    GlintError error;
    const char *text;
    char *json;
    if (!text_of(topic, "topic", &text))
        return NULL;
    const GlintStatus status = glint_list(text, &json, &error);
    return json_object(status, json, &error);
}

static PyObject *describe_device(PyObject *module, PyObject *name) {
    (void)module;
    GlintError error;
    GlintStatus status;
    const Machine *machine;
    const char *text;
    char *json;
    if (!text_of(name, "device", &text) || !machine_find(text, -1, &machine))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_describe_device(machine->device, &json, &error);
    Py_END_ALLOW_THREADS;
    return json_object(status, json, &error);
}

static PyObject *set_threads(PyObject *module, PyObject *number) {
    (void)module;
    const long threads = PyLong_AsLong(number);
    if (threads == -1 && PyErr_Occurred())
        return NULL;
    if (threads < 0 || threads > 1024) {
        raise_usage("threads: %ld, want 1 to 1024, or 0 for as many as cores", threads);
        return NULL;
    }
    machines_set_threads((int)threads);
    Py_RETURN_NONE;
}

static PyObject *copied(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    const GlintCopied sum = plans_copied();
    return Py_BuildValue("(KKKK)", (unsigned long long)sum.to_device, (unsigned long long)sum.from_device,
                         (unsigned long long)sum.rearranged, (unsigned long long)sum.runs);
}

static PyObject *forget(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    plans_drop(NULL);
    Py_RETURN_NONE;
}

/* Two objects of one shape in the host's memory, as host images or arrays. */
static bool compare_opened(const Pixels *a, const Pixels *b, const char *letters, GlintComparison *figures) {
    Layout layout;
    GlintShape shapes[2];
    GlintPixels pixels[2];
    size_t pictures[2];
    const Machine *machine;
    if (!layout_find(letters, a, &layout) || !layout_apply(layout, a, &shapes[0], &pictures[0], &pixels[0]) ||
        !layout_find(letters, b, &layout) || !layout_apply(layout, b, &shapes[1], &pictures[1], &pixels[1]))
        return false;
    if (a->gpu >= 0 || b->gpu >= 0)
        return raise_usage("compare: pixels on a GPU; want both in the host's memory, as .cpu() or .get() give them");
    if (memcmp(&shapes[0], &shapes[1], sizeof shapes[0]) != 0)
        return raise_usage("compare: the pictures differ in size, channels or type; want two of one kind");
    if (pictures[0] != 1 || pictures[1] != 1)
        return raise_usage("compare: a stack of pictures; want one picture each");
    if (!machine_find(NULL, -1, &machine))
        return false;
    GlintError error;
    GlintStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_compare(machine->device, &shapes[0], &pixels[0], &pixels[1], figures, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        raise_error(&error);
    return !status;
}

static PyTypeObject *comparison_type;
static PyStructSequence_Field figure_fields[] = {
    {"psnr", "decibels; infinite where nothing differs"},
    {"ssim", "structural similarity, 1 where nothing differs"},
    {"ncc", "normalized cross-correlation, -1 to 1"},
    {"max", "the largest absolute difference of two values, as stored"},
    {"mean", "the mean of the absolute differences"},
    {"differing", "pixels that differ"},
    {"x", "the column where the largest difference is first"},
    {"y", "the row where the largest difference is first"},
    {"flip", "FLIP's mean error, 0 to 1: of bytes and 16 bits as sRGB, of f32 as light"},
    {NULL, NULL},
};
enum { FIGURES = sizeof figure_fields / sizeof figure_fields[0] - 1 };

/* The figures in the order of their fields. */
static PyObject *figures_object(const GlintComparison *figures) {
    PyObject *values[] = {
        PyFloat_FromDouble(figures->psnr),       PyFloat_FromDouble(figures->ssim),
        PyFloat_FromDouble(figures->ncc),        PyFloat_FromDouble(figures->max),
        PyFloat_FromDouble(figures->mean),       PyLong_FromUnsignedLongLong(figures->differing),
        PyLong_FromUnsignedLongLong(figures->x), PyLong_FromUnsignedLongLong(figures->y),
        PyFloat_FromDouble(figures->flip),
    };
    PyObject *made = PyStructSequence_New(comparison_type);
    for (int i = 0; i < FIGURES; i++) {
        PyObject *value = values[i];
        if (!made)
            Py_XDECREF(value);
        else if (!value)
            Py_CLEAR(made);
        else
            PyStructSequence_SetItem(made, i, value);
    }
    return made;
}

static bool add_comparison(PyObject *module) {
    static PyStructSequence_Desc description = {
        "glint.Comparison", "How far two pictures are apart: the figures of `glint compare`.", figure_fields, FIGURES};
    comparison_type = PyStructSequence_NewType(&description);
    return comparison_type && PyModule_AddObjectRef(module, "Comparison", (PyObject *)comparison_type) == 0;
}

static PyObject *compare(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *objects[2];
    const char *letters;
    Pixels a, b;
    GlintComparison figures = GLINT_COMPARISON;
    if (!PyArg_ParseTuple(arguments, "OOz", &objects[0], &objects[1], &letters) ||
        !pixels_open(objects[0], kind_of(objects[0]), false, &a))
        return NULL;
    bool done = pixels_open(objects[1], kind_of(objects[1]), false, &b);
    if (done) {
        done = compare_opened(&a, &b, letters, &figures);
        pixels_close(&b);
    }
    pixels_close(&a);
    return done ? figures_object(&figures) : NULL;
}

static PyMethodDef functions[] = {
    {"run", (PyCFunction)(void (*)(void))chain_run, METH_FASTCALL, "run(chain, image, layout, out, device, stream)"},
    {"tables", list_topic, METH_O, "tables(topic): the JSON of one of the library's tables."},
    {"device", describe_device, METH_O, "device(name): the JSON that describes a device."},
    {"set_threads", set_threads, METH_O, "set_threads(number): the threads of each call from now on."},
    {"copied", copied, METH_NOARGS, "copied(): bytes to devices, from them, rearranged; runs."},
    {"forget", forget, METH_NOARGS, "forget(): ends the plans that are kept warm."},
    {"compare", compare, METH_VARARGS, "compare(a, b, layout): the figures, in glint.h's order."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    static bool begun;
    if (!begun)
        machines_begin();
    begun = true;
    return add_errors(module) && add_comparison(module) && images_add(module) && sandboxes_add(module) &&
                   chains_add(module) && scenes_add(module) &&
                   PyModule_AddStringConstant(module, "version", glint_version()) == 0
               ? 0
               : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "glint._glint",
                                        .m_doc = "libglint for Python; use the module glint.",
                                        .m_methods = functions,
                                        .m_slots = slots};

PyMODINIT_FUNC PyInit__glint(void);
PyMODINIT_FUNC PyInit__glint(void) {
    return PyModuleDef_Init(&definition);
}
