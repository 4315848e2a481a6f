/* The numbers of components. A component has its own numbers, or, after a world has adopted it, a row of a column.

   All components of a column read the address of its array from one ColumnRef object, so a column that grows updates only
   that. Writing a number marks the row: a byte, and an entry in a list of rows. */

#include "native.h"

PyTypeObject *column_ref_type, *numbers_type;
static PyObject *keywords_name;

/* ---- ColumnRef ---- */

static void release_buffers(ColumnRef *self)
{
    if (self->has_buffers)
        for (int k = 0; k < 4; k++)
            PyBuffer_Release(&self->held[k]);
    self->has_buffers = 0;
    self->rows = 0;
}

static PyObject *column_ref_set_arrays(ColumnRef *self, PyObject *args)
{
    PyObject *arrays[4];
    if (!PyArg_ParseTuple(args, "OOOO:set_arrays", &arrays[0], &arrays[1], &arrays[2], &arrays[3]))
        return NULL;
    release_buffers(self);
    for (int k = 0; k < 4; k++)
        if (PyObject_GetBuffer(arrays[k], &self->held[k], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
            while (k-- > 0)
                PyBuffer_Release(&self->held[k]);
            return NULL;
        }
    self->has_buffers = 1;
    self->values = self->held[0].buf;
    self->marks = self->held[1].buf;
    self->marked = self->held[2].buf;
    self->count = self->held[3].buf;
    self->rows = self->held[0].len / (Py_ssize_t)sizeof(double) / self->width;
    if (self->held[1].len < self->rows || self->held[2].len < self->rows * 8 || self->held[3].len != 8) {
        release_buffers(self);
        PyErr_SetString(PyExc_ValueError, "marks and the list of rows need room for all rows");
        return NULL;
    }
    Py_RETURN_NONE;
}

static int column_ref_init(ColumnRef *self, PyObject *args, PyObject *kwargs)
{
    if (!PyArg_ParseTuple(args, "n:ColumnRef", &self->width))
        return -1;
    if (self->width < 1 || self->width > WIDEST) {
        PyErr_SetString(PyExc_ValueError, "width must be from 1 to 32");
        return -1;
    }
    return 0;
}

void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static void column_ref_dealloc(ColumnRef *self)
{
    release_buffers(self);
    Py_CLEAR(self->changed);
    free_object((PyObject *)self);
}

static PyMethodDef column_ref_methods[] = {
    {"set_arrays", (PyCFunction)column_ref_set_arrays, METH_VARARGS, "Replace the arrays to which components refer."},
    {NULL}};

static PyMemberDef column_ref_members[] = {{"width", T_PYSSIZET, offsetof(ColumnRef, width), READONLY}, {NULL}};

static PyType_Slot column_ref_slots[] = {{Py_tp_doc, "A reference to a column of numbers, which components read and write."},
                                    {Py_tp_new, PyType_GenericNew},
                                    {Py_tp_init, column_ref_init},
                                    {Py_tp_dealloc, column_ref_dealloc},
                                    {Py_tp_methods, column_ref_methods},
                                    {Py_tp_members, column_ref_members},
                                    {0, NULL}};
static PyType_Spec column_ref_spec = {"ecs_collide.native._native.ColumnRef", sizeof(ColumnRef), 0, Py_TPFLAGS_DEFAULT, column_ref_slots};

/* ---- Numbers ---- */

double *numbers_of(Numbers *self)
{
    double *numbers = present_numbers(self);
    if (numbers == NULL && self->column_ref == NULL)
        PyErr_SetString(PyExc_AttributeError, "the component has no numbers yet: __init__ was not called");
    else if (numbers == NULL)
        PyErr_SetString(PyExc_IndexError, "the component's row does not exist any more");
    return numbers;
}

void mark_row(Numbers *self)
{
    ColumnRef *column_ref = self->column_ref;
    if (column_ref != NULL && !column_ref->marks[self->row]) {
        column_ref->marks[self->row] = 1;
        column_ref->marked[(*column_ref->count)++] = self->row;
    }
}

int is_component(PyObject *object)
{
    if (PyObject_TypeCheck(object, numbers_type))
        return 1;
    PyErr_SetString(PyExc_TypeError, "not a component");
    return 0;
}

/* Return 1 if a class has no `_keywords`, or if they contain all keywords of a call, else 0; -1 with an error. */
static int are_known(PyTypeObject *type, PyObject *kwargs)
{
    PyObject *key, *value, *keywords = PyObject_GetAttr((PyObject *)type, keywords_name);
    Py_ssize_t at = 0;
    int known = 1;
    if (!keywords)
        PyErr_Clear();
    while (keywords && known == 1 && PyDict_Next(kwargs, &at, &key, &value))
        known = PySet_Contains(keywords, key);
    Py_XDECREF(keywords);
    return known;
}

/* Return a new component without numbers. The class's `_check_keywords` raises an error with a hint for a keyword that
   `__init__` does not take. */
static PyObject *numbers_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int known = kwargs ? are_known(type, kwargs) : 1;
    if (known == 0) {
        PyObject *checked = PyObject_CallMethod((PyObject *)type, "_check_keywords", "O", kwargs);
        known = checked ? 1 : -1;
        Py_XDECREF(checked);
    }
    return known < 0 ? NULL : PyType_GenericNew(type, args, kwargs);
}

/* Return where a component's set for changed entities is, or NULL for one without numbers. */
static PyObject **changed_of(Numbers *self)
{
    return self->column_ref ? &self->column_ref->changed : self->own ? &self->own->changed : NULL;
}

static void free_own(Numbers *self)
{
    if (self->own)
        Py_CLEAR(self->own->changed);
    PyMem_Free(self->own);
    self->own = NULL;
}

/* Make a component detached, with room for so many numbers. Return -1 with an error. */
static int begin(Numbers *self, Py_ssize_t width)
{
    Own *own = PyMem_Malloc(offsetof(Own, values) + (size_t)width * sizeof(double));
    if (!own)
        return PyErr_NoMemory(), -1;
    own->changed = NULL;
    own->width = width;
    if (self->column_ref == NULL)
        free_own(self);
    Py_CLEAR(self->column_ref);
    Py_CLEAR(self->entity);
    self->own = own;
    self->stands_in = 0;
    return 0;
}

static PyObject *numbers_init_plain(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    double numbers[WIDEST];
    if (count < 1 || count > WIDEST)
        return PyErr_Format(PyExc_TypeError, "1 to 32 numbers, got %zd", count);
    for (Py_ssize_t k = 0; k < count; k++)
        if (!is_plain(args[k], -PLAIN, PLAIN, &numbers[k]))
            Py_RETURN_FALSE;
    if (begin(self, count) < 0)
        return NULL;
    for (Py_ssize_t k = 0; k < count; k++)
        self->own->values[k] = numbers[k] + 0.0; /* -0.0 becomes 0.0 */
    Py_RETURN_TRUE;
}

static PyObject *numbers_init(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    double numbers[WIDEST];
    if (count < 1 || count > WIDEST)
        return PyErr_Format(PyExc_TypeError, "1 to 32 numbers, got %zd", count);
    for (Py_ssize_t k = 0; k < count; k++) {
        numbers[k] = PyFloat_AsDouble(args[k]);
        if (numbers[k] == -1.0 && PyErr_Occurred())
            return NULL;
    }
    if (begin(self, count) < 0)
        return NULL;
    for (Py_ssize_t k = 0; k < count; k++)
        self->own->values[k] = numbers[k];
    Py_RETURN_NONE;
}

/* Initialise as a copy of a `DefaultComponent`'s view, then write the given values that differ from its defaults. */
static PyObject *numbers_init_from(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    if (count < 1 || !PyTuple_Check(args[0]) || PyTuple_Size(args[0]) != 4)
        return PyErr_Format(PyExc_TypeError, "_init_from takes a DefaultComponent and values");
    PyObject *standard = args[0], *view = PyTuple_GetItem(standard, 0), *names = PyTuple_GetItem(standard, 1),
             *usual = PyTuple_GetItem(standard, 2);
    Py_ssize_t slots = PyLong_AsSsize_t(PyTuple_GetItem(standard, 3));
    if (!is_component(view) || !PyObject_TypeCheck((PyObject *)self, Py_TYPE(view)) || PyTuple_Size(names) != count - 1 ||
        PyTuple_Size(usual) != count - 1)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a value for each name of the DefaultComponent");
    Numbers *from = (Numbers *)view;
    if (from == self || from->column_ref || !from->own || begin(self, from->own->width) < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a DefaultComponent's view has its own numbers");
    memcpy(self->own->values, from->own->values, (size_t)from->own->width * sizeof(double));
    PyObject **to_slot = (PyObject **)(self + 1), **from_slot = (PyObject **)(from + 1);
    for (Py_ssize_t k = 0; k < slots; k++) { /* a class' slots lie behind what it inherits */
        PyObject *before = to_slot[k];
        to_slot[k] = from_slot[k] ? Py_NewRef(from_slot[k]) : NULL;
        Py_XDECREF(before);
    }
    for (Py_ssize_t k = 0; k < count - 1; k++)
        if (args[k + 1] != PyTuple_GetItem(usual, k) &&
            PyObject_SetAttr((PyObject *)self, PyTuple_GetItem(names, k), args[k + 1]) < 0)
            return NULL;
    Py_RETURN_NONE;
}

static PyObject *numbers_values(Numbers *self, PyObject *ignored)
{
    double *numbers = numbers_of(self);
    PyObject *list = numbers ? PyList_New(width_of(self)) : NULL;
    for (Py_ssize_t k = 0; list && k < width_of(self); k++)
        PyList_SetItem(list, k, PyFloat_FromDouble(numbers[k]));
    return list;
}

static PyObject *numbers_is_sound(Numbers *self, PyObject *ignored)
{
    return numbers_of(self) ? PyBool_FromLong(are_sound(self)) : NULL;
}

static int leave_world(Numbers *self)
{
    char stands_in = self->stands_in;
    ColumnRef *column_ref = self->column_ref;
    double *numbers = numbers_of(self);
    if (!numbers)
        return -1;
    if (!column_ref) {
        Py_CLEAR(self->own->changed);
        Py_CLEAR(self->entity);
        return 0;
    }
    Py_INCREF((PyObject *)column_ref); /* which owns `numbers` */
    int failed = begin(self, column_ref->width);
    if (!failed)
        memcpy(self->own->values, numbers, (size_t)column_ref->width * sizeof(double));
    self->stands_in = stands_in;
    Py_DECREF((PyObject *)column_ref);
    return failed;
}

/* Write one number without a check, as the engine does. */
static PyObject *numbers_store(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t offset = count == 2 ? PyLong_AsSsize_t(args[0]) : -1;
    double number = count == 2 ? PyFloat_AsDouble(args[1]) : 0.0;
    if (PyErr_Occurred())
        return NULL;
    double *numbers = numbers_of(self);
    if (!numbers)
        return NULL;
    if (offset < 0 || offset >= width_of(self))
        return PyErr_Format(PyExc_IndexError, "_store takes the place of a number, and the number");
    numbers[offset] = number;
    mark_row(self);
    Py_RETURN_NONE;
}

static PyObject *numbers_detach(Numbers *self, PyObject *ignored)
{
    return leave_world(self) < 0 ? NULL : Py_NewRef(Py_None);
}

/* Record the entity that a component belongs to, and the set for it. Return -1 with an error. */
static int belong(Numbers *self, PyObject *to_entity, PyObject *to_changed)
{
    PyObject *entity = self->entity, **place = changed_of(self), *changed;
    if (!place)
        return (void)numbers_of(self), -1; /* which sets the error */
    changed = *place;
    self->entity = Py_NewRef(to_entity);
    *place = Py_NewRef(to_changed);
    Py_XDECREF(entity);
    Py_XDECREF(changed);
    return 0;
}

static PyObject *numbers_claim(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PySet_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "_claim takes an entity and a set");
        return NULL;
    }
    return belong(self, args[0], args[1]) < 0 ? NULL : Py_NewRef(Py_None);
}

int mark_entity(Numbers *self)
{
    PyObject **changed = changed_of(self);
    return changed && *changed && self->entity ? PySet_Add(*changed, self->entity) : 0;
}

static PyObject *numbers_entity(Numbers *self, void *closure)
{
    if (width_of(self) == 0) {
        PyErr_SetString(PyExc_AttributeError, "_entity");
        return NULL;
    }
    return Py_NewRef(self->entity ? self->entity : Py_None);
}

static PyObject *numbers_changed(Numbers *self, void *closure)
{
    PyObject **changed = changed_of(self);
    return Py_NewRef(changed && *changed ? *changed : Py_None);
}

static void numbers_dealloc(Numbers *self)
{
    if (self->column_ref == NULL)
        free_own(self);
    Py_CLEAR(self->column_ref);
    Py_CLEAR(self->entity);
    free_object((PyObject *)self);
}

static PyMethodDef numbers_methods[] = {
    {"_init_plain", (PyCFunction)(void (*)(void))numbers_init_plain, METH_FASTCALL, "Initialise with these numbers and return True, if they are plain floats or ints in range."},
    {"_init_numbers", (PyCFunction)(void (*)(void))numbers_init, METH_FASTCALL, "Initialise with these numbers."},
    {"_init_from", (PyCFunction)(void (*)(void))numbers_init_from, METH_FASTCALL, "Initialise as a copy of default values, except for some."},
    {"_values", (PyCFunction)numbers_values, METH_NOARGS, "Return the numbers as a list."},
    {"_is_sound", (PyCFunction)numbers_is_sound, METH_NOARGS, "Return True if all numbers are finite and not too large."},
    {"_store", (PyCFunction)(void (*)(void))numbers_store, METH_FASTCALL, "Write one number without a check."},
    {"_detach", (PyCFunction)numbers_detach, METH_NOARGS, "Copy the values of the row, and detach from the world."},
    {"_claim", (PyCFunction)(void (*)(void))numbers_claim, METH_FASTCALL, "Record the entity of a world to which the component belongs."},
    {NULL}};

static PyGetSetDef numbers_getset[] = {
    {"_entity", (getter)numbers_entity, NULL, "The entity that the component belongs to, or None."},
    {"_changed", (getter)numbers_changed, NULL, "The set for entities that change in more than numbers, or None."},
    {NULL}};

static PyMemberDef numbers_members[] = {
    {"_stands_in", T_BOOL, offsetof(Numbers, stands_in), 0, "True if it was added beside a component of a game's own."},
    {NULL}};

static PyType_Slot numbers_slots[] = {{Py_tp_doc, "Numbers of a component, its own or a row of a column."},
                                      {Py_tp_new, numbers_new},
                                      {Py_tp_dealloc, numbers_dealloc},
                                      {Py_tp_methods, numbers_methods},
                                      {Py_tp_getset, numbers_getset},
                                      {Py_tp_members, numbers_members},
                                      {0, NULL}};
static PyType_Spec numbers_spec = {"ecs_collide.native._native.Numbers", sizeof(Numbers), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, numbers_slots};

/* ---- Many at once ---- */

static int refer_to_row(Numbers *view, ColumnRef *column_ref, Py_ssize_t row)
{
    double *numbers = numbers_of(view);
    if (!numbers)
        return -1;
    if (width_of(view) != column_ref->width || row >= column_ref->rows) {
        PyErr_Format(PyExc_IndexError, "row %zd of %zd", row, column_ref->rows);
        return -1;
    }
    for (Py_ssize_t n = 0; n < column_ref->width; n++)
        column_ref->values[row * column_ref->width + n] = numbers[n];
    ColumnRef *before = view->column_ref;
    if (!before)
        free_own(view);
    view->column_ref = (ColumnRef *)Py_NewRef((PyObject *)column_ref);
    view->row = row;
    Py_XDECREF((PyObject *)before);
    return 0;
}

static int adopt_components(PyObject *columns, PyObject *components, Py_ssize_t row, PyObject *entity, PyObject *changed)
{
    for (Py_ssize_t n = 0; n < PyTuple_Size(columns); n++) {
        PyObject *column_ref = PyTuple_GetItem(columns, n), *view = PyTuple_GetItem(components, n);
        if (!view)
            return -1;
        if (view == Py_None)
            continue;
        if (!is_component(view) || (column_ref != Py_None && !PyObject_TypeCheck(column_ref, column_ref_type)))
            return PyErr_Occurred() ? -1 : (PyErr_SetString(PyExc_TypeError, "not a column"), -1);
        if ((column_ref != Py_None && row >= 0 && refer_to_row((Numbers *)view, (ColumnRef *)column_ref, row) < 0) ||
            belong((Numbers *)view, entity, changed) < 0)
            return -1;
    }
    return 0;
}

static PyObject *adopt(PyObject *module, PyObject *args)
{
    PyObject *columns, *components, *rows, *entities, *changed;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!:adopt", &PyTuple_Type, &columns, &PyList_Type, &components, &PyList_Type, &rows,
                          &PyList_Type, &entities, &PySet_Type, &changed))
        return NULL;
    Py_ssize_t count = PyList_Size(components);
    if (PyList_Size(rows) != count || PyList_Size(entities) != count) {
        PyErr_SetString(PyExc_ValueError, "adopt takes a row and an entity for each tuple of components");
        return NULL;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_ssize_t row = PyLong_AsSsize_t(PyList_GetItem(rows, k));
        if ((row == -1 && PyErr_Occurred()) ||
            adopt_components(columns, PyList_GetItem(components, k), row, PyList_GetItem(entities, k), changed) < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *detach(PyObject *module, PyObject *components)
{
    if (!PyList_Check(components))
        return PyErr_Format(PyExc_TypeError, "detach takes a list");
    for (Py_ssize_t k = 0; k < PyList_Size(components); k++) {
        PyObject *own = PyList_GetItem(components, k);
        for (Py_ssize_t n = 0; n < PyTuple_Size(own); n++) {
            PyObject *view = PyTuple_GetItem(own, n);
            if (view != Py_None && (!is_component(view) || leave_world((Numbers *)view) < 0))
                return NULL;
        }
        if (PyErr_Occurred())
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"adopt", adopt, METH_VARARGS, "Attach components to entities and rows, and copy their numbers to these."},
    {"detach", detach, METH_O, "Copy the values of rows to their components, and detach these from the world."},
    {NULL}};

/* ---- Registration ---- */

int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **kept)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return -1;
    if (kept)
        *kept = (PyTypeObject *)Py_NewRef(type);
    int failed = PyModule_AddObjectRef(module, name, type);
    Py_DECREF(type);
    return failed;
}

int add_component_numbers(PyObject *module)
{
    keywords_name = PyUnicode_InternFromString("_keywords");
    return !keywords_name || add_type(module, "ColumnRef", &column_ref_spec, &column_ref_type) < 0 ||
                   add_type(module, "Numbers", &numbers_spec, &numbers_type) < 0 ||
                   PyModule_AddFunctions(module, functions) < 0
               ? -1
               : 0;
}
