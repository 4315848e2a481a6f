/* What a component is in C, for the modules that look into one. */

#ifndef ECS_COLLIDE_CELLS
#define ECS_COLLIDE_CELLS

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <math.h>

#define WIDEST 4 /* numbers of a component */
#define PLAIN 1e15 /* numbers up to this are good for everything, angles too */
#define LARGEST 1e50

typedef struct {
    PyObject_HEAD
    Py_ssize_t width, rows;
    double *values;
    char *marks;
    long long *marked, *count;
    Py_buffer held[4]; /* values, marks, marked, count */
    int is_looking;
} Cells;

typedef struct {
    PyObject_HEAD
    Cells *cells; /* NULL: look at own */
    Py_ssize_t row;
    int width;
    char stands_in;
    double own[WIDEST];
    PyObject *entity, *changed; /* NULL stands for None */
} Numbers;

/* Where a component's numbers are; NULL where it has none yet, or its row is not there any more. */
static inline double *present_numbers(Numbers *self)
{
    if (self->cells == NULL)
        return self->width ? self->own : NULL;
    return self->row < self->cells->rows ? self->cells->values + self->row * self->width : NULL;
}

/* Whether it has numbers, of which none is too large, or none. */
static inline int are_sound(Numbers *self)
{
    double *numbers = present_numbers(self);
    for (int k = 0; numbers && k < self->width; k++)
        if (!(fabs(numbers[k]) <= LARGEST))
            return 0;
    return numbers != NULL;
}

#endif
