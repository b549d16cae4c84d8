/* scene.c: scenes as objects, and their traces.
 * Owns the way from packed arrays of spheres to GlintScene. */
#include "python/module.h"

#include <string.h>

typedef struct SceneObject {
    PyObject ob_base;
    GlintScene *scene;
} SceneObject;

static PyTypeObject *scene_type;

static PyObject *raised(const GlintError *error) {
    raise_error(error);
    return NULL;
}

static PyObject *scene_wrap(GlintScene *scene) {
    allocfunc allocate = (allocfunc)PyType_GetSlot(scene_type, Py_tp_alloc);
    SceneObject *made = (SceneObject *)allocate(scene_type, 0);
    if (!made) {
        glint_scene_free(scene);
        return NULL;
    }
    made->scene = scene;
    return (PyObject *)made;
}

static void scene_free(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    glint_scene_free(((SceneObject *)self)->scene);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *scene_of_text(PyObject *module, PyObject *object) {
    const char *text;
    GlintScene *scene;
    GlintError error;
    GlintStatus status;
    (void)module;
    if (!text_of(object, "scene", &text))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_scene(text, &scene, &error);
    Py_END_ALLOW_THREADS;
    return status ? raised(&error) : scene_wrap(scene);
}

/* ---- spheres ---- */

enum { XYZ, RADIUS, COLOUR, MATERIAL, ARRAYS };

/* The address of an array of `columns` numbers of 4 bytes a sphere; NULL for one that is absent. */
static bool find_array(const char *what, const Py_buffer *array, size_t columns, size_t count, const void **address) {
    *address = array->obj ? array->buf : NULL;
    return !array->obj || (size_t)array->len == 4 * columns * count ||
           raise_usage("%s: %zd bytes, want %zu for %zu spheres", what, array->len, 4 * columns * count, count);
}

static PyObject *make_spheres(const Py_buffer arrays[ARRAYS], const char *const *names, size_t name_count,
                              const char *changes) {
    GlintSpheres spheres = GLINT_SPHERES;
    GlintScene *scene;
    GlintError error;
    GlintStatus status;
    const void *address[ARRAYS];
    spheres.count = (size_t)arrays[XYZ].len / 12;
    if (!find_array("xyz", &arrays[XYZ], 3, spheres.count, &address[XYZ]) ||
        !find_array("radius", &arrays[RADIUS], 1, spheres.count, &address[RADIUS]) ||
        !find_array("color", &arrays[COLOUR], 3, spheres.count, &address[COLOUR]) ||
        !find_array("material", &arrays[MATERIAL], 1, spheres.count, &address[MATERIAL]))
        return NULL;
    spheres.xyz = address[XYZ];
    spheres.radius = address[RADIUS];
    spheres.colour = address[COLOUR];
    spheres.material = address[MATERIAL];
    spheres.materials = names;
    spheres.material_count = name_count;
    spheres.changes = changes;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_spheres(&spheres, &scene, &error);
    Py_END_ALLOW_THREADS;
    return status ? raised(&error) : scene_wrap(scene);
}

/* spheres(xyz, radius, colour, material, materials, changes): packed arrays of 4-byte numbers, or None. */
static PyObject *scene_of_spheres(PyObject *module, PyObject *arguments) {
    enum { NAMES = 256 };
    PyObject *objects[ARRAYS], *materials;
    Py_buffer arrays[ARRAYS] = {{0}};
    const char *changes, *names[NAMES];
    PyObject *made = NULL;
    int open = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOO!z", &objects[0], &objects[1], &objects[2], &objects[3], &PyTuple_Type,
                          &materials, &changes))
        return NULL;
    const Py_ssize_t count = PyTuple_Size(materials);
    bool fine = count <= NAMES || raise_usage("materials: %zd, want %d at most", count, NAMES);
    for (Py_ssize_t i = 0; i < count && fine; i++)
        fine = text_of(PyTuple_GetItem(materials, i), "materials", &names[i]) &&
               (names[i] || raise_usage("materials: None among them"));
    for (; open < ARRAYS && fine; open++)
        fine = objects[open] == Py_None || PyObject_GetBuffer(objects[open], &arrays[open], PyBUF_SIMPLE) == 0;
    if (fine)
        made = make_spheres(arrays, names, (size_t)count, changes);
    for (int i = 0; i < ARRAYS; i++)
        PyBuffer_Release(&arrays[i]);
    return made;
}

/* ---- traces ---- */

typedef struct Watch {
    PyObject *function;
    PyObject *type, *value, *trace; /* what it raised */
} Watch;

/* Lets Python's signals through, and tells the caller's function. */
static int watch(void *context, double share) {
    Watch *watching = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    bool fine = PyErr_CheckSignals() == 0;
    if (fine && watching->function != Py_None) {
        PyObject *answer = PyObject_CallFunction(watching->function, "d", share);
        fine = answer != NULL;
        Py_XDECREF(answer);
    }
    if (!fine)
        PyErr_Fetch(&watching->type, &watching->value, &watching->trace);
    PyGILState_Release(state);
    return !fine;
}

static PyObject *trace(const GlintScene *scene, const Machine *machine, GlintTraceOptions options, PyObject *progress) {
    GlintError error;
    GlintStatus status;
    GlintPixels pixels;
    Watch watching = {progress, NULL, NULL, NULL};
    GlintShape shape;
    memset(&shape, 0, sizeof shape);
    shape = (GlintShape){options.width, options.height, 3, options.type};
    PyObject *made = image_make(shape, &pixels);
    if (!made)
        return NULL;
    options.progress = watch;
    options.context = &watching;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_trace(machine->device, scene, &options, &pixels, &error);
    Py_END_ALLOW_THREADS;
    if (!status)
        return made;
    Py_DECREF(made);
    if (watching.type)
        PyErr_Restore(watching.type, watching.value, watching.trace);
    else
        raise_error(&error);
    return NULL;
}

static PyObject *scene_trace(PyObject *self, PyObject *arguments, PyObject *named) {
    static const char *names[] = {"look",    "width", "height", "floats",   "denoise",  "camera", "level",
                                  "samples", "depth", "seed",   "exposure", "progress", "device", NULL};
    GlintTraceOptions options = GLINT_TRACE_OPTIONS;
    Py_ssize_t width = 1024, height = 1024;
    unsigned samples = 0, depth = 0, seed = 0;
    int floats = 0, denoise = 0;
    PyObject *progress = Py_None;
    const char *device = NULL;
    const Machine *machine;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "|$znnppzzIIIfOz", (char **)(uintptr_t)names, &options.look,
                                     &width, &height, &floats, &denoise, &options.camera, &options.level, &samples,
                                     &depth, &seed, &options.exposure, &progress, &device))
        return NULL;
    if (width < 1 || height < 1) {
        raise_usage("size: %zd x %zd pixels, want 1 at least", width, height);
        return NULL;
    }
    options.width = (size_t)width;
    options.height = (size_t)height;
    options.type = floats ? GLINT_F32 : GLINT_U8;
    options.denoise = denoise;
    options.samples = samples;
    options.depth = depth;
    options.seed = seed;
    return machine_find(device, -1, &machine) ? trace(((SceneObject *)self)->scene, machine, options, progress) : NULL;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"trace", (PyCFunction)(void (*)(void))scene_trace, METH_VARARGS | METH_KEYWORDS, "The picture of the scene."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)scene_free},
                              {Py_tp_methods, methods},
                              {Py_tp_doc, (void *)(uintptr_t) "Spheres, triangles, lights and a camera."},
                              {0, NULL}};
static PyType_Spec spec = {"glint._glint.Scene", sizeof(SceneObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
static PyMethodDef functions[] = {
    {"scene", scene_of_text, METH_O, "scene(text): a generator or a file, and changes."},
    {"spheres", scene_of_spheres, METH_VARARGS, "spheres(xyz, radius, colour, material, materials, changes)."},
    {NULL, NULL, 0, NULL},
};

bool scenes_add(PyObject *module) {
    scene_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return scene_type && PyModule_AddObjectRef(module, "Scene", (PyObject *)scene_type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}
