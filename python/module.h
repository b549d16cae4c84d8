/* module.h: what the files of the extension glint._glint share.
 * Owns the order of its parts: errors, machines, pixels of Python's objects, images, chains with their plans, scenes.
 */
#ifndef GLINT_PYTHON_MODULE_H
#define GLINT_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#include "include/glint.h"

#include <Python.h>
#include <stdbool.h>

/* Every function that returns false, or NULL, has set a Python exception. All are called with the GIL held. */

/* ---- errors: module.c ---- */

/* Raises the subclass of glint.Error that belongs to the status, with the sentence and the attribute `status`. */
void raise_error(const GlintError *error);
/* Raises glint.UsageError with a sentence of the extension's own. */
bool raise_usage(const char *format, ...);
/* Text of a str or a path, borrowed from `object`; NULL for None. False for other types. */
bool text_of(PyObject *object, const char *what, const char **text);

/* ---- machines: machines.c ---- */

/* An opened device, which stays open. After a fork, the child opens its own. */
typedef struct Machine {
    char backend[16];
    int index, threads;
    GlintDevice *device;
} Machine;

/* The device that work runs on: the one that `asked` names, as in "cpu", "cuda", "cuda:1" and "auto". For NULL it is
 * the GPU of number `gpu`, or the CPU for a negative one. */
bool machine_find(const char *asked, int gpu, const Machine **machine);
/* Threads of machines that are opened later; 0: as many as cores. */
void machines_set_threads(int threads);
/* Has forked processes begin without machines, once for the process. */
void machines_begin(void);

/* ---- pixels: pixels.c ---- */

/* The library that an object is of, and that its result comes from. */
typedef enum Kind { KIND_VIEW, KIND_NUMPY, KIND_TORCH, KIND_CUPY, KIND_JAX, KIND_IMAGE } Kind;

enum { AXES = 4 };

typedef struct Tensor Tensor; /* DLPack's */

/* Values of a Python object, which it holds until pixels_close. */
typedef struct Pixels {
    Kind kind;
    void *data;
    int axes;
    Py_ssize_t size[AXES], stride[AXES]; /* in bytes; 0 for axes of one value */
    GlintType type;
    int gpu; /* -1: the host's memory */
    bool has_stream;
    void *stream; /* of the caller's, on that GPU */
    bool buffered;
    Py_buffer buffer;
    Tensor *tensor;
} Pixels;

Kind kind_of(PyObject *object);
/* By the buffer protocol, __dlpack__ or __cuda_array_interface__. `written`: fails for memory that is read only. */
bool pixels_open(PyObject *object, Kind kind, bool written, Pixels *pixels);
void pixels_close(Pixels *pixels);
/* A capsule for a consumer of DLPack; it holds `owner`. */
PyObject *pixels_capsule(PyObject *owner, void *data, GlintShape shape);

/* The axes' places in an object's size: of pictures, rows, columns, channels; -1: there is none. */
typedef struct Layout {
    int axes, n, h, w, c;
} Layout;

/* The layout that letters name ("NCHW"), or for NULL that of such objects by default. */
bool layout_find(const char *letters, const Pixels *pixels, Layout *layout);
/* The pixels as glint takes them. */
bool layout_apply(Layout layout, const Pixels *pixels, GlintShape *shape, size_t *pictures, GlintPixels *out);
/* A new object for pictures of that shape, as the library of `like` makes it, or a memoryview where there is none. */
PyObject *pixels_make(PyObject *like, const Pixels *of, Layout layout, GlintShape shape, size_t pictures);
/* The object for the caller, once `made` is written, which it takes over: JAX's arrays on the host are made of numpy's.
 */
PyObject *pixels_finish(const Pixels *of, PyObject *made);

/* ---- images: image.c ---- */

extern PyTypeObject *image_type;
bool images_add(PyObject *module);
/* An object that owns the image; it is freed on failure, too. NULL for NULL. */
PyObject *image_wrap(GlintImage *image);
/* The image of an object of image_type. */
GlintImage *image_of(PyObject *object);
/* A black image, and its pixels. */
PyObject *image_make(GlintShape shape, GlintPixels *pixels);

/* ---- sandboxes: sandbox.c ---- */

bool sandboxes_add(PyObject *module);
/* The sandbox of an object that _glint.sandbox() made; NULL for NULL, which stands for this process. */
bool sandbox_of(PyObject *object, GlintSandbox **sandbox);

/* ---- chains: chain.c, plans.c ---- */

extern PyTypeObject *chain_type;
bool chains_add(PyObject *module);
/* _glint.run(chain, image, layout, out, device, stream). */
PyObject *chain_run(PyObject *module, PyObject *const *arguments, Py_ssize_t count);

typedef struct Plan Plan;
struct Plan {
    Plan *next; /* used less lately */
    const void *owner;
    const Machine *machine;
    GlintShape shape, result;
    size_t pictures;
    GlintPlan *plan;
    uint64_t bytes;
    unsigned users;
};

/* A plan of the owner's chain, kept or new, which stays until plan_leave. The options' `pictures` count. */
bool plan_take(const void *owner, const GlintChain *chain, const GlintPlanOptions *options, const Machine *machine,
               GlintShape shape, Plan **plan);
void plan_leave(Plan *plan);
/* Ends the plans of an owner; NULL: all that nobody uses. */
void plans_drop(void *owner);
/* Bytes that were copied since the process began: to devices, from them, rearranged, and the number of runs. */
GlintCopied plans_copied(void);
void plans_forget(void); /* in a forked process, where the parent's are of no use */

/* ---- scenes: scene.c ---- */

bool scenes_add(PyObject *module);

#endif
