/* Components as views on columns: what cells.py says in Python, in C. That file is the specification.

   A view looks at its own numbers, or, once a world has adopted it, at a row of a column. When a column grows, only its
   one Cells is told. Who writes a number marks the row: a byte, and an entry in a list of rows. */

#include "_cells.h"
#include <string.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    Py_ssize_t offset, count;
    double lowest, largest, standard_value;
    PyObject *check, *standard, *wrap, *slot, *name;
    int is_item; /* at `offset` of the tuple in `slot` */
} Descriptor; /* of a Field, of Fields, of a Part or of an Item */

static PyTypeObject *cells_type, *numbers_type;
static PyObject *check_finite, *checked_name;

/* ---- Cells ---- */

static void let_go(Cells *self)
{
    if (self->is_looking)
        for (int k = 0; k < 4; k++)
            PyBuffer_Release(&self->held[k]);
    self->is_looking = 0;
    self->rows = 0;
}

static PyObject *cells_look_at(Cells *self, PyObject *args)
{
    PyObject *arrays[4];
    if (!PyArg_ParseTuple(args, "OOOO:look_at", &arrays[0], &arrays[1], &arrays[2], &arrays[3]))
        return NULL;
    let_go(self);
    for (int k = 0; k < 4; k++)
        if (PyObject_GetBuffer(arrays[k], &self->held[k], PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
            while (k-- > 0)
                PyBuffer_Release(&self->held[k]);
            return NULL;
        }
    self->is_looking = 1;
    self->values = self->held[0].buf;
    self->marks = self->held[1].buf;
    self->marked = self->held[2].buf;
    self->count = self->held[3].buf;
    self->rows = self->held[0].len / (Py_ssize_t)sizeof(double) / self->width;
    if (self->held[1].len < self->rows || self->held[2].len < self->rows * 8 || self->held[3].len != 8) {
        let_go(self);
        PyErr_SetString(PyExc_ValueError, "marks must have room for all rows");
        return NULL;
    }
    Py_RETURN_NONE;
}

static int cells_init(Cells *self, PyObject *args, PyObject *kwargs)
{
    if (!PyArg_ParseTuple(args, "n:Cells", &self->width))
        return -1;
    if (self->width < 1 || self->width > WIDEST) {
        PyErr_SetString(PyExc_ValueError, "width must lie between 1 and 4");
        return -1;
    }
    return 0;
}

static void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static void cells_dealloc(Cells *self)
{
    let_go(self);
    free_object((PyObject *)self);
}

static PyMethodDef cells_methods[] = {
    {"look_at", (PyCFunction)cells_look_at, METH_VARARGS, "Look at other arrays from now on."},
    {NULL}};

static PyMemberDef cells_members[] = {{"width", T_PYSSIZET, offsetof(Cells, width), READONLY}, {NULL}};

static PyType_Slot cells_slots[] = {{Py_tp_doc, "A column of numbers that views look at."},
                                    {Py_tp_new, PyType_GenericNew},
                                    {Py_tp_init, cells_init},
                                    {Py_tp_dealloc, cells_dealloc},
                                    {Py_tp_methods, cells_methods},
                                    {Py_tp_members, cells_members},
                                    {0, NULL}};
static PyType_Spec cells_spec = {"ecs_collide.data._cells.Cells", sizeof(Cells), 0, Py_TPFLAGS_DEFAULT, cells_slots};

/* ---- Numbers ---- */

/* Where a view's numbers are; NULL with an error where it has none. */
static double *numbers_of(Numbers *self)
{
    double *numbers = present_numbers(self);
    if (numbers == NULL && self->width == 0)
        PyErr_SetString(PyExc_AttributeError, "the component has no numbers yet: __init__ was not called");
    else if (numbers == NULL)
        PyErr_SetString(PyExc_IndexError, "the component's row is not there any more");
    return numbers;
}

static void mark(Numbers *self)
{
    Cells *cells = self->cells;
    if (cells != NULL && !cells->marks[self->row]) {
        cells->marks[self->row] = 1;
        cells->marked[(*cells->count)++] = self->row;
    }
}

/* Whether a value is a float or an int within limits: what a check would make of it is known then. */
static int is_plain(PyObject *value, double lowest, double largest, double *number)
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

static int numbers_check(PyObject *view)
{
    if (PyObject_TypeCheck(view, numbers_type))
        return 1;
    PyErr_SetString(PyExc_TypeError, "not a component");
    return 0;
}

static PyObject *numbers_take(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    double numbers[WIDEST];
    if (count < 1 || count > WIDEST)
        return PyErr_Format(PyExc_TypeError, "one to four numbers, got %zd", count);
    for (Py_ssize_t k = 0; k < count; k++)
        if (!is_plain(args[k], -PLAIN, PLAIN, &numbers[k]))
            Py_RETURN_FALSE;
    Py_CLEAR(self->cells);
    Py_CLEAR(self->entity);
    Py_CLEAR(self->changed);
    self->width = (int)count;
    self->stands_in = 0;
    for (Py_ssize_t k = 0; k < count; k++)
        self->own[k] = numbers[k] + 0.0; /* -0.0 becomes 0.0 */
    Py_RETURN_TRUE;
}

static PyObject *numbers_hold(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    double numbers[WIDEST];
    if (count < 1 || count > WIDEST)
        return PyErr_Format(PyExc_TypeError, "one to four numbers, got %zd", count);
    for (Py_ssize_t k = 0; k < count; k++) {
        numbers[k] = PyFloat_AsDouble(args[k]);
        if (numbers[k] == -1.0 && PyErr_Occurred())
            return NULL;
    }
    Py_CLEAR(self->cells);
    Py_CLEAR(self->entity);
    Py_CLEAR(self->changed);
    self->width = (int)count;
    self->stands_in = 0;
    for (Py_ssize_t k = 0; k < count; k++)
        self->own[k] = numbers[k];
    Py_RETURN_NONE;
}

/* Begin as a `Standard` says, and write those of the given values that are others than its own. */
static PyObject *numbers_start_as(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    if (count < 1 || !PyTuple_Check(args[0]) || PyTuple_Size(args[0]) != 4)
        return PyErr_Format(PyExc_TypeError, "_start_as takes a Standard and values");
    PyObject *standard = args[0], *view = PyTuple_GetItem(standard, 0), *names = PyTuple_GetItem(standard, 1),
             *usual = PyTuple_GetItem(standard, 2);
    Py_ssize_t slots = PyLong_AsSsize_t(PyTuple_GetItem(standard, 3));
    if (!numbers_check(view) || !PyObject_TypeCheck((PyObject *)self, Py_TYPE(view)) || PyTuple_Size(names) != count - 1 ||
        PyTuple_Size(usual) != count - 1)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a value for each name of the Standard");
    const Numbers *from = (Numbers *)view;
    Py_CLEAR(self->cells);
    Py_CLEAR(self->entity);
    Py_CLEAR(self->changed);
    self->width = from->width;
    self->stands_in = 0;
    memcpy(self->own, from->own, sizeof self->own);
    PyObject **to_slot = (PyObject **)(self + 1), *const *from_slot = (PyObject *const *)(from + 1);
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
    PyObject *list = numbers ? PyList_New(self->width) : NULL;
    for (Py_ssize_t k = 0; list && k < self->width; k++)
        PyList_SetItem(list, k, PyFloat_FromDouble(numbers[k]));
    return list;
}

static PyObject *numbers_is_sound(Numbers *self, PyObject *ignored)
{
    return numbers_of(self) ? PyBool_FromLong(are_sound(self)) : NULL;
}

static int let_go_of_world(Numbers *self)
{
    double *numbers = numbers_of(self);
    if (!numbers)
        return -1;
    for (Py_ssize_t k = 0; k < self->width; k++)
        self->own[k] = numbers[k];
    Py_CLEAR(self->cells);
    Py_CLEAR(self->entity);
    Py_CLEAR(self->changed);
    return 0;
}

static PyObject *numbers_detach(Numbers *self, PyObject *ignored)
{
    return let_go_of_world(self) < 0 ? NULL : Py_NewRef(Py_None);
}

static void belong(Numbers *self, PyObject *to_entity, PyObject *to_changed)
{
    PyObject *entity = self->entity, *changed = self->changed;
    self->entity = Py_NewRef(to_entity);
    self->changed = Py_NewRef(to_changed);
    Py_XDECREF(entity);
    Py_XDECREF(changed);
}

static PyObject *numbers_claim(Numbers *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PySet_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "_claim takes an entity and a set");
        return NULL;
    }
    belong(self, args[0], args[1]);
    Py_RETURN_NONE;
}

static int restructured(Numbers *self)
{
    return self->changed && self->entity ? PySet_Add(self->changed, self->entity) : 0;
}

static PyObject *numbers_entity(Numbers *self, void *closure)
{
    if (self->width == 0) {
        PyErr_SetString(PyExc_AttributeError, "_entity");
        return NULL;
    }
    return Py_NewRef(self->entity ? self->entity : Py_None);
}

static void numbers_dealloc(Numbers *self)
{
    Py_CLEAR(self->cells);
    Py_CLEAR(self->entity);
    Py_CLEAR(self->changed);
    free_object((PyObject *)self);
}

static PyMethodDef numbers_methods[] = {
    {"_take", (PyCFunction)(void (*)(void))numbers_take, METH_FASTCALL, "Begin with these numbers, if they are plain."},
    {"_hold", (PyCFunction)(void (*)(void))numbers_hold, METH_FASTCALL, "Begin with these numbers."},
    {"_start_as", (PyCFunction)(void (*)(void))numbers_start_as, METH_FASTCALL, "Begin as another, but for some values."},
    {"_values", (PyCFunction)numbers_values, METH_NOARGS, "The numbers, wherever they are."},
    {"_is_sound", (PyCFunction)numbers_is_sound, METH_NOARGS, "Whether no number is too large, or none."},
    {"_detach", (PyCFunction)numbers_detach, METH_NOARGS, "Take the last values along and let go of the world."},
    {"_claim", (PyCFunction)(void (*)(void))numbers_claim, METH_FASTCALL, "Belong to an entity of a world."},
    {NULL}};

static PyGetSetDef numbers_getset[] = {{"_entity", (getter)numbers_entity, NULL, "Who holds the component."}, {NULL}};

static PyMemberDef numbers_members[] = {
    {"_stands_in", T_BOOL, offsetof(Numbers, stands_in), 0, "Whether it was added beside a component of a game's own."},
    {NULL}};

static PyType_Slot numbers_slots[] = {{Py_tp_doc, "Numbers of a component, its own or a row of a column."},
                                      {Py_tp_new, PyType_GenericNew},
                                      {Py_tp_dealloc, numbers_dealloc},
                                      {Py_tp_methods, numbers_methods},
                                      {Py_tp_getset, numbers_getset},
                                      {Py_tp_members, numbers_members},
                                      {0, NULL}};
static PyType_Spec numbers_spec = {"ecs_collide.data._cells.Numbers", sizeof(Numbers), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, numbers_slots};

/* ---- Many at once ---- */

static int look_at_row(Numbers *view, Cells *cells, Py_ssize_t row)
{
    double *numbers = numbers_of(view);
    if (!numbers)
        return -1;
    if (view->width != cells->width || row >= cells->rows) {
        PyErr_Format(PyExc_IndexError, "row %zd of %zd", row, cells->rows);
        return -1;
    }
    for (Py_ssize_t n = 0; n < cells->width; n++)
        cells->values[row * cells->width + n] = numbers[n];
    Cells *before = view->cells;
    view->cells = (Cells *)Py_NewRef((PyObject *)cells);
    view->row = row;
    Py_XDECREF((PyObject *)before);
    return 0;
}

static int adopt_parts(PyObject *columns, PyObject *parts, Py_ssize_t row, PyObject *entity, PyObject *changed)
{
    for (Py_ssize_t n = 0; n < PyTuple_Size(columns); n++) {
        PyObject *cells = PyTuple_GetItem(columns, n), *view = PyTuple_GetItem(parts, n);
        if (!view)
            return -1;
        if (view == Py_None)
            continue;
        if (!numbers_check(view) || !PyObject_TypeCheck(cells, cells_type))
            return PyErr_Occurred() ? -1 : (PyErr_SetString(PyExc_TypeError, "not a column"), -1);
        if (row >= 0 && look_at_row((Numbers *)view, (Cells *)cells, row) < 0)
            return -1;
        belong((Numbers *)view, entity, changed);
    }
    return 0;
}

static PyObject *adopt(PyObject *module, PyObject *args)
{
    PyObject *columns, *parts, *rows, *entities, *changed;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!:adopt", &PyTuple_Type, &columns, &PyList_Type, &parts, &PyList_Type, &rows,
                          &PyList_Type, &entities, &PySet_Type, &changed))
        return NULL;
    Py_ssize_t count = PyList_Size(parts);
    if (PyList_Size(rows) != count || PyList_Size(entities) != count) {
        PyErr_SetString(PyExc_ValueError, "a row and an entity for each");
        return NULL;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_ssize_t row = PyLong_AsSsize_t(PyList_GetItem(rows, k));
        if ((row == -1 && PyErr_Occurred()) ||
            adopt_parts(columns, PyList_GetItem(parts, k), row, PyList_GetItem(entities, k), changed) < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *detach(PyObject *module, PyObject *parts)
{
    if (!PyList_Check(parts))
        return PyErr_Format(PyExc_TypeError, "detach takes a list");
    for (Py_ssize_t k = 0; k < PyList_Size(parts); k++) {
        PyObject *own = PyList_GetItem(parts, k);
        for (Py_ssize_t n = 0; n < PyTuple_Size(own); n++) {
            PyObject *view = PyTuple_GetItem(own, n);
            if (view != Py_None && (!numbers_check(view) || let_go_of_world((Numbers *)view) < 0))
                return NULL;
        }
        if (PyErr_Occurred())
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef module_functions[] = {
    {"adopt", adopt, METH_VARARGS, "Let components belong to entities and look at rows, and bring their numbers there."},
    {"detach", detach, METH_O, "Let components take their last values along and let go of the world."},
    {NULL}};

/* ---- Descriptors ---- */

/* A value as a check accepts it. Only where it does not, Python is asked again, for an error that says whose it is. */
static PyObject *described(Descriptor *self, PyObject *view, PyObject *value, PyObject *check)
{
    PyObject *accepted = PyObject_CallFunctionObjArgs(check, value, self->name ? self->name : Py_None, NULL);
    if (accepted || !(PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError)))
        return accepted;
    PyErr_Clear();
    return PyObject_CallMethodObjArgs(view, checked_name, check, value, self->name ? self->name : Py_None, NULL);
}

static double *place(Descriptor *self, PyObject *view)
{
    if (!numbers_check(view))
        return NULL;
    double *numbers = numbers_of((Numbers *)view);
    if (numbers && self->offset + self->count > ((Numbers *)view)->width) {
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

/* A number that is not plain: as its check accepts it, with an error that names it. */
static int checked_number(Descriptor *self, PyObject *view, PyObject *value, double *number)
{
    PyObject *accepted = described(self, view, value, self->check);
    if (!accepted)
        return -1;
    *number = PyFloat_AsDouble(accepted);
    if (*number == -1.0 && PyErr_Occurred()) {
        Py_DECREF(accepted);
        return -1;
    }
    if (!(fabs(*number) <= LARGEST)) {
        PyObject *refused = described(self, view, accepted, check_finite);
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
    if (!numbers_check(view))
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
    mark((Numbers *)view);
    return 0;
}

static int fields_set(Descriptor *self, PyObject *view, PyObject *value)
{
    double numbers[WIDEST];
    if (value == NULL || !self->check) {
        PyErr_SetString(PyExc_AttributeError, "cannot be written");
        return -1;
    }
    if (!numbers_check(view))
        return -1;
    int plain = PyTuple_CheckExact(value) && PyTuple_Size(value) == self->count;
    for (Py_ssize_t k = 0; plain && k < self->count; k++)
        plain = is_plain(PyTuple_GetItem(value, k), -LARGEST, LARGEST, &numbers[k]);
    if (!plain) {
        PyObject *accepted = described(self, view, value, self->check);
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
    mark((Numbers *)view);
    return 0;
}

static PyObject *part_get(Descriptor *self, PyObject *view, PyObject *type)
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

/* Put a value in place of an item of the tuple in a slot, which other views may share. */
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

static int part_set(Descriptor *self, PyObject *view, PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "a component's values cannot be deleted");
        return -1;
    }
    if (!numbers_check(view))
        return -1;
    int is_standard = 0;
    for (Py_ssize_t k = 0; k < PyTuple_Size(self->standard); k++)
        is_standard |= value == PyTuple_GetItem(self->standard, k);
    PyObject *accepted = is_standard ? Py_NewRef(value) : described(self, view, value, self->check);
    if (!accepted)
        return -1;
    int failed = self->is_item ? keep_item(self, view, accepted) < 0 : PyObject_SetAttr(view, self->slot, accepted) < 0;
    failed = failed || restructured((Numbers *)view) < 0;
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
    if (!self->is_item) {
        Py_CLEAR(self->slot);
        self->slot = PyUnicode_FromFormat("_%U", name);
    }
    return self->slot ? Py_NewRef(Py_None) : NULL;
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
    if (self->count < 2 || self->count > WIDEST) {
        PyErr_SetString(PyExc_ValueError, "Fields are two to four numbers");
        return -1;
    }
    self->check = given(check);
    return 0;
}

/* What a Part is given, from number `first` on: a check and what is taken as it is. */
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

static int part_init(Descriptor *self, PyObject *args, PyObject *kwargs)
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
    free_object((PyObject *)self);
}

static PyMethodDef descriptor_methods[] = {{"__set_name__", (PyCFunction)set_name, METH_VARARGS, NULL}, {NULL}};

#define DESCRIPTOR(name, kind, get, set, doc)                                                                          \
    static PyType_Slot name##_slots[] = {{Py_tp_doc, doc},                                                             \
                                         {Py_tp_new, PyType_GenericNew},                                               \
                                         {Py_tp_init, name##_init},                                                    \
                                         {Py_tp_dealloc, descriptor_dealloc},                                          \
                                         {Py_tp_descr_get, get},                                                       \
                                         {Py_tp_descr_set, set},                                                       \
                                         {Py_tp_methods, descriptor_methods},                                          \
                                         {0, NULL}};                                                                   \
    static PyType_Spec name##_spec = {"ecs_collide.data._cells." kind, sizeof(Descriptor), 0, Py_TPFLAGS_DEFAULT,   \
                                      name##_slots};

DESCRIPTOR(field, "Field", field_get, field_set, "One number of a component.")
DESCRIPTOR(fields, "Fields", field_get, fields_set, "Several numbers of a component as a tuple.")
DESCRIPTOR(part, "Part", part_get, part_set, "A value of a component that makes its body another one.")
DESCRIPTOR(item, "Item", part_get, part_set, "The same, in a tuple that components which begin alike share.")

/* ---- The module ---- */

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **kept)
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

static int fill(PyObject *module)
{
    PyObject *validate = PyImport_ImportModule("ecs_collide.validate");
    check_finite = validate ? PyObject_GetAttrString(validate, "finite") : NULL;
    Py_XDECREF(validate);
    checked_name = PyUnicode_InternFromString("_checked");
    if (!check_finite || !checked_name)
        return -1;
    return add_type(module, "Cells", &cells_spec, &cells_type) || add_type(module, "Numbers", &numbers_spec, &numbers_type) ||
                   add_type(module, "Field", &field_spec, NULL) || add_type(module, "Fields", &fields_spec, NULL) ||
                   add_type(module, "Part", &part_spec, NULL) || add_type(module, "Item", &item_spec, NULL)
               ? -1
               : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_cells", "Components as views on columns.", 0, module_functions,
                                    module_slots};

PyMODINIT_FUNC PyInit__cells(void)
{
    return PyModuleDef_Init(&module);
}
