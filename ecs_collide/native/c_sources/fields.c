/* Descriptors for the attributes of components: a number, several numbers, or another value. */

#include "native.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t offset, count;
    double lowest, largest, standard_value;
    PyObject *check, *standard, *wrap, *slot, *name;
    PyObject *module, *owner; /* names of the class that has the attribute, and of its module */
    int is_item; /* at `offset` of the tuple in `slot` */
} Descriptor; /* of a Field, of Fields, of a Value or of an Item */

static PyObject *check_finite, *checked_name;

/* Return a value as a check accepts it. If the check fails, Python's `_checked` raises an error with the entity's number. */
static PyObject *checked_value(Descriptor *self, PyObject *view, PyObject *value, PyObject *check)
{
    PyObject *accepted = PyObject_CallFunctionObjArgs(check, value, self->name ? self->name : Py_None, NULL);
    if (accepted || !(PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError)))
        return accepted;
    PyErr_Clear();
    return PyObject_CallMethodObjArgs(view, checked_name, check, value, self->name ? self->name : Py_None, NULL);
}

static double *place(Descriptor *self, PyObject *view)
{
    if (!is_component(view))
        return NULL;
    double *numbers = numbers_of((Numbers *)view);
    if (numbers && self->offset + self->count > width_of((Numbers *)view)) {
        PyErr_SetString(PyExc_AttributeError, "the component has fewer numbers");
        return NULL;
    }
    return numbers ? numbers + self->offset : NULL;
}

static PyObject *field_get(Descriptor *self, PyObject *view, PyObject *type)
{
    if (view == NULL || view == Py_None)
        return Py_NewRef((PyObject *)self);
    double *numbers = place(self, view);
    if (!numbers)
        return NULL;
    if (self->count == 1) {
        PyObject *number = PyFloat_FromDouble(numbers[0]);
        if (!self->wrap || !number)
            return number;
        PyObject *wrapped = PyObject_CallFunctionObjArgs(self->wrap, number, NULL);
        Py_DECREF(number);
        return wrapped;
    }
    PyObject *tuple = PyTuple_New(self->count);
    for (Py_ssize_t k = 0; tuple && k < self->count; k++)
        PyTuple_SetItem(tuple, k, PyFloat_FromDouble(numbers[k]));
    return tuple;
}

/* Check a number that is not plain. Return -1 with an error that names the field. */
static int checked_number(Descriptor *self, PyObject *view, PyObject *value, double *number)
{
    PyObject *accepted = checked_value(self, view, value, self->check);
    if (!accepted)
        return -1;
    *number = PyFloat_AsDouble(accepted);
    if (*number == -1.0 && PyErr_Occurred()) {
        Py_DECREF(accepted);
        return -1;
    }
    if (!(fabs(*number) <= LARGEST)) {
        PyObject *refused = checked_value(self, view, accepted, check_finite);
        Py_DECREF(accepted);
        if (refused) {
            Py_DECREF(refused);
            PyErr_SetString(PyExc_ValueError, "number out of range");
        }
        return -1;
    }
    Py_DECREF(accepted);
    return 0;
}

static int field_set(Descriptor *self, PyObject *view, PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "a component's numbers cannot be deleted");
        return -1;
    }
    double number;
    if (!is_component(view))
        return -1;
    if (self->standard && value == self->standard)
        number = self->standard_value;
    else if ((self->wrap || !is_plain(value, self->lowest, self->largest, &number)) &&
             checked_number(self, view, value, &number) < 0)
        return -1;
    double *numbers = place(self, view); /* after the check, which may have run any code */
    if (!numbers)
        return -1;
    numbers[0] = self->check == check_finite ? number : number + 0.0;
    mark_row((Numbers *)view);
    return 0;
}

static int fields_set(Descriptor *self, PyObject *view, PyObject *value)
{
    double numbers[FEW];
    if (value == NULL || !self->check) {
        PyObject *type = PyType_GetName(Py_TYPE(view));
        if (type)
            PyErr_Format(PyExc_AttributeError, "%U.%S cannot be %s", type, self->name ? self->name : Py_None,
                         value ? "written: write its numbers one by one" : "deleted");
        Py_XDECREF(type);
        return -1;
    }
    if (!is_component(view))
        return -1;
    int plain = PyTuple_CheckExact(value) && PyTuple_Size(value) == self->count;
    for (Py_ssize_t k = 0; plain && k < self->count; k++)
        plain = is_plain(PyTuple_GetItem(value, k), -LARGEST, LARGEST, &numbers[k]);
    if (!plain) {
        PyObject *accepted = checked_value(self, view, value, self->check);
        if (!accepted)
            return -1;
        for (Py_ssize_t k = 0; k < self->count; k++) {
            PyObject *item = PySequence_GetItem(accepted, k);
            numbers[k] = item ? PyFloat_AsDouble(item) : -1.0;
            Py_XDECREF(item);
            if (numbers[k] == -1.0 && PyErr_Occurred()) {
                Py_DECREF(accepted);
                return -1;
            }
        }
        Py_DECREF(accepted);
    }
    double *to = place(self, view);
    if (!to)
        return -1;
    for (Py_ssize_t k = 0; k < self->count; k++)
        to[k] = numbers[k] + 0.0; /* -0.0 becomes 0.0 */
    mark_row((Numbers *)view);
    return 0;
}

static PyObject *value_get(Descriptor *self, PyObject *view, PyObject *type)
{
    if (view == NULL || view == Py_None)
        return Py_NewRef((PyObject *)self);
    PyObject *value = PyObject_GetAttr(view, self->slot);
    if (!value || !self->is_item)
        return value;
    PyObject *item = PyTuple_GetItem(value, self->offset);
    Py_XINCREF(item);
    Py_DECREF(value);
    return item;
}

/* Replace an item of the tuple in a slot. Other components may share the tuple, so a new one is made. */
static int keep_item(Descriptor *self, PyObject *view, PyObject *value)
{
    PyObject *items = PyObject_GetAttr(view, self->slot);
    PyObject *list = items ? PySequence_List(items) : NULL, *renewed = NULL;
    Py_XDECREF(items);
    if (list && PyList_SetItem(list, self->offset, Py_NewRef(value)) == 0)
        renewed = PyList_AsTuple(list);
    Py_XDECREF(list);
    int failed = !renewed || PyObject_SetAttr(view, self->slot, renewed) < 0;
    Py_XDECREF(renewed);
    return failed ? -1 : 0;
}

static int value_set(Descriptor *self, PyObject *view, PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "a component's values cannot be deleted");
        return -1;
    }
    if (!is_component(view))
        return -1;
    int is_standard = 0;
    for (Py_ssize_t k = 0; k < PyTuple_Size(self->standard); k++)
        is_standard |= value == PyTuple_GetItem(self->standard, k);
    PyObject *accepted = is_standard ? Py_NewRef(value) : checked_value(self, view, value, self->check);
    if (!accepted)
        return -1;
    int failed = self->is_item ? keep_item(self, view, accepted) < 0 : PyObject_SetAttr(view, self->slot, accepted) < 0;
    failed = failed || mark_entity((Numbers *)view) < 0;
    Py_DECREF(accepted);
    return failed ? -1 : 0;
}

static PyObject *set_name(Descriptor *self, PyObject *args)
{
    PyObject *owner, *name;
    if (!PyArg_ParseTuple(args, "OO!:__set_name__", &owner, &PyUnicode_Type, &name))
        return NULL;
    Py_CLEAR(self->name);
    self->name = Py_NewRef(name);
    Py_CLEAR(self->module);
    Py_CLEAR(self->owner);
    self->module = PyObject_GetAttrString(owner, "__module__");
    self->owner = self->module ? PyObject_GetAttrString(owner, "__qualname__") : NULL;
    if (!self->owner)
        return NULL;
    if (!self->is_item) {
        Py_CLEAR(self->slot);
        self->slot = PyUnicode_FromFormat("_%U", name);
    }
    return self->slot ? Py_NewRef(Py_None) : NULL;
}

/* Read the docstring from the source of the class, as Python keeps none of attributes. */
static PyObject *docstring(Descriptor *self, void *unused)
{
    if (!self->owner)
        return Py_NewRef(Py_None);
    PyObject *reader = PyImport_ImportModule("ecs_collide.data.field_docs");
    PyObject *found =
        reader ? PyObject_CallMethod(reader, "docstring_of", "OOO", self->module, self->owner, self->name) : NULL;
    Py_XDECREF(reader);
    return found;
}

static PyObject *descriptor_repr(Descriptor *self)
{
    return self->owner ? PyUnicode_FromFormat("<attribute %S.%S>", self->owner, self->name)
                       : PyUnicode_FromString("<attribute of a component>");
}

static PyObject *given(PyObject *value)
{
    return value && value != Py_None ? Py_NewRef(value) : NULL;
}

static int field_init(Descriptor *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"offset", "check", "lowest", "largest", "standard", "wrap", NULL};
    PyObject *check, *standard = NULL, *wrap = NULL;
    self->count = 1;
    self->lowest = -LARGEST;
    self->largest = LARGEST;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nO|ddOO:Field", names, &self->offset, &check, &self->lowest,
                                     &self->largest, &standard, &wrap))
        return -1;
    self->check = given(check);
    self->standard = given(standard);
    self->wrap = given(wrap);
    if (self->standard) {
        self->standard_value = PyFloat_AsDouble(self->standard);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

static int fields_init(Descriptor *self, PyObject *args, PyObject *kwargs)
{
    PyObject *check = NULL;
    if (!PyArg_ParseTuple(args, "nn|O:Fields", &self->offset, &self->count, &check))
        return -1;
    if (self->count < 2 || self->count > FEW) {
        PyErr_SetString(PyExc_ValueError, "Fields are 2 to 4 numbers");
        return -1;
    }
    self->check = given(check);
    return 0;
}

/* Read the arguments of a Value from number `first` on: a check, and values that need no check. */
static int take_check(Descriptor *self, PyObject *args, Py_ssize_t first)
{
    if (PyTuple_Size(args) <= first) {
        PyErr_SetString(PyExc_TypeError, "a check is missing");
        return -1;
    }
    self->check = Py_NewRef(PyTuple_GetItem(args, first));
    self->standard = PyTuple_GetSlice(args, first + 1, PyTuple_Size(args));
    return self->standard ? 0 : -1;
}

static int value_init(Descriptor *self, PyObject *args, PyObject *kwargs)
{
    return take_check(self, args, 0);
}

static int item_init(Descriptor *self, PyObject *args, PyObject *kwargs)
{
    if (take_check(self, args, 2) < 0)
        return -1;
    self->is_item = 1;
    self->slot = Py_NewRef(PyTuple_GetItem(args, 0));
    self->offset = PyLong_AsSsize_t(PyTuple_GetItem(args, 1));
    return PyErr_Occurred() ? -1 : 0;
}

static void descriptor_dealloc(Descriptor *self)
{
    Py_CLEAR(self->check);
    Py_CLEAR(self->standard);
    Py_CLEAR(self->wrap);
    Py_CLEAR(self->slot);
    Py_CLEAR(self->name);
    Py_CLEAR(self->module);
    Py_CLEAR(self->owner);
    free_object((PyObject *)self);
}

static PyGetSetDef descriptor_values[] = {{"__doc__", (getter)docstring, NULL, NULL, NULL}, {NULL}};
static PyMethodDef descriptor_methods[] = {{"__set_name__", (PyCFunction)set_name, METH_VARARGS, NULL}, {NULL}};

/* The types have no docstrings, since theirs would hide those of the attributes. */
#define DESCRIPTOR(name, kind, get, set)                                                                               \
    static PyType_Slot name##_slots[] = {{Py_tp_new, PyType_GenericNew},                                               \
                                         {Py_tp_repr, descriptor_repr},                                                \
                                         {Py_tp_getset, descriptor_values},                                            \
                                         {Py_tp_init, name##_init},                                                    \
                                         {Py_tp_dealloc, descriptor_dealloc},                                          \
                                         {Py_tp_descr_get, get},                                                       \
                                         {Py_tp_descr_set, set},                                                       \
                                         {Py_tp_methods, descriptor_methods},                                          \
                                         {0, NULL}};                                                                   \
    static PyType_Spec name##_spec = {"ecs_collide.native._native." kind, sizeof(Descriptor), 0, Py_TPFLAGS_DEFAULT,   \
                                      name##_slots};

DESCRIPTOR(field, "Field", field_get, field_set)
DESCRIPTOR(fields, "Fields", field_get, fields_set)
DESCRIPTOR(value, "Value", value_get, value_set)
DESCRIPTOR(item, "Item", value_get, value_set)

int add_fields(PyObject *module)
{
    PyObject *validate = PyImport_ImportModule("ecs_collide.validate");
    check_finite = validate ? PyObject_GetAttrString(validate, "finite") : NULL;
    Py_XDECREF(validate);
    checked_name = PyUnicode_InternFromString("_checked");
    return !check_finite || !checked_name || add_type(module, "Field", &field_spec, NULL) < 0 ||
                   add_type(module, "Fields", &fields_spec, NULL) < 0 || add_type(module, "Value", &value_spec, NULL) < 0 ||
                   add_type(module, "Item", &item_spec, NULL) < 0
               ? -1
               : 0;
}
