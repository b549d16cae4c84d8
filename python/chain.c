/* chain.c: chains as objects that are called with pictures.
 * Owns a call from Python's arguments to glint_run and back. */
#include "python/module.h"

#include <string.h>

typedef struct ChainObject {
    PyObject ob_base;
    GlintChain *chain;
    GlintPlanOptions options;
    PyObject *texts[4]; /* which the options' texts are borrowed from */
} ChainObject;

PyTypeObject *chain_type;

/* Chain(text, border, alpha, precision, level, linear) */
static PyObject *chain_new(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    static const char *names[] = {"text", "border", "alpha", "precision", "level", "linear", NULL};
    const char *text;
    PyObject *texts[4] = {Py_None, Py_None, Py_None, Py_None};
    int linear = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "s|OOOOp", (char **)(uintptr_t)names, &text, &texts[0],
                                     &texts[1], &texts[2], &texts[3], &linear))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    ChainObject *made = (ChainObject *)allocate(type, 0);
    if (!made)
        return NULL;
    made->options = (GlintPlanOptions)GLINT_PLAN_OPTIONS;
    made->options.linear = linear;
    const char **const slots[] = {&made->options.border, &made->options.alpha, &made->options.precision,
                                  &made->options.level};
    for (int i = 0; i < 4; i++) {
        made->texts[i] = Py_NewRef(texts[i]);
        if (!text_of(texts[i], names[i + 1], slots[i]))
            goto failed;
    }
    GlintError error;
    GlintStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_chain(text, &made->chain, &error);
    Py_END_ALLOW_THREADS;
    if (!status)
        return (PyObject *)made;
    raise_error(&error);
failed:
    Py_DECREF(made);
    return NULL;
}

static void chain_free(PyObject *self) {
    ChainObject *chain = (ChainObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (chain->chain)
        plans_drop(chain);
    glint_chain_free(chain->chain);
    for (int i = 0; i < 4; i++)
        Py_XDECREF(chain->texts[i]);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- calls ---- */

typedef struct Call {
    ChainObject *chain;
    PyObject *image, *out;
    const char *letters, *device;
    PyObject *stream;
} Call;

static bool find_stream(const Call *call, const Pixels *in, GlintStream *stream, const GlintStream **used) {
    *used = NULL;
    if (in->gpu < 0 && call->stream == Py_None)
        return true;
    if (call->stream != Py_None) {
        stream->stream = PyLong_AsVoidPtr(call->stream);
        *used = stream;
        return !PyErr_Occurred();
    }
    stream->stream = in->stream;
    *used = in->has_stream ? stream : NULL;
    return true;
}

static bool check_out(const Plan *plan, GlintShape shape, size_t pictures) {
    const GlintShape *want = &plan->result;
    if (shape.width == want->width && shape.height == want->height && shape.channels == want->channels &&
        shape.type == want->type && pictures == plan->pictures)
        return true;
    static const char *const types[] = {"uint8", "uint16", "float32"};
    return raise_usage("out: want %zu x %zu pixels, %d channels of %s, and %zu pictures", want->width, want->height,
                       (int)want->channels, types[want->type], plan->pictures);
}

static bool run_plan(const Call *call, Plan *plan, const Pixels *in, const GlintPixels *from, const Pixels *out,
                     Layout layout) {
    GlintShape shape;
    GlintPixels to;
    size_t pictures;
    GlintStream stream;
    const GlintStream *used;
    GlintError error;
    GlintStatus status;
    if (out->axes != layout.axes)
        return raise_usage("out: %d axes, want %d as the input has", out->axes, layout.axes);
    if (!layout_apply(layout, out, &shape, &pictures, &to) || !check_out(plan, shape, pictures) ||
        !find_stream(call, in, &stream, &used))
        return false;
    if (out->gpu >= 0 && out->gpu != plan->machine->index)
        return raise_usage("out: it is on cuda:%d, and the filters run on %s:%d", out->gpu, plan->machine->backend,
                           plan->machine->index);
    Py_BEGIN_ALLOW_THREADS;
    status = glint_run(plan->plan, from, &to, used, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        raise_error(&error);
    return !status;
}

/* The result of a plan, in an object that is made for it, or the caller's. */
static PyObject *run_into(const Call *call, Plan *plan, const Pixels *in, const GlintPixels *from, Layout layout) {
    Pixels out;
    const bool given = call->out != Py_None;
    PyObject *made = given ? Py_NewRef(call->out) : pixels_make(call->image, in, layout, plan->result, plan->pictures);
    if (!made)
        return NULL;
    bool done = pixels_open(made, kind_of(made), true, &out);
    if (done) {
        done = run_plan(call, plan, in, from, &out, layout);
        pixels_close(&out);
    }
    if (done)
        return given ? made : pixels_finish(in, made);
    Py_DECREF(made);
    return NULL;
}

static PyObject *run_pixels(const Call *call, const Pixels *in) {
    Layout layout;
    GlintShape shape;
    GlintPixels from;
    const Machine *machine;
    Plan *plan;
    GlintPlanOptions options = call->chain->options;
    if (!layout_find(call->letters, in, &layout) || !layout_apply(layout, in, &shape, &options.pictures, &from) ||
        !machine_find(call->device, in->gpu, &machine) ||
        !plan_take(call->chain, call->chain->chain, &options, machine, shape, &plan))
        return NULL;
    PyObject *result = run_into(call, plan, in, &from, layout);
    plan_leave(plan);
    return result;
}

/* All pictures of a file, with its metadata. */
static PyObject *run_image(const Call *call) {
    const Machine *machine;
    GlintImage *result;
    GlintError error;
    GlintStatus status;
    if (!machine_find(call->device, -1, &machine))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_filter(machine->device, call->chain->chain, &call->chain->options, image_of(call->image), &result,
                          &error);
    Py_END_ALLOW_THREADS;
    if (!status)
        return image_wrap(result);
    raise_error(&error);
    return NULL;
}

static PyObject *run(const Call *call) {
    Pixels in;
    const Kind kind = kind_of(call->image);
    if (kind == KIND_IMAGE && call->out == Py_None && !call->letters)
        return run_image(call);
    if (!pixels_open(call->image, kind, false, &in))
        return NULL;
    PyObject *result = run_pixels(call, &in);
    pixels_close(&in);
    return result;
}

PyObject *chain_run(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 6 || Py_TYPE(arguments[0]) != chain_type) {
        PyErr_SetString(PyExc_TypeError, "run: want a chain, an image, layout, out, device and stream");
        return NULL;
    }
    Call call = {
        .chain = (ChainObject *)arguments[0], .image = arguments[1], .out = arguments[3], .stream = arguments[5]};
    return text_of(arguments[2], "layout", &call.letters) && text_of(arguments[4], "device", &call.device) ? run(&call)
                                                                                                           : NULL;
}

static PyObject *chain_call(PyObject *self, PyObject *arguments, PyObject *named) {
    static const char *names[] = {"image", "layout", "out", "device", "stream", NULL};
    Call call = {.chain = (ChainObject *)self, .out = Py_None, .stream = Py_None};
    return PyArg_ParseTupleAndKeywords(arguments, named, "O|zOzO", (char **)(uintptr_t)names, &call.image,
                                       &call.letters, &call.out, &call.device, &call.stream)
               ? run(&call)
               : NULL;
}

/* ---- the type ---- */

static PyObject *chain_text(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(glint_chain_text(((ChainObject *)self)->chain));
}

static PyObject *chain_str(PyObject *self) {
    return chain_text(self, NULL);
}

static PyObject *chain_repr(PyObject *self) {
    PyObject *text = chain_text(self, NULL);
    PyObject *repr = text ? PyUnicode_FromFormat("glint.chain(%R)", text) : NULL;
    Py_XDECREF(text);
    return repr;
}

static PyGetSetDef members[] = {{"text", chain_text, NULL, "The chain's text, presets expanded.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, (void *)chain_new},
    {Py_tp_dealloc, (void *)chain_free},
    {Py_tp_call, (void *)chain_call},
    {Py_tp_repr, (void *)chain_repr},
    {Py_tp_str, (void *)chain_str},
    {Py_tp_getset, members},
    {Py_tp_doc, (void *)(uintptr_t) "Filters in sequence, to be called with pictures: glint.chain makes them."},
    {0, NULL}};
static PyType_Spec spec = {"glint.Chain", sizeof(ChainObject), 0, Py_TPFLAGS_DEFAULT, slots};

bool chains_add(PyObject *module) {
    chain_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return chain_type && PyModule_AddObjectRef(module, "Chain", (PyObject *)chain_type) == 0;
}
