/* image.c: the pictures of a file as an object: a buffer, a DLPack tensor, a PNG for notebooks.
 * Owns GlintImages, and what reads and writes them. */
#include "python/module.h"

#include <string.h>

typedef struct ImageObject {
    PyObject ob_base;
    GlintImage *image; /* its own, or that of `whole` */
    PyObject *whole;   /* for a page: the image of the file */
    GlintShape shape;
    GlintPixels pixels;
    Py_ssize_t size[3], stride[3];
} ImageObject;

PyTypeObject *image_type;

static const struct {
    const char *name, *letter;
    Py_ssize_t bytes;
} types[] = {[GLINT_U8] = {"uint8", "B", 1}, [GLINT_U16] = {"uint16", "H", 2}, [GLINT_F32] = {"float32", "f", 4}};

static PyObject *raised(const GlintError *error) {
    raise_error(error);
    return NULL;
}

static ImageObject *allocate(void) {
    allocfunc make = (allocfunc)PyType_GetSlot(image_type, Py_tp_alloc);
    return (ImageObject *)make(image_type, 0);
}

static bool set_picture(ImageObject *made, size_t index) {
    GlintError error;
    if (glint_image_pixels(made->image, index, &made->shape, &made->pixels, &error))
        return raised(&error) != NULL;
    made->size[0] = (Py_ssize_t)made->shape.height;
    made->size[1] = (Py_ssize_t)made->shape.width;
    made->size[2] = made->shape.channels;
    made->stride[0] = made->pixels.row;
    made->stride[1] = made->pixels.pixel;
    made->stride[2] = made->pixels.channel;
    return true;
}

PyObject *image_wrap(GlintImage *image) {
    if (!image)
        return NULL;
    ImageObject *made = allocate();
    if (!made) {
        glint_image_free(image);
        return NULL;
    }
    made->image = image;
    if (set_picture(made, 0))
        return (PyObject *)made;
    Py_DECREF(made);
    return NULL;
}

GlintImage *image_of(PyObject *object) {
    return ((ImageObject *)object)->image;
}

PyObject *image_make(GlintShape shape, GlintPixels *pixels) {
    GlintImage *image;
    GlintError error;
    if (glint_image(&shape, NULL, &image, &error))
        return raised(&error);
    PyObject *made = image_wrap(image);
    if (made)
        *pixels = ((ImageObject *)made)->pixels;
    return made;
}

static void image_free(PyObject *self) {
    ImageObject *image = (ImageObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (image->whole)
        Py_DECREF(image->whole);
    else
        glint_image_free(image->image);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- making ---- */

static PyObject *copy_pixels(const Pixels *pixels, const char *letters) {
    Layout layout;
    GlintShape shape;
    GlintPixels from;
    GlintImage *image;
    GlintError error;
    GlintStatus status;
    size_t pictures;
    if (!layout_find(letters, pixels, &layout) || !layout_apply(layout, pixels, &shape, &pictures, &from))
        return NULL;
    if (pictures != 1 || pixels->gpu >= 0) {
        raise_usage(pictures != 1 ? "an image of a stack of pictures: want one"
                                  : "pixels on a GPU: want them in the host's memory, as .cpu() or .get() give them");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = glint_image(&shape, &from, &image, &error);
    Py_END_ALLOW_THREADS;
    return status ? raised(&error) : image_wrap(image);
}

static PyObject *image_new(PyTypeObject *type, PyObject *arguments, PyObject *named) {
    static const char *names[] = {"pixels", "layout", NULL};
    PyObject *object;
    const char *letters = NULL;
    Pixels pixels;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "O|z", (char **)(uintptr_t)names, &object, &letters) ||
        !pixels_open(object, kind_of(object), false, &pixels))
        return NULL;
    PyObject *made = copy_pixels(&pixels, letters);
    pixels_close(&pixels);
    return made;
}

static PyObject *read_file(PyObject *module, PyObject *arguments) {
    PyObject *encoded, *box = NULL;
    GlintSandbox *sandbox;
    GlintImage *image;
    GlintError error;
    GlintStatus status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O&|O", PyUnicode_FSConverter, &encoded, &box))
        return NULL;
    if (!sandbox_of(box, &sandbox)) {
        Py_DECREF(encoded);
        return NULL;
    }
    const char *text = PyBytes_AsString(encoded);
    Py_BEGIN_ALLOW_THREADS;
    status = sandbox ? glint_sandbox_read(sandbox, text, &image, &error) : glint_read(text, &image, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(encoded);
    return status ? raised(&error) : image_wrap(image);
}

static PyObject *decode_bytes(PyObject *module, PyObject *arguments) {
    Py_buffer bytes;
    PyObject *object, *box = NULL;
    GlintSandbox *sandbox;
    GlintImage *image;
    GlintError error;
    GlintStatus status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O|O", &object, &box) || !sandbox_of(box, &sandbox) ||
        PyObject_GetBuffer(object, &bytes, PyBUF_SIMPLE))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = sandbox ? glint_sandbox_decode(sandbox, bytes.buf, (size_t)bytes.len, &image, &error)
                     : glint_decode(bytes.buf, (size_t)bytes.len, &image, &error);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&bytes);
    return status ? raised(&error) : image_wrap(image);
}

/* ---- saving ---- */

static PyObject *image_write(PyObject *self, PyObject *arguments) {
    PyObject *path;
    const char *options;
    GlintError error;
    GlintStatus status;
    if (!PyArg_ParseTuple(arguments, "O&z", PyUnicode_FSConverter, &path, &options))
        return NULL;
    const char *text = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS;
    status = glint_write(image_of(self), text, options, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    return status ? raised(&error) : Py_NewRef(Py_None);
}

static PyObject *encode(const GlintImage *image, const char *format, const char *options) {
    void *bytes;
    size_t size;
    GlintError error;
    GlintStatus status;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_encode(image, format, options, &bytes, &size, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        return raised(&error);
    PyObject *made = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    glint_free(bytes);
    return made;
}

static PyObject *image_encode(PyObject *self, PyObject *arguments) {
    const char *format, *options;
    return PyArg_ParseTuple(arguments, "sz", &format, &options) ? encode(image_of(self), format, options) : NULL;
}

/* Floats as a screen shows them: cut off at 0 and 1, in 8 bits. */
static void show_floats(const ImageObject *image, const GlintPixels *to) {
    for (size_t y = 0; y < image->shape.height; y++) {
        const float *from =
            (const float *)(const void *)((const char *)image->pixels.pixels + (ptrdiff_t)y * image->pixels.row);
        unsigned char *out = (unsigned char *)to->pixels + (ptrdiff_t)y * to->row;
        for (size_t i = 0; i < image->shape.width * (size_t)image->shape.channels; i++)
            out[i] = (unsigned char)(from[i] > 0 ? (from[i] < 1 ? from[i] * 255 + 0.5f : 255) : 0);
    }
}

static PyObject *image_png(PyObject *self, PyObject *unused) {
    const ImageObject *image = (ImageObject *)self;
    GlintPixels pixels;
    GlintShape shape = image->shape;
    (void)unused;
    if (shape.type != GLINT_F32)
        return encode(image->image, "png", NULL);
    shape.type = GLINT_U8;
    PyObject *shown = image_make(shape, &pixels);
    if (!shown)
        return NULL;
    show_floats(image, &pixels);
    PyObject *png = encode(image_of(shown), "png", NULL);
    Py_DECREF(shown);
    return png;
}

/* ---- as an array ---- */

static int image_lend(PyObject *self, Py_buffer *buffer, int flags) {
    ImageObject *image = (ImageObject *)self;
    const bool packed = image->stride[0] == image->size[1] * image->stride[1];
    if (!packed && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "rows of an image have gaps: want strides");
        return -1;
    }
    *buffer = (Py_buffer){.buf = image->pixels.pixels,
                          .obj = Py_NewRef(self),
                          .len = image->size[0] * image->size[1] * image->size[2] * types[image->shape.type].bytes,
                          .itemsize = types[image->shape.type].bytes,
                          .ndim = image->shape.channels == 1 ? 2 : 3};
    buffer->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)types[image->shape.type].letter : NULL;
    buffer->shape = flags & PyBUF_ND ? image->size : NULL;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? image->stride : NULL;
    return 0;
}

static PyObject *image_dlpack(PyObject *self, PyObject *arguments, PyObject *named) {
    const ImageObject *image = (ImageObject *)self;
    PyObject *copy = named ? PyDict_GetItemString(named, "copy") : NULL;
    (void)arguments;
    if (copy == Py_True || image->stride[0] != image->size[1] * image->stride[1]) {
        PyErr_SetString(PyExc_BufferError, copy == Py_True ? "an image lends its pixels, and makes no copy"
                                                           : "rows of an image have gaps: numpy.asarray takes them");
        return NULL;
    }
    return pixels_capsule(self, image->pixels.pixels, image->shape);
}

static PyObject *image_device(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", 1, 0);
}

static PyObject *image_shape(PyObject *self, void *unused) {
    const ImageObject *image = (ImageObject *)self;
    (void)unused;
    return image->shape.channels == 1 ? Py_BuildValue("(nn)", image->size[0], image->size[1])
                                      : Py_BuildValue("(nnn)", image->size[0], image->size[1], image->size[2]);
}

static PyObject *image_dtype(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(types[((ImageObject *)self)->shape.type].name);
}

static PyObject *make_page(ImageObject *image, size_t index) {
    ImageObject *page = allocate();
    if (!page)
        return NULL;
    page->whole = Py_NewRef(image->whole ? image->whole : (PyObject *)image);
    page->image = image->image;
    if (set_picture(page, index))
        return (PyObject *)page;
    Py_DECREF(page);
    return NULL;
}

static PyObject *image_pages(PyObject *self, void *unused) {
    ImageObject *image = (ImageObject *)self;
    const size_t count = glint_image_count(image->image);
    PyObject *pages = PyTuple_New((Py_ssize_t)count);
    (void)unused;
    for (size_t i = 0; pages && i < count; i++) {
        PyObject *page = make_page(image, i);
        if (!page)
            Py_CLEAR(pages);
        else
            PyTuple_SetItem(pages, (Py_ssize_t)i, page);
    }
    return pages;
}

static PyObject *image_repr(PyObject *self) {
    const ImageObject *image = (ImageObject *)self;
    return PyUnicode_FromFormat("<glint.Image of %zu x %zu pixels, %d channels of %s>", image->shape.width,
                                image->shape.height, (int)image->shape.channels, types[image->shape.type].name);
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"_write", image_write, METH_VARARGS, NULL},
    {"_encode", image_encode, METH_VARARGS, NULL},
    {"_repr_png_", image_png, METH_NOARGS, "The picture as a notebook shows it."},
    {"__dlpack__", (PyCFunction)(void (*)(void))image_dlpack, METH_VARARGS | METH_KEYWORDS, "A capsule of DLPack."},
    {"__dlpack_device__", image_device, METH_NOARGS, "(1, 0): the host's memory."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef members[] = {
    {"shape", image_shape, NULL, "(height, width), or (height, width, channels).", NULL},
    {"dtype", image_dtype, NULL, "\"uint8\", \"uint16\" or \"float32\".", NULL},
    {"pages", image_pages, NULL, "All pictures of the file, this one first.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_new, (void *)image_new},
    {Py_tp_dealloc, (void *)image_free},
    {Py_tp_repr, (void *)image_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {Py_bf_getbuffer, (void *)image_lend},
    {Py_tp_doc,
     (void *)(uintptr_t) "Pictures of a file with its metadata, or a copy of an array: Image(array, layout=None).\n"
                         "numpy.asarray and from_dlpack take its pixels without a copy."},
    {0, NULL},
};
static PyType_Spec spec = {"glint.Image", sizeof(ImageObject), 0, Py_TPFLAGS_DEFAULT, slots};

static PyMethodDef functions[] = {
    {"read", read_file, METH_VARARGS, "read(path, sandbox): the pictures of a file."},
    {"decode", decode_bytes, METH_VARARGS, "decode(bytes, sandbox): the pictures of a file in memory."},
    {NULL, NULL, 0, NULL},
};

bool images_add(PyObject *module) {
    image_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return image_type && PyModule_AddObjectRef(module, "Image", (PyObject *)image_type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}
