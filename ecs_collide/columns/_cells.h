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

#endif
