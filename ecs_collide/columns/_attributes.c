/* Numbers that objects have in attributes: what attributes.py says in Python, in C. That file is the specification. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

/* The holder of the last name of a path, a new reference: the object itself, or an attribute of it. */
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

/* The arguments of both functions: a list of objects, a tuple of paths, and numbers (objects, paths). */
static int taken(PyObject *args, PyObject **objects, PyObject **paths, Py_buffer *numbers, int flags)
{
    PyObject *array;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, objects, &PyTuple_Type, paths, &array) ||
        PyObject_GetBuffer(array, numbers, PyBUF_C_CONTIGUOUS | flags) < 0)
        return 0;
    Py_ssize_t due = PyList_Size(*objects) * PyTuple_Size(*paths) * (Py_ssize_t)sizeof(double);
    if (numbers->len == due)
        return 1;
    PyBuffer_Release(numbers);
    PyErr_SetString(PyExc_ValueError, "there must be a number for each object and path");
    return 0;
}

static PyObject *read_numbers(PyObject *module, PyObject *args)
{
    PyObject *objects, *paths;
    Py_buffer numbers;
    if (!taken(args, &objects, &paths, &numbers, PyBUF_WRITABLE))
        return NULL;
    double *to = numbers.buf;
    int all_floats = 1, failed = 0;
    Py_ssize_t width = PyTuple_Size(paths);
    for (Py_ssize_t i = 0; i < numbers.len / (Py_ssize_t)sizeof(double) && !failed; i++) {
        PyObject *object = PyList_GetItem(objects, i / width), *path = PyTuple_GetItem(paths, i % width);
        Py_ssize_t depth = PyTuple_Size(path);
        PyObject *holder = object == NULL ? NULL : holder_of(object, path, depth);
        PyObject *value = holder == NULL ? NULL : PyObject_GetAttr(holder, PyTuple_GetItem(path, depth - 1));
        Py_XDECREF(holder);
        if (value != NULL) {
            all_floats &= Py_IS_TYPE(value, &PyFloat_Type);
            to[i] = PyFloat_AsDouble(value);
            Py_DECREF(value);
        }
        failed = PyErr_Occurred() != NULL;
    }
    PyBuffer_Release(&numbers);
    return failed ? NULL : PyBool_FromLong(all_floats);
}

static PyObject *write_numbers(PyObject *module, PyObject *args)
{
    PyObject *objects, *paths;
    Py_buffer numbers;
    if (!taken(args, &objects, &paths, &numbers, 0))
        return NULL;
    const double *from = numbers.buf;
    int failed = 0;
    Py_ssize_t width = PyTuple_Size(paths);
    for (Py_ssize_t i = 0; i < numbers.len / (Py_ssize_t)sizeof(double) && !failed; i++) {
        PyObject *object = PyList_GetItem(objects, i / width), *path = PyTuple_GetItem(paths, i % width);
        Py_ssize_t depth = PyTuple_Size(path);
        PyObject *holder = object == NULL ? NULL : holder_of(object, path, depth);
        PyObject *value = holder == NULL ? NULL : PyFloat_FromDouble(from[i]);
        failed = value == NULL || PyObject_SetAttr(holder, PyTuple_GetItem(path, depth - 1), value) < 0;
        Py_XDECREF(value);
        Py_XDECREF(holder);
    }
    PyBuffer_Release(&numbers);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"read_numbers", read_numbers, METH_VARARGS, "Read the numbers at paths of objects."},
                                {"write_numbers", write_numbers, METH_VARARGS, "Write numbers to paths of objects."},
                                {NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ecs_collide.columns._attributes", "attributes.py in C.", 0, methods};

PyMODINIT_FUNC PyInit__attributes(void)
{
    return PyModuleDef_Init(&definition);
}
