/* Reads the components of entities into rows of two tables, and checks that they are new.

   `ecs_collide/step/sync/component_columns.py` names the columns; `tests/support/reference/read_components.py` is the
   reference in Python, for tests. */

#include "native.h"

enum { TRANSFORM, VELOCITY, COLLIDER, RIGID_BODY, FORCE, ATTACHED_TO, COMPONENT_COUNT };

/* columns of `integers` and of `numbers` */
enum { KIND, PRESENT, FILTER, FILTER_WIDTH = 6, RULE = FILTER + FILTER_WIDTH, INTEGER_WIDTH = RULE + 2 };
enum { LIMIT_WIDTH = 3 };
enum { DENSITY, MASS, INERTIA, ONE_WAY, SURFACE = ONE_WAY + 2, LIMIT = SURFACE + 2, NUMBER_WIDTH = LIMIT + LIMIT_WIDTH };

enum {
    HAS_COLLIDER = 1,
    HAS_RIGID_BODY = 2,
    HAS_FORCE = 4,
    IS_BULLET = 8,
    LOCKS_X = 16,
    LOCKS_Y = 32,
    LOCKS_ROTATION = 64,
    STAYS_AWAKE = 128
};

enum { NO_BODY = -1, STATIC = 0, DYNAMIC = 2 };

enum { IN_ORDER, WRONG };

static PyObject *of_enabled, *of_filter, *of_density, *of_one_way, *of_rule, *of_surface;
static PyObject *of_kind, *of_mass, *of_inertia, *of_bullet, *of_can_sleep, *of_lock_x, *of_lock_y, *of_lock_rotation;
static PyObject *of_limit[LIMIT_WIDTH];

/* Read a number from an attribute; None becomes NaN. This function and the next ones return -1 with an error. */
static int read_number(PyObject *component, PyObject *name, double *number)
{
    PyObject *value = PyObject_GetAttr(component, name);
    if (!value)
        return -1;
    *number = value == Py_None ? NAN : PyFloat_AsDouble(value);
    Py_DECREF(value);
    return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* Set a bit if an attribute is true. */
static int read_bit(PyObject *component, PyObject *name, long long bit, long long *bits)
{
    PyObject *value = PyObject_GetAttr(component, name);
    int holds = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    if (holds > 0)
        *bits |= bit;
    return holds < 0 ? -1 : 0;
}

/* Read the numbers of a tuple in an attribute; None leaves zeros. */
static int read_tuple(PyObject *component, PyObject *name, Py_ssize_t count, double *numbers, long long *integers)
{
    PyObject *value = PyObject_GetAttr(component, name);
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

static int read_collider(PyObject *collider, long long *integers, double *numbers)
{
    long long is_enabled = 0;
    integers[PRESENT] |= HAS_COLLIDER;
    if (read_bit(collider, of_enabled, 1, &is_enabled) < 0 ||
        (is_enabled && read_tuple(collider, of_filter, FILTER_WIDTH, NULL, integers + FILTER) < 0))
        return -1;
    return read_number(collider, of_density, numbers + DENSITY) < 0 ||
                   read_tuple(collider, of_rule, 2, NULL, integers + RULE) < 0 ||
                   read_tuple(collider, of_one_way, 2, numbers + ONE_WAY, NULL) < 0 ||
                   read_tuple(collider, of_surface, 2, numbers + SURFACE, NULL) < 0
               ? -1
               : 0;
}

static int read_rigid_body(PyObject *rigid_body, long long *integers, double *numbers)
{
    PyObject *kind = PyObject_GetAttr(rigid_body, of_kind);
    if (!kind)
        return -1;
    integers[KIND] = PyLong_AsLongLong(kind);
    Py_DECREF(kind);
    if (PyErr_Occurred())
        return -1;
    long long *present = integers + PRESENT, can_sleep = 0;
    *present |= HAS_RIGID_BODY;
    if (read_bit(rigid_body, of_can_sleep, 1, &can_sleep) < 0)
        return -1;
    if (!can_sleep)
        *present |= STAYS_AWAKE;
    for (int k = 0; k < LIMIT_WIDTH; k++)
        if (read_number(rigid_body, of_limit[k], numbers + LIMIT + k) < 0)
            return -1;
    return read_number(rigid_body, of_mass, numbers + MASS) < 0 || read_number(rigid_body, of_inertia, numbers + INERTIA) < 0 ||
                   read_bit(rigid_body, of_bullet, IS_BULLET, present) < 0 ||
                   read_bit(rigid_body, of_lock_x, LOCKS_X, present) < 0 ||
                   read_bit(rigid_body, of_lock_y, LOCKS_Y, present) < 0 ||
                   read_bit(rigid_body, of_lock_rotation, LOCKS_ROTATION, present) < 0
               ? -1
               : 0;
}

/* Return 1 if an attached entity has a collider and nothing that only a body of its own can have. */
static int can_be_attached(PyObject **component)
{
    return component[COLLIDER] && !component[VELOCITY] && !component[RIGID_BODY] && !component[FORCE];
}

/* Write one entity's row. Return IN_ORDER, WRONG, or -1 with an error. */
static int read_entity(PyObject *own, long long *integers, double *numbers)
{
    PyObject *component[COMPONENT_COUNT];
    for (int k = 0; k < COMPONENT_COUNT; k++) {
        component[k] = PyTuple_GetItem(own, k) == Py_None ? NULL : PyTuple_GetItem(own, k);
        if (component[k] && !PyObject_TypeCheck(component[k], numbers_type)) {
            PyErr_SetString(PyExc_TypeError, "not a component");
            return -1;
        }
    }
    for (int k = 0; k < INTEGER_WIDTH; k++)
        integers[k] = 0;
    for (int k = 0; k < NUMBER_WIDTH; k++)
        numbers[k] = 0.0;
    numbers[MASS] = numbers[INERTIA] = NAN;
    for (int k = 0; k < LIMIT_WIDTH; k++)
        numbers[LIMIT + k] = NAN;
    if (component[ATTACHED_TO]) {
        if (!can_be_attached(component))
            return WRONG;
    } else if (!component[VELOCITY] && !component[COLLIDER] && !component[RIGID_BODY] && !component[FORCE]) {
        integers[KIND] = NO_BODY;
        return IN_ORDER;
    } else if (!component[TRANSFORM])
        return WRONG;
    for (int k = 0; k < COMPONENT_COUNT; k++)
        if (component[k] && !are_sound((Numbers *)component[k]))
            return WRONG;
    Numbers *transform = (Numbers *)component[TRANSFORM];
    if (transform && !(fabs(present_numbers(transform)[width_of(transform) - 1]) <= PLAIN)) /* the angle */
        return WRONG;
    integers[KIND] = component[VELOCITY] ? DYNAMIC : STATIC;
    if (component[FORCE])
        integers[PRESENT] |= HAS_FORCE;
    if ((component[COLLIDER] && read_collider(component[COLLIDER], integers, numbers) < 0) ||
        (component[RIGID_BODY] && read_rigid_body(component[RIGID_BODY], integers, numbers) < 0))
        return -1;
    return IN_ORDER;
}

/* Return 1 if each of an entity's components has its type, belongs to no entity, and was not seen before.
   Components that the entity had `before`, a tuple or None, are left out. */
static int mark_new(PyObject *own, PyObject *before, PyObject *types)
{
    for (Py_ssize_t k = 0; k < COMPONENT_COUNT; k++) {
        PyObject *component = PyTuple_GetItem(own, k);
        if (component == Py_None || (before != Py_None && component == PyTuple_GetItem(before, k)))
            continue;
        if (!PyObject_TypeCheck(component, numbers_type) ||
            !PyObject_TypeCheck(component, (PyTypeObject *)PyTuple_GetItem(types, k)))
            return 0;
        Numbers *numbers = (Numbers *)component;
        if (width_of(numbers) == 0 || numbers->entity != NULL || numbers->column_ref != NULL || numbers->is_seen)
            return 0;
        numbers->is_seen = 1;
    }
    return 1;
}

static void unmark_seen(PyObject *own)
{
    for (Py_ssize_t k = 0; k < COMPONENT_COUNT; k++) {
        PyObject *component = PyTuple_GetItem(own, k);
        if (PyObject_TypeCheck(component, numbers_type))
            ((Numbers *)component)->is_seen = 0;
    }
}

/* Return 1 if a list contains tuples of six, or None as well if `may_be_none`; else 0 with an error. */
static int are_entities(PyObject *components, int may_be_none)
{
    for (Py_ssize_t k = 0; k < PyList_Size(components); k++) {
        PyObject *own = PyList_GetItem(components, k);
        if (may_be_none && own == Py_None)
            continue;
        if (!PyTuple_Check(own) || PyTuple_Size(own) != COMPONENT_COUNT) {
            PyErr_SetString(PyExc_TypeError, "an entity has six components or None");
            return 0;
        }
    }
    return 1;
}

static PyObject *are_all_new(PyObject *module, PyObject *args)
{
    PyObject *components, *before, *types;
    if (!PyArg_ParseTuple(args, "O!O!O!:are_all_new", &PyList_Type, &components, &PyList_Type, &before, &PyTuple_Type, &types) ||
        !are_entities(components, 0) || !are_entities(before, 1))
        return NULL;
    if (PyTuple_Size(types) != COMPONENT_COUNT || PyList_Size(before) != PyList_Size(components))
        return PyErr_Format(PyExc_TypeError, "six types, and two lists of one length");
    int are_new = 1;
    Py_ssize_t seen = 0;
    for (; are_new && seen < PyList_Size(components); seen++)
        are_new = mark_new(PyList_GetItem(components, seen), PyList_GetItem(before, seen), types);
    for (Py_ssize_t k = 0; k < seen; k++)
        unmark_seen(PyList_GetItem(components, k));
    return PyBool_FromLong(are_new);
}

static PyObject *read_all(PyObject *components, Py_buffer *integers, Py_buffer *numbers)
{
    Py_ssize_t count = PyList_Size(components);
    if (integers->len != count * INTEGER_WIDTH * 8 || numbers->len != count * NUMBER_WIDTH * 8)
        return PyErr_Format(PyExc_ValueError, "a row for each of %zd entities", count);
    for (Py_ssize_t k = 0; k < count; k++) {
        int outcome = read_entity(PyList_GetItem(components, k), (long long *)integers->buf + k * INTEGER_WIDTH,
                                    (double *)numbers->buf + k * NUMBER_WIDTH);
        if (outcome < 0)
            return NULL;
        if (outcome == WRONG)
            return PyLong_FromSsize_t(k);
    }
    return PyLong_FromLong(-1);
}

static PyObject *read_components(PyObject *module, PyObject *args)
{
    PyObject *components, *tables[2], *first_wrong = NULL;
    Py_buffer held[2];
    if (!PyArg_ParseTuple(args, "O!OO:read_components", &PyList_Type, &components, &tables[0], &tables[1]) || !are_entities(components, 0) ||
        PyObject_GetBuffer(tables[0], &held[0], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(tables[1], &held[1], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) == 0) {
        first_wrong = read_all(components, &held[0], &held[1]);
        PyBuffer_Release(&held[1]);
    }
    PyBuffer_Release(&held[0]);
    return first_wrong;
}

static PyMethodDef functions[] = {
    {"are_all_new", are_all_new, METH_VARARGS, "Return True if no component belongs to an entity yet."},
    {"read_components", read_components, METH_VARARGS, "Write the values of components to two tables."},
    {NULL}};

int add_read_components(PyObject *module)
{
    static const struct {
        PyObject **name;
        const char *text;
    } attributes[] = {{&of_enabled, "_enabled"}, {&of_filter, "_filter"}, {&of_density, "_density"},
                      {&of_one_way, "_one_way"}, {&of_rule, "_rule"}, {&of_surface, "_surface"}, {&of_kind, "_kind"},
                      {&of_mass, "_mass"}, {&of_inertia, "_inertia"}, {&of_bullet, "_bullet"}, {&of_can_sleep, "_can_sleep"},
                      {&of_lock_x, "_lock_x"}, {&of_lock_y, "_lock_y"}, {&of_lock_rotation, "_lock_rotation"},
                      {&of_limit[0], "_max_speed"}, {&of_limit[1], "_max_angular_speed"}, {&of_limit[2], "_sleep_speed"}};
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        if (!(*attributes[k].name = PyUnicode_InternFromString(attributes[k].text)))
            return -1;
    return PyModule_AddFunctions(module, functions);
}
