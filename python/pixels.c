/* pixels.c: the values of Python's objects as addresses and strides: buffers, DLPack, __cuda_array_interface__.
 * Owns all knowledge of other libraries' arrays: how they are told apart, lent and asked for their streams. */
#include "python/module.h"

#include <string.h>

/* DLPack's structs, of its version 0: https://dmlc.github.io/dlpack/latest/c_api.html */
struct Tensor {
    void *data;
    struct {
        int32_t type, index;
    } device;
    int32_t axes;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } type;
    int64_t *size, *stride; /* in values; no strides: packed */
    uint64_t offset;        /* in bytes */
    void *context;
    void (*deleter)(Tensor *tensor);
};
enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13, DL_UINT = 1, DL_FLOAT = 2 };
enum { NO_SYNC = -1 }; /* for __dlpack__: the consumer works on the producer's stream */

static const struct {
    char letter;      /* in formats of the module struct */
    const char *name; /* of numpy, torch and so on */
    uint8_t code, bytes;
} types[] = {[GLINT_U8] = {'B', "uint8", DL_UINT, 1},
             [GLINT_U16] = {'H', "uint16", DL_UINT, 2},
             [GLINT_F32] = {'f', "float32", DL_FLOAT, 4}};
enum { TYPES = sizeof types / sizeof types[0] };

/* ---- kinds ---- */

static const struct {
    const char *module;
    Kind kind;
} makers[] = {
    {"numpy", KIND_NUMPY}, {"torch", KIND_TORCH}, {"cupy", KIND_CUPY}, {"jax", KIND_JAX}, {"jaxlib", KIND_JAX}};

static Kind kind_of_type(PyObject *type) {
    PyObject *module = PyObject_GetAttrString(type, "__module__");
    const char *name = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : NULL;
    Kind kind = KIND_VIEW;
    for (size_t i = 0; name && i < sizeof makers / sizeof makers[0]; i++) {
        const size_t length = strlen(makers[i].module);
        if (strncmp(name, makers[i].module, length) == 0 && (name[length] == '.' || name[length] == '\0'))
            kind = makers[i].kind;
    }
    Py_XDECREF(module);
    PyErr_Clear();
    return kind;
}

/* A class of the user's is of the kind of its bases. */
static Kind kind_of_bases(PyObject *type) {
    PyObject *bases = PyObject_GetAttrString(type, "__mro__");
    const Py_ssize_t count = bases ? PyTuple_Size(bases) : 0;
    Kind kind = KIND_VIEW;
    for (Py_ssize_t i = 0; i < count && kind == KIND_VIEW; i++)
        kind = kind_of_type(PyTuple_GetItem(bases, i));
    Py_XDECREF(bases);
    PyErr_Clear();
    return kind;
}

Kind kind_of(PyObject *object) {
    enum { KNOWN = 8 };
    static struct {
        PyTypeObject *type;
        Kind kind;
    } known[KNOWN];
    static unsigned next;
    PyTypeObject *type = Py_TYPE(object);
    if (type == image_type)
        return KIND_IMAGE;
    for (unsigned i = 0; i < KNOWN; i++)
        if (known[i].type == type)
            return known[i].kind;
    const Kind kind = kind_of_bases((PyObject *)type);
    PyTypeObject *before = known[next].type;
    Py_INCREF((PyObject *)type);
    known[next].type = type;
    known[next].kind = kind;
    next = (next + 1) % KNOWN;
    Py_XDECREF((PyObject *)before);
    return kind;
}

/* A function of another library's, looked up once: `slot` keeps it. Borrowed. */
static PyObject *function_of(const char *module, const char *name, PyObject **slot) {
    if (!*slot) {
        PyObject *of = PyImport_ImportModule(module);
        *slot = of ? PyObject_GetAttrString(of, name) : NULL;
        Py_XDECREF(of);
    }
    return *slot;
}

/* ---- attributes ---- */

/* Names in other libraries' objects. */
typedef enum Name {
    NAME_REQUIRES_GRAD,
    NAME_IS_NEG,
    NAME_IS_CUDA,
    NAME_IS_CPU,
    NAME_GET_DEVICE,
    NAME_SIZE,
    NAME_STRIDE,
    NAME_DATA_PTR,
    NAME_DTYPE,
    NAME_DLPACK,
    NAME_DLPACK_DEVICE,
    NAME_PTR,
    NAME_CUDA_STREAM,
    NAMES
} Name;

/* Made once: a type remembers where it found a name, and tells names apart by their addresses. */
static PyObject *name_of(Name name) {
    static const char *const texts[NAMES] = {[NAME_REQUIRES_GRAD] = "requires_grad",
                                             [NAME_IS_NEG] = "is_neg",
                                             [NAME_IS_CUDA] = "is_cuda",
                                             [NAME_IS_CPU] = "is_cpu",
                                             [NAME_GET_DEVICE] = "get_device",
                                             [NAME_SIZE] = "size",
                                             [NAME_STRIDE] = "stride",
                                             [NAME_DATA_PTR] = "data_ptr",
                                             [NAME_DTYPE] = "dtype",
                                             [NAME_DLPACK] = "__dlpack__",
                                             [NAME_DLPACK_DEVICE] = "__dlpack_device__",
                                             [NAME_PTR] = "ptr",
                                             [NAME_CUDA_STREAM] = "cuda_stream"};
    static PyObject *made[NAMES];
    if (!made[name])
        made[name] = PyUnicode_InternFromString(texts[name]);
    return made[name];
}

static PyObject *get(PyObject *object, Name name) {
    PyObject *key = name_of(name);
    return key ? PyObject_GetAttr(object, key) : NULL;
}

static PyObject *call(PyObject *object, Name name) {
    PyObject *key = name_of(name);
    return key ? PyObject_CallMethodObjArgs(object, key, NULL) : NULL;
}

/* ---- axes ---- */

static bool set_axes(Pixels *pixels, Py_ssize_t axes) {
    if (axes < 2 || axes > AXES)
        return raise_usage("an array of %zd axes: want 2 to 4: rows and columns, besides channels and pictures", axes);
    pixels->axes = (int)axes;
    return true;
}

/* Strides in bytes, or NULL for values that lie packed. */
static bool set_strides(Pixels *pixels, const Py_ssize_t *strides) {
    Py_ssize_t packed = types[pixels->type].bytes;
    for (int i = pixels->axes - 1; i >= 0; i--) {
        const Py_ssize_t size = pixels->size[i];
        pixels->stride[i] = size == 1 ? 0 : strides ? strides[i] : packed;
        if (size < 1)
            return raise_usage("an axis of %zd values: want 1 at least", size);
        if (size > 1 && pixels->stride[i] == 0)
            return raise_usage(
                "a stride of 0 repeats values: want an array of its own, as numpy.ascontiguousarray makes");
        packed *= size;
    }
    return true;
}

static bool read_sizes(PyObject *tuple, Py_ssize_t *sizes, int axes) {
    for (int i = 0; i < axes; i++) {
        PyObject *item = PySequence_GetItem(tuple, i);
        sizes[i] = item ? PyLong_AsSsize_t(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return false;
    }
    return true;
}

static bool wrong_type(const char *name) {
    return raise_usage("values of type %s: want uint8, uint16, or float32 from 0 to 1", name);
}

/* ---- buffers ---- */

static bool open_buffer(PyObject *object, bool written, Pixels *pixels) {
    if (PyObject_GetBuffer(object, &pixels->buffer, written ? PyBUF_RECORDS : PyBUF_RECORDS_RO))
        return false;
    pixels->buffered = true;
    const Py_buffer *buffer = &pixels->buffer;
    const char *format = buffer->format ? buffer->format : "B";
    const char *letter = format + (*format && strchr("@=<", *format) ? 1 : 0);
    size_t type = 0;
    while (type < TYPES && (letter[0] != types[type].letter || letter[1] != '\0'))
        type++;
    if (type == TYPES || buffer->itemsize != types[type].bytes)
        return wrong_type(format);
    pixels->type = (GlintType)type;
    pixels->data = buffer->buf;
    if (!set_axes(pixels, buffer->ndim))
        return false;
    memcpy(pixels->size, buffer->shape, (size_t)buffer->ndim * sizeof *buffer->shape);
    return set_strides(pixels, buffer->strides);
}

/* ---- DLPack ---- */

static bool read_tensor(Pixels *pixels) {
    const Tensor *tensor = pixels->tensor;
    Py_ssize_t strides[AXES] = {0};
    size_t type = 0;
    while (type < TYPES && (tensor->type.code != types[type].code || tensor->type.bits != 8 * types[type].bytes ||
                            tensor->type.lanes != 1))
        type++;
    if (type == TYPES) {
        char name[64];
        static const char *const codes[] = {"int", "uint", "float"};
        PyOS_snprintf(name, sizeof name, "%s%d", tensor->type.code < 3 ? codes[tensor->type.code] : "other",
                      tensor->type.bits);
        return wrong_type(name);
    }
    pixels->type = (GlintType)type;
    if (!set_axes(pixels, tensor->axes))
        return false;
    pixels->data = (char *)tensor->data + tensor->offset;
    for (int i = 0; i < tensor->axes; i++) {
        pixels->size[i] = (Py_ssize_t)tensor->size[i];
        strides[i] = tensor->stride ? (Py_ssize_t)tensor->stride[i] * types[type].bytes : 0;
    }
    return set_strides(pixels, tensor->stride ? strides : NULL);
}

/* The device of an object: whether __dlpack_device__ names a GPU, and which. */
static bool find_device(PyObject *object, Pixels *pixels) {
    PyObject *pair = call(object, NAME_DLPACK_DEVICE);
    PyObject *kind = pair ? PySequence_GetItem(pair, 0) : NULL, *index = kind ? PySequence_GetItem(pair, 1) : NULL;
    const long type = index ? PyLong_AsLong(kind) : -1, number = index ? PyLong_AsLong(index) : -1;
    Py_XDECREF(pair);
    Py_XDECREF(kind);
    Py_XDECREF(index);
    if (PyErr_Occurred())
        return false;
    if (type == DL_CUDA || type == DL_CUDA_MANAGED)
        pixels->gpu = (int)number;
    else if (type != DL_CPU && type != DL_CUDA_HOST)
        return raise_usage("an array on a device of DLPack's type %ld: want one of the host's or of CUDA's", type);
    return true;
}

/* PyTorch's current stream as a number: by the function that its compiler's code calls, where there is one, since
 * torch.cuda.current_stream makes an object first. */
static PyObject *torch_stream(int gpu) {
    static PyObject *number_of, *object_of;
    static bool has_no_number;
    if (!has_no_number && !function_of("torch._C", "_cuda_getCurrentRawStream", &number_of)) {
        PyErr_Clear();
        has_no_number = true;
    }
    if (!has_no_number)
        return PyObject_CallFunction(number_of, "i", gpu);
    PyObject *stream =
        function_of("torch.cuda", "current_stream", &object_of) ? PyObject_CallFunction(object_of, "i", gpu) : NULL;
    PyObject *number = stream ? get(stream, NAME_CUDA_STREAM) : NULL;
    Py_XDECREF(stream);
    return number;
}

/* The stream that a library's next kernels go to. */
static bool find_stream(Pixels *pixels) {
    static PyObject *cupy_stream;
    PyObject *stream = NULL, *number = NULL;
    if (pixels->kind == KIND_TORCH) {
        number = torch_stream(pixels->gpu);
    } else if (pixels->kind == KIND_CUPY && function_of("cupy.cuda", "get_current_stream", &cupy_stream)) {
        stream = PyObject_CallFunction(cupy_stream, "i", pixels->gpu);
        number = stream ? get(stream, NAME_PTR) : NULL;
    }
    Py_XDECREF(stream);
    if (!number)
        return false;
    pixels->stream = PyLong_AsVoidPtr(number);
    pixels->has_stream = true;
    Py_DECREF(number);
    return !PyErr_Occurred();
}

/* Arrays of libraries that have no stream to work on are waited for. */
static bool wait_for(PyObject *object) {
    PyObject *done = PyObject_HasAttrString(object, "block_until_ready")
                         ? PyObject_CallMethod(object, "block_until_ready", NULL)
                         : Py_NewRef(Py_None);
    Py_XDECREF(done);
    return done != NULL;
}

/* CuPy's stream is followed. Others wait for the default stream by themselves, and JAX knows no NO_SYNC. */
static PyObject *call_dlpack(PyObject *object, bool follows) {
    PyObject *method = get(object, NAME_DLPACK);
    PyObject *none = PyTuple_New(0), *named = follows ? Py_BuildValue("{s:i}", "stream", NO_SYNC) : NULL;
    PyObject *capsule = method && none && (!follows || named) ? PyObject_Call(method, none, named) : NULL;
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(named);
    return capsule;
}

static bool open_dlpack(PyObject *object, bool written, Pixels *pixels) {
    if (!find_device(object, pixels))
        return false;
    const bool follows = pixels->kind == KIND_CUPY;
    if (pixels->gpu >= 0 && !(follows ? written || find_stream(pixels) : wait_for(object)))
        return false;
    PyObject *capsule = call_dlpack(object, pixels->gpu >= 0 && follows);
    if (!capsule)
        return false;
    pixels->tensor = PyCapsule_GetPointer(capsule, "dltensor");
    if (pixels->tensor && PyCapsule_SetName(capsule, "used_dltensor"))
        pixels->tensor = NULL;
    Py_DECREF(capsule);
    return pixels->tensor && read_tensor(pixels);
}

/* ---- tensors of PyTorch, whose __dlpack__ takes longer than a small filter ---- */

/* The type that torch's object stands for; TYPES if it is another. */
static size_t type_of_torch(PyObject *dtype) {
    static PyObject *known[TYPES];
    size_t type = 0;
    for (size_t i = 0; i < TYPES; i++)
        if (!function_of("torch", types[i].name, &known[i]))
            PyErr_Clear(); /* older ones lack uint16 */
    while (type < TYPES && dtype != known[type])
        type++;
    return type;
}

/* The value is an attribute, or a method's answer; the reference goes. */
static bool is_true(PyObject *value) {
    const bool yes = value && PyObject_IsTrue(value) == 1;
    Py_XDECREF(value);
    return yes;
}

static bool read_torch(PyObject *sizes, PyObject *strides, PyObject *address, PyObject *dtype, Pixels *pixels) {
    const size_t type = type_of_torch(dtype);
    Py_ssize_t bytes[AXES] = {0};
    if (type == TYPES) {
        PyObject *name = PyObject_Str(dtype);
        const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (text)
            wrong_type(text);
        Py_XDECREF(name);
        return false;
    }
    pixels->type = (GlintType)type;
    pixels->data = PyLong_AsVoidPtr(address);
    if (PyErr_Occurred() || !set_axes(pixels, PyTuple_Size(sizes)) || !read_sizes(sizes, pixels->size, pixels->axes) ||
        !read_sizes(strides, bytes, pixels->axes))
        return false;
    for (int i = 0; i < pixels->axes; i++)
        bytes[i] *= types[type].bytes;
    return set_strides(pixels, bytes);
}

static bool open_torch(PyObject *object, bool written, Pixels *pixels) {
    if (is_true(get(object, NAME_REQUIRES_GRAD)))
        return raise_usage("a tensor that requires gradients, which filters do not have: want .detach()");
    if (is_true(call(object, NAME_IS_NEG)))
        return raise_usage("a tensor whose negation is yet to be made: want .resolve_neg()");
    if (is_true(get(object, NAME_IS_CUDA))) {
        PyObject *index = call(object, NAME_GET_DEVICE);
        pixels->gpu = index ? (int)PyLong_AsLong(index) : 0;
        Py_XDECREF(index);
        if (PyErr_Occurred() || (!written && !find_stream(pixels)))
            return false;
    } else if (!is_true(get(object, NAME_IS_CPU))) {
        return raise_usage("a tensor of another device: want one of the CPU or of CUDA");
    }
    PyObject *sizes = call(object, NAME_SIZE), *strides = call(object, NAME_STRIDE);
    PyObject *address = call(object, NAME_DATA_PTR), *dtype = get(object, NAME_DTYPE);
    const bool done = sizes && strides && address && dtype && read_torch(sizes, strides, address, dtype, pixels);
    Py_XDECREF(sizes);
    Py_XDECREF(strides);
    Py_XDECREF(address);
    Py_XDECREF(dtype);
    return done;
}

/* ---- lending ---- */

typedef struct Lent {
    Tensor tensor;
    int64_t size[3];
    PyObject *owner;
} Lent;

/* Consumers let go of tensors in any thread. */
static void end_lent(Tensor *tensor) {
    Lent *lent = tensor->context;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(lent->owner);
    PyMem_Free(lent);
    PyGILState_Release(state);
}

static void end_capsule(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        Tensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
        tensor->deleter(tensor);
    }
}

PyObject *pixels_capsule(PyObject *owner, void *data, GlintShape shape) {
    Lent *lent = PyMem_Calloc(1, sizeof *lent);
    if (!lent)
        return PyErr_NoMemory();
    lent->owner = Py_NewRef(owner);
    lent->size[0] = (int64_t)shape.height;
    lent->size[1] = (int64_t)shape.width;
    lent->size[2] = shape.channels;
    lent->tensor.data = data;
    lent->tensor.device.type = DL_CPU;
    lent->tensor.axes = shape.channels == 1 ? 2 : 3;
    lent->tensor.type.code = types[shape.type].code;
    lent->tensor.type.bits = (uint8_t)(8 * types[shape.type].bytes);
    lent->tensor.type.lanes = 1;
    lent->tensor.size = lent->size;
    lent->tensor.context = lent;
    lent->tensor.deleter = end_lent;
    PyObject *capsule = PyCapsule_New(&lent->tensor, "dltensor", end_capsule);
    if (!capsule)
        end_lent(&lent->tensor);
    return capsule;
}

/* ---- __cuda_array_interface__, version 3: https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html ----
 */

static bool read_interface(PyObject *interface, bool written, Pixels *pixels) {
    PyObject *shape = PyDict_GetItemString(interface, "shape"), *type = PyDict_GetItemString(interface, "typestr");
    PyObject *data = PyDict_GetItemString(interface, "data"), *strides = PyDict_GetItemString(interface, "strides");
    PyObject *stream = PyDict_GetItemString(interface, "stream");
    const char *name = type && PyUnicode_Check(type) ? PyUnicode_AsUTF8AndSize(type, NULL) : NULL;
    Py_ssize_t bytes[AXES] = {0};
    unsigned long long address;
    int read_only;
    if (!shape || !name || !data || !PyTuple_Check(data) || !PyTuple_Check(shape))
        return raise_usage("__cuda_array_interface__: it lacks shape, typestr or data");
    static const char *const names[] = {[GLINT_U8] = "u1", [GLINT_U16] = "u2", [GLINT_F32] = "f4"};
    size_t kind = 0;
    while (kind < TYPES && (*name == '>' || *name == '\0' || strcmp(name + 1, names[kind]) != 0))
        kind++;
    if (kind == TYPES)
        return wrong_type(name);
    pixels->type = (GlintType)kind;
    if (!PyArg_ParseTuple(data, "Kp", &address, &read_only) || !set_axes(pixels, PyTuple_Size(shape)) ||
        !read_sizes(shape, pixels->size, pixels->axes))
        return false;
    if (written && read_only)
        return raise_usage("out: it is read only");
    pixels->data = (void *)(uintptr_t)address;
    if (stream && stream != Py_None) {
        pixels->stream = PyLong_AsVoidPtr(stream);
        pixels->has_stream = true;
    }
    const bool packed = !strides || strides == Py_None;
    return (packed || read_sizes(strides, bytes, pixels->axes)) && set_strides(pixels, packed ? NULL : bytes);
}

static bool open_interface(PyObject *object, bool written, Pixels *pixels) {
    PyObject *interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
    pixels->gpu = 0;
    const bool done = interface && PyDict_Check(interface) ? read_interface(interface, written, pixels)
                      : interface                          ? raise_usage("__cuda_array_interface__: want a dict")
                                                           : false;
    Py_XDECREF(interface);
    return done;
}

/* ---- all ---- */

bool pixels_open(PyObject *object, Kind kind, bool written, Pixels *pixels) {
    *pixels = (Pixels){.kind = kind, .gpu = -1};
    const bool lends = kind != KIND_CUPY && kind != KIND_JAX && PyObject_CheckBuffer(object);
    bool done;
    if (kind == KIND_TORCH)
        done = open_torch(object, written, pixels);
    else if (lends)
        done = open_buffer(object, written, pixels);
    else if (PyObject_HasAttrString(object, "__dlpack__"))
        done = open_dlpack(object, written, pixels);
    else if (PyObject_HasAttrString(object, "__cuda_array_interface__"))
        done = open_interface(object, written, pixels);
    else
        done = raise_usage("an object without pixels: want an array, a tensor, a buffer or an image of glint.read");
    if (!done)
        pixels_close(pixels);
    return done;
}

void pixels_close(Pixels *pixels) {
    if (pixels->buffered)
        PyBuffer_Release(&pixels->buffer);
    if (pixels->tensor && pixels->tensor->deleter)
        pixels->tensor->deleter(pixels->tensor);
    pixels->buffered = false;
    pixels->tensor = NULL;
}

/* ---- layouts ---- */

bool layout_find(const char *letters, const Pixels *pixels, Layout *layout) {
    static const char *const defaults[2][AXES + 1] = {{NULL, NULL, "HW", "HWC", "NHWC"},
                                                      {NULL, NULL, "HW", "CHW", "NCHW"}};
    const char *used = letters ? letters : defaults[pixels->kind == KIND_TORCH][pixels->axes];
    *layout = (Layout){pixels->axes, -1, -1, -1, -1};
    int *const places[] = {&layout->n, &layout->h, &layout->w, &layout->c};
    if (strlen(used) != (size_t)pixels->axes)
        return raise_usage("layout \"%s\": the array has %d axes", used, pixels->axes);
    for (int i = 0; i < pixels->axes; i++) {
        const char *found = strchr("NHWC", used[i]);
        if (!found || *places[found - "NHWC"] >= 0)
            return raise_usage("layout \"%s\": want each of N, H, W and C once at most", used);
        *places[found - "NHWC"] = i;
    }
    return (layout->h >= 0 && layout->w >= 0) || raise_usage("layout \"%s\": want an H and a W", used);
}

static Py_ssize_t at(const Py_ssize_t *values, int axis, Py_ssize_t absent) {
    return axis < 0 ? absent : values[axis];
}

bool layout_apply(Layout layout, const Pixels *pixels, GlintShape *shape, size_t *pictures, GlintPixels *out) {
    const Py_ssize_t channels = at(pixels->size, layout.c, 1);
    if (channels > 4)
        return raise_usage("%zd channels: want 1 to 4; layout= says which axis is which, as in \"HWC\" or \"NHW\"",
                           channels);
    memset(shape, 0, sizeof *shape);
    shape->width = (size_t)pixels->size[layout.w];
    shape->height = (size_t)pixels->size[layout.h];
    shape->channels = (int32_t)channels;
    shape->type = (int32_t)pixels->type;
    *pictures = (size_t)at(pixels->size, layout.n, 1);
    *out = (GlintPixels){.pixels = pixels->data,
                         .picture = at(pixels->stride, layout.n, 0),
                         .row = pixels->stride[layout.h],
                         .pixel = pixels->stride[layout.w],
                         .channel = at(pixels->stride, layout.c, 0),
                         .place = pixels->gpu < 0 ? GLINT_HOST : GLINT_ON_DEVICE};
    return true;
}

/* ---- results ---- */

static PyObject *make_alike(PyObject *like, Kind kind) {
    static PyObject *numpy, *torch, *cupy;
    PyObject *make = kind == KIND_NUMPY   ? function_of("numpy", "empty_like", &numpy)
                     : kind == KIND_TORCH ? function_of("torch", "empty_like", &torch)
                                          : function_of("cupy", "empty_like", &cupy);
    return make ? PyObject_CallFunctionObjArgs(make, like, NULL) : NULL;
}

static PyObject *make_sized(PyObject *like, Kind kind, PyObject *size, GlintType type) {
    if (kind == KIND_TORCH) {
        PyObject *torch = PyImport_ImportModule("torch");
        PyObject *dtype = torch ? PyObject_GetAttrString(torch, types[type].name) : NULL;
        PyObject *method = PyObject_GetAttrString(like, "new_empty"), *positions = PyTuple_Pack(1, size);
        PyObject *named = dtype ? Py_BuildValue("{s:O}", "dtype", dtype) : NULL;
        PyObject *made = method && positions && named ? PyObject_Call(method, positions, named) : NULL;
        Py_XDECREF(torch);
        Py_XDECREF(dtype);
        Py_XDECREF(method);
        Py_XDECREF(positions);
        Py_XDECREF(named);
        return made;
    }
    PyObject *module = PyImport_ImportModule(kind == KIND_CUPY ? "cupy" : "numpy");
    PyObject *made = module ? PyObject_CallMethod(module, "empty", "Os", size, types[type].name) : NULL;
    Py_XDECREF(module);
    return made;
}

/* A memoryview of bytes that it owns, of these sizes. */
static PyObject *make_view(PyObject *sizes, GlintShape shape, size_t pictures) {
    const char letter[2] = {types[shape.type].letter, '\0'};
    const size_t values = shape.width * shape.height * (size_t)shape.channels * pictures;
    PyObject *count = PyLong_FromSize_t(values * types[shape.type].bytes);
    PyObject *bytes = count ? PyObject_CallFunctionObjArgs((PyObject *)&PyByteArray_Type, count, NULL) : NULL;
    PyObject *view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject *made = view ? PyObject_CallMethod(view, "cast", "sO", letter, sizes) : NULL;
    Py_XDECREF(count);
    Py_XDECREF(bytes);
    Py_XDECREF(view);
    return made;
}

static PyObject *make_jax(PyObject *like, PyObject *size, GlintType type) {
    PyObject *module = PyImport_ImportModule("jax.numpy"), *device = PyObject_GetAttrString(like, "device");
    PyObject *method = module ? PyObject_GetAttrString(module, "empty") : NULL;
    PyObject *positions = Py_BuildValue("(Os)", size, types[type].name);
    PyObject *named = device ? Py_BuildValue("{s:O}", "device", device) : NULL;
    PyObject *made = method && positions && named ? PyObject_Call(method, positions, named) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(device);
    Py_XDECREF(method);
    Py_XDECREF(positions);
    Py_XDECREF(named);
    return made;
}

PyObject *pixels_make(PyObject *like, const Pixels *of, Layout layout, GlintShape shape, size_t pictures) {
    if (layout.c < 0 && shape.channels != 1) {
        raise_usage("the result has %d channels, for which the layout has no axis", (int)shape.channels);
        return NULL;
    }
    const bool own = of->kind == KIND_VIEW || of->kind == KIND_IMAGE;
    if (own && of->gpu >= 0) {
        raise_usage("an array on a GPU of an unknown library: want out=, an array that takes the result");
        return NULL;
    }
    Py_ssize_t size[AXES];
    const GlintType type = (GlintType)shape.type;
    memcpy(size, of->size, sizeof size);
    size[layout.h] = (Py_ssize_t)shape.height;
    size[layout.w] = (Py_ssize_t)shape.width;
    if (layout.c >= 0)
        size[layout.c] = shape.channels;
    if (!own && of->kind != KIND_JAX && type == of->type &&
        memcmp(size, of->size, (size_t)of->axes * sizeof *size) == 0)
        return make_alike(like, of->kind);
    PyObject *sizes = PyTuple_New(of->axes);
    for (int i = 0; sizes && i < of->axes; i++)
        PyTuple_SetItem(sizes, i, PyLong_FromSsize_t(size[i]));
    PyObject *made = NULL;
    if (sizes)
        made = own                                    ? make_view(sizes, shape, pictures)
               : of->kind == KIND_JAX && of->gpu >= 0 ? make_jax(like, sizes, type)
                                                      : make_sized(like, of->kind, sizes, type);
    Py_XDECREF(sizes);
    return made;
}

PyObject *pixels_finish(const Pixels *of, PyObject *made) {
    static PyObject *function;
    if (of->kind != KIND_JAX || of->gpu >= 0)
        return made;
    PyObject *finish = function_of("jax.numpy", "asarray", &function);
    PyObject *array = finish ? PyObject_CallFunctionObjArgs(finish, made, NULL) : NULL;
    Py_DECREF(made);
    return array;
}
