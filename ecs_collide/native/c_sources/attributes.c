/* Numbers in attributes of Python objects, read and written as arrays. */

#include "native.h"

#define MOST 4 /* paths */

/* Paths to numbers. `has_same_holder`: the path differs from the one before in its last name only. */
typedef struct {
    Py_ssize_t width;
    PyObject *path[MOST], *last[MOST];
    Py_ssize_t depth[MOST];
    int has_same_holder[MOST];
} Paths;

static int is_prefix_same(PyObject *a, PyObject *b, Py_ssize_t depth)
{
    for (Py_ssize_t k = 0; k < depth - 1; k++)
        if (PyTuple_GetItem(a, k) != PyTuple_GetItem(b, k)) /* names are interned */
            return 0;
    return 1;
}

static int take_paths(PyObject *given, Paths *paths)
{
    paths->width = PyTuple_Size(given);
    for (Py_ssize_t k = 0; k < paths->width; k++) {
        PyObject *path = PyTuple_GetItem(given, k);
        Py_ssize_t depth = PyTuple_Check(path) ? PyTuple_Size(path) : 0;
        if (k == MOST || depth < 1) {
            PyErr_SetString(PyExc_ValueError, "there must be up to four paths, of one name or more");
            return 0;
        }
        paths->path[k] = path;
        paths->depth[k] = depth;
        paths->last[k] = PyTuple_GetItem(path, depth - 1);
        paths->has_same_holder[k] =
            k > 0 && depth == paths->depth[k - 1] && is_prefix_same(path, paths->path[k - 1], depth);
    }
    return 1;
}

/* Return the object that has the last name of a path, as a new reference. */
static PyObject *holder_of(PyObject *object, PyObject *path, Py_ssize_t depth)
{
    Py_INCREF(object);
    for (Py_ssize_t k = 0; k < depth - 1; k++) {
        PyObject *next = PyObject_GetAttr(object, PyTuple_GetItem(path, k));
        Py_DECREF(object);
        if (next == NULL)
            return NULL;
        object = next;
    }
    return object;
}

/* Get the buffer of an array of so many items; 0 with an error if its size differs. */
static int take_array(PyObject *array, Py_ssize_t items, Py_ssize_t item_size, int flags, Py_buffer *buffer)
{
    if (PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS | flags) < 0)
        return 0;
    if (buffer->len == items * item_size)
        return 1;
    PyBuffer_Release(buffer);
    PyErr_SetString(PyExc_ValueError, "there must be a number for each object and path");
    return 0;
}

/* Read or write a number in an attribute. Return 0 with an error. */
typedef int (*Step)(PyObject *holder, PyObject *name, double *number, int *all_floats);

static int read_number(PyObject *holder, PyObject *name, double *number, int *all_floats)
{
    PyObject *value = PyObject_GetAttr(holder, name);
    if (value == NULL)
        return 0;
    *all_floats &= Py_IS_TYPE(value, &PyFloat_Type);
    *number = PyFloat_AsDouble(value);
    Py_DECREF(value);
    return *number != -1.0 || PyErr_Occurred() == NULL;
}

static int write_number(PyObject *holder, PyObject *name, double *number, int *all_floats)
{
    PyObject *value = PyFloat_FromDouble(*number);
    int done = value != NULL && PyObject_SetAttr(holder, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* Read or write all numbers, or those that `meant` selects. Return 1 if all read ones were floats, -1 with an error. */
static inline int go_through(PyObject *objects, const Paths *paths, double *number, const char *meant, Step step)
{
    int all_floats = 1, goes_on = 1;
    Py_ssize_t count = PyList_Size(objects);
    for (Py_ssize_t i = 0; i < count && goes_on; i++) {
        PyObject *object = PyList_GetItem(objects, i), *holder = NULL;
        for (Py_ssize_t k = 0; k < paths->width && goes_on; k++, number++) {
            if (!paths->has_same_holder[k])
                Py_CLEAR(holder);
            if (meant != NULL && !*meant++)
                continue;
            if (holder == NULL && object != NULL)
                holder = holder_of(object, paths->path[k], paths->depth[k]);
            goes_on = holder != NULL && step(holder, paths->last[k], number, &all_floats);
        }
        Py_XDECREF(holder);
    }
    return goes_on ? all_floats : -1;
}

/* Take the arguments of both functions: objects, paths, an array of numbers, and an array that selects some of them. */
static int run(PyObject *args, int flags, Step step)
{
    PyObject *objects, *given, *array, *which = Py_None;
    Paths paths;
    Py_buffer numbers, meant;
    if (!PyArg_ParseTuple(args, "O!O!O|O", &PyList_Type, &objects, &PyTuple_Type, &given, &array, &which) ||
        !take_paths(given, &paths))
        return -1;
    Py_ssize_t items = PyList_Size(objects) * paths.width;
    if (!take_array(array, items, sizeof(double), flags, &numbers))
        return -1;
    int done = -1;
    if (which == Py_None)
        done = go_through(objects, &paths, numbers.buf, NULL, step);
    else if (take_array(which, items, 1, 0, &meant)) {
        done = go_through(objects, &paths, numbers.buf, meant.buf, step);
        PyBuffer_Release(&meant);
    }
    PyBuffer_Release(&numbers);
    return done;
}

static PyObject *read_numbers(PyObject *module, PyObject *args)
{
    int all_floats = run(args, PyBUF_WRITABLE, read_number);
    return all_floats < 0 ? NULL : PyBool_FromLong(all_floats);
}

static PyObject *write_numbers(PyObject *module, PyObject *args)
{
    if (run(args, 0, write_number) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"read_numbers", read_numbers, METH_VARARGS, "Read the numbers at paths of objects."},
                                  {"write_numbers", write_numbers, METH_VARARGS, "Write numbers to paths of objects."},
                                  {NULL}};

int add_attributes(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
