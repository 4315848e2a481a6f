/* Types and functions that the files of the extension module `ecs_collide.native._native` share. */

#ifndef ECS_COLLIDE_NATIVE
#define ECS_COLLIDE_NATIVE

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <structmember.h>

#define FEW 4 /* most numbers that `Fields` writes in one go */
#define WIDEST 32 /* most numbers of a component */
#define PLAIN 1e15 /* numbers up to this are valid for every field, angles too */
#define LARGEST 1e50 /* the largest valid number */

/* A column of numbers, to which components of a world refer. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t width, rows;
    double *values;
    char *marks;
    long long *marked, *count;
    Py_buffer held[4]; /* values, marks, marked, count */
    int has_buffers;
    PyObject *changed; /* set of the entities that change in more than numbers; NULL stands for None */
} ColumnRef;

/* What a component has of its own as long as it refers to no column. */
typedef struct {
    PyObject *changed; /* as in ColumnRef */
    Py_ssize_t width;
    double values[]; /* `width` of them */
} Own;

/* The numbers of a component: its own, or a row of a column. A world has many, so they are small. */
typedef struct {
    PyObject_HEAD
    ColumnRef *column_ref; /* NULL: the component has its own numbers */
    union {
        Own *own; /* NULL before the component has numbers */
        Py_ssize_t row;
    };
    PyObject *entity; /* NULL stands for None */
    char stands_in, is_seen;
} Numbers;

extern PyTypeObject *column_ref_type, *numbers_type;

/* Return 1 if an object is a component, else 0 with a TypeError. */
int is_component(PyObject *object);

/* Return the address of a component's numbers, or NULL with an error if it has none. */
double *numbers_of(Numbers *self);

/* Record that the component's row was written. */
void mark_row(Numbers *self);

/* Record that the component changed in more than numbers. Return -1 with an error. */
int mark_entity(Numbers *self);

/* Free an instance of a type that was made from a specification. */
void free_object(PyObject *self);

/* Make a type and add it to a module; `kept` may be NULL. Return -1 with an error. */
int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **kept);

/* Add the types or functions of one file to the module. Return -1 with an error. */
int add_component_numbers(PyObject *module);
int add_fields(PyObject *module);
int add_attributes(PyObject *module);
int add_read_components(PyObject *module);
int add_make_contacts(PyObject *module);
int add_guard(PyObject *module);
int add_points(PyObject *module);

/* Return how many numbers a component has, 0 before it has any. */
static inline Py_ssize_t width_of(Numbers *self)
{
    return self->column_ref ? self->column_ref->width : self->own ? self->own->width : 0;
}

/* Return the address of a component's numbers, or NULL if it has none yet or its row does not exist any more. */
static inline double *present_numbers(Numbers *self)
{
    if (self->column_ref == NULL)
        return self->own ? self->own->values : NULL;
    return self->row < self->column_ref->rows ? self->column_ref->values + self->row * self->column_ref->width : NULL;
}

/* Return 1 if a component has numbers, and all are finite and within LARGEST. */
static inline int are_sound(Numbers *self)
{
    double *numbers = present_numbers(self);
    Py_ssize_t width = width_of(self);
    for (Py_ssize_t k = 0; numbers && k < width; k++)
        if (!(fabs(numbers[k]) <= LARGEST))
            return 0;
    return numbers != NULL;
}

/* Return 1 if a value is a float or an int from lowest to largest; no check has to see it then. */
static inline int is_plain(PyObject *value, double lowest, double largest, double *number)
{
    if (!PyFloat_CheckExact(value) && !PyLong_CheckExact(value))
        return 0;
    *number = PyFloat_AsDouble(value);
    if (*number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear(); /* too large */
        return 0;
    }
    return *number >= lowest && *number <= largest;
}

#endif
