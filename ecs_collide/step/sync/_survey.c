/* What the components of entities say of their bodies: what survey.py says in Python, in C. That file is the
   specification. */

#include "../../data/_cells.h"

enum { TRANSFORM, VELOCITY, COLLIDER, RIGID_BODY, FORCE, PARTS };

/* columns of `integers` and of `numbers` */
enum { KIND, PRESENT, FILTER, FILTER_WIDTH = 6, INTEGER_WIDTH = FILTER + FILTER_WIDTH };
enum { DENSITY, MASS, INERTIA, ONE_WAY, SURFACE = ONE_WAY + 2, NUMBER_WIDTH = SURFACE + 2 };

enum { HAS_COLLIDER = 1, HAS_RIGID_BODY = 2, HAS_FORCE = 4, IS_BULLET = 8, LOCKS_X = 16, LOCKS_Y = 32, LOCKS_ROTATION = 64 };

enum { NO_BODY = -1, STATIC = 0, DYNAMIC = 2 };

enum { IN_ORDER, WRONG };

#define STAMPED (-1) /* the row of a component that belongs to no column yet, while it has been seen */

static PyTypeObject *numbers_type;
static PyObject *of_enabled, *of_filter, *of_density, *of_one_way, *of_surface;
static PyObject *of_kind, *of_mass, *of_inertia, *of_bullet, *of_lock_x, *of_lock_y, *of_lock_rotation;

/* A number in an attribute, NaN where it is None. This and what follows return -1 with an error. */
static int number_in(PyObject *part, PyObject *name, double *number)
{
    PyObject *value = PyObject_GetAttr(part, name);
    if (!value)
        return -1;
    *number = value == Py_None ? NAN : PyFloat_AsDouble(value);
    Py_DECREF(value);
    return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* Set a bit where an attribute is true. */
static int bit_in(PyObject *part, PyObject *name, long long bit, long long *bits)
{
    PyObject *value = PyObject_GetAttr(part, name);
    int holds = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    if (holds > 0)
        *bits |= bit;
    return holds < 0 ? -1 : 0;
}

/* The numbers of a tuple in an attribute; None leaves zeros. */
static int tuple_in(PyObject *part, PyObject *name, Py_ssize_t count, double *numbers, long long *integers)
{
    PyObject *value = PyObject_GetAttr(part, name);
    if (!value)
        return -1;
    if (value != Py_None && (!PyTuple_Check(value) || PyTuple_Size(value) != count)) {
        Py_DECREF(value);
        PyErr_Format(PyExc_TypeError, "%U must be a tuple of %zd numbers", name, count);
        return -1;
    }
    for (Py_ssize_t k = 0; value != Py_None && k < count; k++) {
        if (numbers)
            numbers[k] = PyFloat_AsDouble(PyTuple_GetItem(value, k));
        else
            integers[k] = PyLong_AsLongLong(PyTuple_GetItem(value, k));
    }
    Py_DECREF(value);
    return PyErr_Occurred() ? -1 : 0;
}

static int survey_collider(PyObject *collider, long long *integers, double *numbers)
{
    long long is_enabled = 0;
    integers[PRESENT] |= HAS_COLLIDER;
    if (bit_in(collider, of_enabled, 1, &is_enabled) < 0 ||
        (is_enabled && tuple_in(collider, of_filter, FILTER_WIDTH, NULL, integers + FILTER) < 0))
        return -1;
    return number_in(collider, of_density, numbers + DENSITY) < 0 ||
                   tuple_in(collider, of_one_way, 2, numbers + ONE_WAY, NULL) < 0 ||
                   tuple_in(collider, of_surface, 2, numbers + SURFACE, NULL) < 0
               ? -1
               : 0;
}

static int survey_rigid_body(PyObject *rigid_body, long long *integers, double *numbers)
{
    PyObject *kind = PyObject_GetAttr(rigid_body, of_kind);
    if (!kind)
        return -1;
    integers[KIND] = PyLong_AsLongLong(kind);
    Py_DECREF(kind);
    if (PyErr_Occurred())
        return -1;
    long long *present = integers + PRESENT;
    *present |= HAS_RIGID_BODY;
    return number_in(rigid_body, of_mass, numbers + MASS) < 0 || number_in(rigid_body, of_inertia, numbers + INERTIA) < 0 ||
                   bit_in(rigid_body, of_bullet, IS_BULLET, present) < 0 ||
                   bit_in(rigid_body, of_lock_x, LOCKS_X, present) < 0 ||
                   bit_in(rigid_body, of_lock_y, LOCKS_Y, present) < 0 ||
                   bit_in(rigid_body, of_lock_rotation, LOCKS_ROTATION, present) < 0
               ? -1
               : 0;
}

/* One entity's row; returns IN_ORDER, WRONG, or -1 with an error. */
static int survey_entity(PyObject *own, long long *integers, double *numbers)
{
    PyObject *part[PARTS];
    for (int k = 0; k < PARTS; k++) {
        part[k] = PyTuple_GetItem(own, k) == Py_None ? NULL : PyTuple_GetItem(own, k);
        if (part[k] && !PyObject_TypeCheck(part[k], numbers_type)) {
            PyErr_SetString(PyExc_TypeError, "not a component");
            return -1;
        }
    }
    for (int k = 0; k < INTEGER_WIDTH; k++)
        integers[k] = 0;
    for (int k = 0; k < NUMBER_WIDTH; k++)
        numbers[k] = 0.0;
    numbers[MASS] = numbers[INERTIA] = NAN;
    if (!part[VELOCITY] && !part[COLLIDER] && !part[RIGID_BODY] && !part[FORCE]) {
        integers[KIND] = NO_BODY;
        return IN_ORDER;
    }
    if (!part[TRANSFORM])
        return WRONG;
    for (int k = 0; k < PARTS; k++)
        if (part[k] && !are_sound((Numbers *)part[k]))
            return WRONG;
    Numbers *transform = (Numbers *)part[TRANSFORM];
    if (!(fabs(present_numbers(transform)[transform->width - 1]) <= PLAIN)) /* the angle */
        return WRONG;
    integers[KIND] = part[VELOCITY] ? DYNAMIC : STATIC;
    if (part[FORCE])
        integers[PRESENT] |= HAS_FORCE;
    if ((part[COLLIDER] && survey_collider(part[COLLIDER], integers, numbers) < 0) ||
        (part[RIGID_BODY] && survey_rigid_body(part[RIGID_BODY], integers, numbers) < 0))
        return -1;
    return IN_ORDER;
}

/* Whether each of an entity's components is one of its type that nobody holds, and was not seen before. */
static int stamp_new(PyObject *own, PyObject *types)
{
    for (Py_ssize_t k = 0; k < PARTS; k++) {
        PyObject *part = PyTuple_GetItem(own, k);
        if (part == Py_None)
            continue;
        if (!PyObject_TypeCheck(part, numbers_type) ||
            !PyObject_TypeCheck(part, (PyTypeObject *)PyTuple_GetItem(types, k)))
            return 0;
        Numbers *numbers = (Numbers *)part;
        if (numbers->width == 0 || numbers->entity != NULL || numbers->cells != NULL || numbers->row == STAMPED)
            return 0;
        numbers->row = STAMPED;
    }
    return 1;
}

static void wipe_stamps(PyObject *own)
{
    for (Py_ssize_t k = 0; k < PARTS; k++) {
        PyObject *part = PyTuple_GetItem(own, k);
        if (PyObject_TypeCheck(part, numbers_type) && ((Numbers *)part)->row == STAMPED)
            ((Numbers *)part)->row = 0;
    }
}

/* Whether a list holds tuples of five. */
static int are_entities(PyObject *parts)
{
    for (Py_ssize_t k = 0; k < PyList_Size(parts); k++) {
        PyObject *own = PyList_GetItem(parts, k);
        if (!PyTuple_Check(own) || PyTuple_Size(own) != PARTS) {
            PyErr_SetString(PyExc_TypeError, "an entity has five components or None");
            return 0;
        }
    }
    return 1;
}

static PyObject *are_all_new(PyObject *module, PyObject *args)
{
    PyObject *parts, *types;
    if (!PyArg_ParseTuple(args, "O!O!:are_all_new", &PyList_Type, &parts, &PyTuple_Type, &types) || !are_entities(parts))
        return NULL;
    if (PyTuple_Size(types) != PARTS)
        return PyErr_Format(PyExc_TypeError, "five types");
    int are_new = 1;
    Py_ssize_t seen = 0;
    while (are_new && seen < PyList_Size(parts))
        are_new = stamp_new(PyList_GetItem(parts, seen++), types);
    for (Py_ssize_t k = 0; k < seen; k++)
        wipe_stamps(PyList_GetItem(parts, k));
    return PyBool_FromLong(are_new);
}

static PyObject *survey_all(PyObject *parts, Py_buffer *integers, Py_buffer *numbers)
{
    Py_ssize_t count = PyList_Size(parts);
    if (integers->len != count * INTEGER_WIDTH * 8 || numbers->len != count * NUMBER_WIDTH * 8)
        return PyErr_Format(PyExc_ValueError, "a row for each of %zd entities", count);
    for (Py_ssize_t k = 0; k < count; k++) {
        int outcome = survey_entity(PyList_GetItem(parts, k), (long long *)integers->buf + k * INTEGER_WIDTH,
                                    (double *)numbers->buf + k * NUMBER_WIDTH);
        if (outcome < 0)
            return NULL;
        if (outcome == WRONG)
            return PyLong_FromSsize_t(k);
    }
    return PyLong_FromLong(-1);
}

static PyObject *survey(PyObject *module, PyObject *args)
{
    PyObject *parts, *tables[2], *first_wrong = NULL;
    Py_buffer held[2];
    if (!PyArg_ParseTuple(args, "O!OO:survey", &PyList_Type, &parts, &tables[0], &tables[1]) || !are_entities(parts) ||
        PyObject_GetBuffer(tables[0], &held[0], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(tables[1], &held[1], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) == 0) {
        first_wrong = survey_all(parts, &held[0], &held[1]);
        PyBuffer_Release(&held[1]);
    }
    PyBuffer_Release(&held[0]);
    return first_wrong;
}

/* ---- The module ---- */

static PyMethodDef functions[] = {
    {"are_all_new", are_all_new, METH_VARARGS, "Whether nobody holds any of some entities' components yet."},
    {"survey", survey, METH_VARARGS, "Write what components say of their bodies."},
    {NULL}};

static int fill(PyObject *module)
{
    static const struct {
        PyObject **name;
        const char *text;
    } attributes[] = {{&of_enabled, "_enabled"}, {&of_filter, "_filter"}, {&of_density, "_density"},
                      {&of_one_way, "_one_way"}, {&of_surface, "_surface"}, {&of_kind, "_kind"},
                      {&of_mass, "_mass"}, {&of_inertia, "_inertia"}, {&of_bullet, "_bullet"},
                      {&of_lock_x, "_lock_x"}, {&of_lock_y, "_lock_y"}, {&of_lock_rotation, "_lock_rotation"}};
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        if (!(*attributes[k].name = PyUnicode_InternFromString(attributes[k].text)))
            return -1;
    PyObject *cells = PyImport_ImportModule("ecs_collide.data._cells");
    numbers_type = cells ? (PyTypeObject *)PyObject_GetAttrString(cells, "Numbers") : NULL;
    Py_XDECREF(cells);
    return numbers_type ? 0 : -1;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_survey", "What components say of their bodies.", 0, functions,
                                    module_slots};

PyMODINIT_FUNC PyInit__survey(void)
{
    return PyModuleDef_Init(&module);
}
