/* sandbox.c: files of strangers: the server that decodes them, and its other end. */
#include "python/module.h"

static const char *const kind = "glint._glint.sandbox";

static void sandbox_end(PyObject *capsule) {
    GlintSandbox *sandbox = (GlintSandbox *)PyCapsule_GetPointer(capsule, kind);
    Py_BEGIN_ALLOW_THREADS;
    glint_sandbox_free(sandbox);
    Py_END_ALLOW_THREADS;
}

enum { ARGUMENTS = 8 };

/* sandbox(seconds, program, arguments...) */
static PyObject *sandbox_start(PyObject *module, PyObject *arguments) {
    const char *server[ARGUMENTS + 1] = {NULL};
    unsigned seconds;
    GlintSandbox *sandbox;
    GlintError error;
    GlintStatus status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Is|sssssss", &seconds, &server[0], &server[1], &server[2], &server[3], &server[4],
                          &server[5], &server[6], &server[7]))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_sandbox(server, seconds, &sandbox, &error);
    Py_END_ALLOW_THREADS;
    if (status) {
        raise_error(&error);
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(sandbox, kind, sandbox_end);
    if (!capsule)
        glint_sandbox_free(sandbox);
    return capsule;
}

static PyObject *sandbox_serve(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    glint_sandbox_serve();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"sandbox", sandbox_start, METH_VARARGS, "sandbox(seconds, program, arguments...): for read and decode."},
    {"serve", sandbox_serve, METH_NOARGS, "serve(): the sandbox's program; does not return."},
    {NULL, NULL, 0, NULL},
};

bool sandbox_of(PyObject *object, GlintSandbox **sandbox) {
    *sandbox = NULL;
    if (!object)
        return true;
    if (!PyCapsule_IsValid(object, kind))
        return raise_usage("sandbox: want one of glint.sandbox()");
    *sandbox = (GlintSandbox *)PyCapsule_GetPointer(object, kind);
    return true;
}

bool sandboxes_add(PyObject *module) {
    return PyModule_AddFunctions(module, functions) == 0;
}
