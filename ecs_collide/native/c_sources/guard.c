/* Functions that return True while some conditions hold.

   `ecs_collide/native/guards.py` describes the conditions. */

#include "native.h"

static PyObject *registry_name; /* "event_registry" */

/* Return 1 if esper's current world has no handler of some events, 0 if it has one, -1 with an error. */
static int has_no_handlers(PyObject *esper, PyObject *events)
{
    PyObject *registry = PyObject_GetAttr(esper, registry_name);
    Py_ssize_t size = registry ? PyObject_Size(registry) : -1;
    int found = size < 0 ? -1 : 0;
    for (Py_ssize_t k = 0; size > 0 && found == 0 && k < PyTuple_Size(events); k++)
        found = PySequence_Contains(registry, PyTuple_GetItem(events, k));
    Py_XDECREF(registry);
    return found < 0 ? -1 : !found;
}

/* Return 1 if a condition holds, 0 if not, -1 with an error. A condition of one item is a container that must be empty;
   two are esper and the names of events. Three items are an owner and the name of an attribute, or a dict and a key,
   and the expected object; None: no key. */
static int condition_holds(PyObject *condition)
{
    PyObject *owner = PyTuple_GetItem(condition, 0);
    if (PyTuple_Size(condition) == 1) {
        Py_ssize_t size = PyObject_Size(owner);
        return size < 0 ? -1 : size == 0;
    }
    PyObject *name = PyTuple_GetItem(condition, 1);
    if (PyTuple_Size(condition) == 2)
        return has_no_handlers(owner, name);
    PyObject *wanted = PyTuple_GetItem(condition, 2);
    if (PyDict_Check(owner)) {
        PyObject *item = PyDict_GetItemWithError(owner, name);
        return item ? item == wanted : PyErr_Occurred() ? -1 : wanted == Py_None;
    }
    PyObject *value = PyObject_GetAttr(owner, name);
    Py_XDECREF(value); /* only its identity is compared */
    return value ? value == wanted : -1;
}

static PyObject *all_hold(PyObject *conditions, PyObject *unused)
{
    int all = 1;
    for (Py_ssize_t k = 0; all > 0 && k < PyTuple_Size(conditions); k++)
        all = condition_holds(PyTuple_GetItem(conditions, k));
    return all < 0 ? NULL : PyBool_FromLong(all);
}

static PyMethodDef guard_entry = {"all_hold", all_hold, METH_NOARGS, NULL};

static PyObject *make_guard(PyObject *module, PyObject *conditions)
{
    if (!PyTuple_Check(conditions))
        return PyErr_Format(PyExc_TypeError, "conditions are a tuple, got %R", conditions);
    for (Py_ssize_t k = 0; k < PyTuple_Size(conditions); k++) {
        PyObject *condition = PyTuple_GetItem(conditions, k);
        Py_ssize_t size = PyTuple_Check(condition) ? PyTuple_Size(condition) : 0;
        if (size < 1 || size > 3)
            return PyErr_Format(PyExc_TypeError, "a condition is an IsSame, IsEmpty or HasNoHandlers, got %R", condition);
        if (size == 2 && !PyTuple_Check(PyTuple_GetItem(condition, 1)))
            return PyErr_Format(PyExc_TypeError, "the events of a HasNoHandlers are a tuple, got %R", condition);
    }
    return PyCFunction_NewEx(&guard_entry, conditions, NULL);
}

static PyMethodDef functions[] = {
    {"make_guard", make_guard, METH_O, "Return a function that returns True while all conditions hold."}, {NULL}};

int add_guard(PyObject *module)
{
    registry_name = PyUnicode_InternFromString("event_registry");
    return registry_name ? PyModule_AddFunctions(module, functions) : -1;
}
