/* Reads the corners of shapes (see `ecs_collide/shapes/points.py`). */

#include "native.h"

/* Return a pair of valid floats or ints as a pair of floats; NULL for another value, without an error. */
static PyObject *plain_point(PyObject *pair)
{
    double numbers[2];
    int is_stored_so = 1;
    if (!PyTuple_CheckExact(pair) || PyTuple_Size(pair) != 2)
        return NULL;
    for (Py_ssize_t k = 0; k < 2; k++) {
        PyObject *number = PyTuple_GetItem(pair, k);
        if (!is_plain(number, -LARGEST, LARGEST, &numbers[k]))
            return NULL;
        is_stored_so = is_stored_so && PyFloat_CheckExact(number) && numbers[k] != 0.0;
    }
    return is_stored_so ? Py_NewRef(pair) : Py_BuildValue("dd", numbers[0] + 0.0, numbers[1] + 0.0); /* no -0.0 */
}

static PyObject *plain_points(PyObject *module, PyObject *value)
{
    int is_list = PyList_CheckExact(value);
    if (!is_list && !PyTuple_CheckExact(value))
        Py_RETURN_NONE;
    Py_ssize_t count = is_list ? PyList_Size(value) : PyTuple_Size(value);
    PyObject *points = PyTuple_New(count);
    for (Py_ssize_t k = 0; points && k < count; k++) {
        PyObject *point = plain_point(is_list ? PyList_GetItem(value, k) : PyTuple_GetItem(value, k));
        if (point)
            PyTuple_SetItem(points, k, point);
        else
            Py_CLEAR(points);
    }
    return points || PyErr_Occurred() ? points : Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"plain_points", plain_points, METH_O,
     "Return a list or tuple of plain pairs as a tuple of pairs of floats, and None for another value."},
    {NULL}};

int add_points(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
