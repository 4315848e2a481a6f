/* Makes contacts, as events and queries report them, from the rows of two tables.

   `ecs_collide/step/notify/contact_records.py` names the columns. */

#include "native.h"

/* columns of `records` and of `numbers` */
enum { ENTITY_A, ENTITY_B, BODY_A, BODY_B, PART_A, PART_B, POINT_COUNT, RECORD_WIDTH };
enum { NORMAL, POINTS = NORMAL + 2, SEPARATIONS = POINTS + 4, NORMAL_IMPULSE = SEPARATIONS + 2, FRICTION_IMPULSE,
       APPROACH_SPEED, NUMBER_WIDTH };

#define MOST_POINTS 2
#define MEMBER_COUNT 12

/* Return two numbers as a tuple, or NULL with an error. */
static PyObject *make_pair(const double *numbers)
{
    PyObject *x = PyFloat_FromDouble(numbers[0]), *y = PyFloat_FromDouble(numbers[1]);
    PyObject *pair = x && y ? PyTuple_Pack(2, x, y) : NULL;
    Py_XDECREF(x);
    Py_XDECREF(y);
    return pair;
}

/* Return the points or the separations of a contact as a tuple, or NULL with an error. */
static PyObject *make_tuple(Py_ssize_t count, const double *numbers, int are_points)
{
    PyObject *items = PyTuple_New(count);
    for (Py_ssize_t k = 0; items && k < count; k++) {
        PyObject *item = are_points ? make_pair(numbers + 2 * k) : PyFloat_FromDouble(numbers[k]);
        if (!item || PyTuple_SetItem(items, k, item) < 0) {
            Py_DECREF(items);
            return NULL;
        }
    }
    return items;
}

/* Return a new contact of a record, or NULL with an error. Each member is written by its slot of the class. */
static PyObject *make_contact(PyTypeObject *kind, PyObject *members, descrsetfunc set, const long long *record,
                              const double *numbers)
{
    long long point_count = record[POINT_COUNT];
    if (point_count < 0 || point_count > MOST_POINTS)
        return PyErr_Format(PyExc_ValueError, "a contact of %lld points", point_count);
    PyObject *values[MEMBER_COUNT] = {
        PyLong_FromLongLong(record[ENTITY_A]),
        PyLong_FromLongLong(record[ENTITY_B]),
        make_pair(numbers + NORMAL),
        make_tuple(point_count, numbers + POINTS, 1),
        make_tuple(point_count, numbers + SEPARATIONS, 0),
        PyFloat_FromDouble(numbers[NORMAL_IMPULSE]),
        PyFloat_FromDouble(numbers[FRICTION_IMPULSE]),
        PyFloat_FromDouble(numbers[APPROACH_SPEED]),
        PyLong_FromLongLong(record[BODY_A]),
        PyLong_FromLongLong(record[BODY_B]),
        PyLong_FromLongLong(record[PART_A]),
        PyLong_FromLongLong(record[PART_B]),
    };
    PyObject *made = PyType_GenericAlloc(kind, 0);
    for (Py_ssize_t k = 0; k < MEMBER_COUNT; k++) {
        if (made && (!values[k] || set(PyTuple_GetItem(members, k), made, values[k]) < 0))
            Py_CLEAR(made);
        Py_XDECREF(values[k]);
    }
    return made;
}

static PyObject *make_all(PyTypeObject *kind, PyObject *members, Py_buffer *records, Py_buffer *numbers)
{
    Py_ssize_t count = records->len / (RECORD_WIDTH * 8);
    if (records->len != count * RECORD_WIDTH * 8 || numbers->len != count * NUMBER_WIDTH * 8)
        return PyErr_Format(PyExc_ValueError, "rows of %d integers and of %d numbers", RECORD_WIDTH, NUMBER_WIDTH);
    descrsetfunc set = NULL;
    if (PyTuple_Size(members) == MEMBER_COUNT)
        set = (descrsetfunc)PyType_GetSlot(Py_TYPE(PyTuple_GetItem(members, 0)), Py_tp_descr_set);
    for (Py_ssize_t k = 1; set && k < MEMBER_COUNT; k++)
        if (Py_TYPE(PyTuple_GetItem(members, k)) != Py_TYPE(PyTuple_GetItem(members, 0)))
            set = NULL;
    if (!set)
        return PyErr_Format(PyExc_TypeError, "%d slots of a class", MEMBER_COUNT);
    PyObject *made = PyList_New(count);
    for (Py_ssize_t k = 0; made && k < count; k++) {
        PyObject *contact = make_contact(kind, members, set, (long long *)records->buf + k * RECORD_WIDTH,
                                         (double *)numbers->buf + k * NUMBER_WIDTH);
        if (!contact || PyList_SetItem(made, k, contact) < 0)
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *make_contacts(PyObject *module, PyObject *args)
{
    PyObject *kind, *members, *tables[2], *made = NULL;
    Py_buffer held[2];
    if (!PyArg_ParseTuple(args, "O!O!OO:make_contacts", &PyType_Type, &kind, &PyTuple_Type, &members, &tables[0], &tables[1]) ||
        PyObject_GetBuffer(tables[0], &held[0], PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    if (PyObject_GetBuffer(tables[1], &held[1], PyBUF_C_CONTIGUOUS) == 0) {
        made = make_all((PyTypeObject *)kind, members, &held[0], &held[1]);
        PyBuffer_Release(&held[1]);
    }
    PyBuffer_Release(&held[0]);
    return made;
}

static PyMethodDef functions[] = {
    {"make_contacts", make_contacts, METH_VARARGS, "Return the contacts of some records."}, {NULL}};

int add_make_contacts(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
