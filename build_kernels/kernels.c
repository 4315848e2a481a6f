/* The extension module `ecs_collide._kernels`: checks the arguments of a kernel, and calls it.

   The table of kernels is generated (`table.py`): name, types of arguments and results, and machine code for each
   instruction set. The types are a word of letters, see `ecs_collide/kernels/signature.py`:

       q d ?      an int, a float, a bool
       2d         a C-contiguous array that may be written, of so many axes; items q d ? i (int32)
       r2d        such an array, or a read-only one
       B!         the bundle whose class is number '!' - '!' in the table of classes
       t2q1d      a tuple of so many ('0' + 2) of these

   A kernel is called with words of 8 bytes: a number is one, a bundle the address of its native form, an array its
   address and its shape. It writes its results as words, and returns 0.
*/

#define Py_LIMITED_API 0x030b0000
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef _MSC_VER
#include <intrin.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

#define MOST_WORDS 256
#define MOST_RESULTS 16
#define MOST_LATE 16
#define MOST_FIELDS 64
#define MOST_AXES 4
#define CACHE_LINE 64 /* [bytes] */

typedef union {
    int64_t integer;
    double real;
    void *address;
} Word;

typedef int (*Code)(const Word *, Word *);

typedef struct {
    const char *name;
    const char *takes;
    const char *returns;
    int argument_count;
    Code code[4];
} Kernel;

#include "table.h"

static PyTypeObject *bundle_types[CLASS_COUNT + 1];
static int level;  /* number of the instruction set */

/* ---- arguments */

typedef struct {
    int word;           /* number of the argument's first word */
    int64_t item_size;  /* of a slice; 0 for a number */
    char *array;        /* of a slice */
    const int64_t *start, *stop;  /* of a slice; of a number, start is where it is */
} Late;

typedef struct {
    int count;
    Late late[MOST_LATE];
} LateArguments;

typedef struct {
    const Kernel *kernel;
    Py_ssize_t place;    /* of the argument, for errors */
    const char *letter;  /* the next one */
    Word *word;          /* the next one */
    Word *words;         /* the first one */
    LateArguments *late; /* arguments that are read at each call of a list; NULL in a plain call */
} Reader;

static int refuse(const Reader *reader, const char *wanted, PyObject *value)
{
    PyErr_Format(PyExc_TypeError, "%s: argument %zd must be %s, got %R of type %R", reader->kernel->name,
                 reader->place + 1, wanted, value, (PyObject *)Py_TYPE(value));
    return -1;
}

static const char *item_name(char letter)
{
    return letter == 'd' ? "float64" : letter == 'q' ? "int64" : letter == 'i' ? "int32" : "bool";
}

static int read_array(Reader *reader, PyObject *value)
{
    int needed = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;
    const char *start = reader->letter;
    if (*reader->letter == 'r') {
        needed &= ~NPY_ARRAY_WRITEABLE;
        reader->letter++;
    }
    int axes = *reader->letter++ - '0';
    char item = *reader->letter++;
    if (PyArray_Check(value)) {
        PyArrayObject *array = (PyArrayObject *)value;
        PyArray_Descr *kind = PyArray_DESCR(array);
        char letter = kind->kind;
        npy_intp size = PyArray_ITEMSIZE(array);
        int fits = item == 'd'   ? letter == 'f' && size == 8
                   : item == '?' ? letter == 'b'
                   : item == 'q' ? letter == 'i' && size == 8
                                 : letter == 'i' && size == 4;
        if (fits && PyArray_NDIM(array) == axes && (PyArray_FLAGS(array) & needed) == needed && kind->byteorder != '>') {
            reader->word++->address = PyArray_DATA(array);
            for (int axis = 0; axis < axes; axis++)
                reader->word++->integer = PyArray_DIM(array, axis);
            return 0;
        }
    }
    char wanted[120];
    PyOS_snprintf(wanted, sizeof wanted, "a C-contiguous%s array of %s with %d %s", *start == 'r' ? "" : " writable",
                  item_name(item), axes, axes == 1 ? "axis" : "axes");
    return refuse(reader, wanted, value);
}

/* Return 1 if a type is the class of this number, by its full name. The result is cached: classes live as long as the
   module. */
static int is_class(PyTypeObject *type, int number)
{
    PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
    PyObject *name = PyType_GetQualName(type);
    PyObject *full = module && name ? PyUnicode_FromFormat("%U.%U", module, name) : NULL;
    int same = full && PyUnicode_CompareWithASCIIString(full, class_names[number]) == 0;
    PyErr_Clear();
    Py_XDECREF(module);
    Py_XDECREF(name);
    Py_XDECREF(full);
    if (same) {
        Py_INCREF((PyObject *)type);
        bundle_types[number] = type;
    }
    return same;
}

static int read_bundle(Reader *reader, PyObject *value)
{
    int number = reader->letter[1] - '!';
    reader->letter += 2;
    if (Py_TYPE(value) != bundle_types[number] && !is_class(Py_TYPE(value), number))
        return refuse(reader, class_names[number], value);
    PyObject *native = PyTuple_GetItem(value, 0);
    reader->word->address = native ? PyBytes_AsString(native) : NULL;
    return reader->word++->address ? 0 : -1;
}

static int read_value(Reader *reader, PyObject *value);

static int read_tuple(Reader *reader, PyObject *value)
{
    int size = reader->letter[1] - '0';
    reader->letter += 2;
    if (!PyTuple_Check(value) || PyTuple_Size(value) != size) {
        char wanted[40];
        PyOS_snprintf(wanted, sizeof wanted, "a tuple of %d", size);
        return refuse(reader, wanted, value);
    }
    for (int k = 0; k < size; k++)
        if (read_value(reader, PyTuple_GetItem(value, k)) < 0)
            return -1;
    return 0;
}

/* Return the address of an array's numbers, int64 ('i') or float64 ('f'); NULL with an error for other types. */
static void *numbers_of(PyObject *value, char kind)
{
    PyArrayObject *array = (PyArrayObject *)value;
    if (value && PyArray_Check(value) && PyArray_DESCR(array)->kind == kind && PyArray_ITEMSIZE(array) == 8 &&
        PyArray_NDIM(array) == 1 && PyArray_SIZE(array) > 0 && PyArray_IS_C_CONTIGUOUS(array))
        return PyArray_DATA(array);
    PyErr_SetString(PyExc_TypeError, "a list of calls reads and writes arrays of int64 or float64 with one axis");
    return NULL;
}

/* Read a `LiveNumber` for a number, or a `LiveSlice` for an array of one axis; both are read again at each call. */
static int read_late(Reader *reader, PyObject *value)
{
    char kind = *reader->letter == 'd' ? 'f' : 'i';
    int is_slice = kind == 'i' && *reader->letter != 'q';
    if (PyTuple_Size(value) != (is_slice ? 4 : 1) || reader->late->count == MOST_LATE)
        return refuse(reader, is_slice ? "an array or a LiveSlice" : "a number or a LiveNumber", value);
    Late *late = &reader->late->late[reader->late->count++];
    late->word = (int)(reader->word - reader->words);
    late->item_size = is_slice ? 8 : 0;
    if (!is_slice) {
        reader->letter++;
        reader->word++;
        late->start = numbers_of(PyTuple_GetItem(value, 0), kind);
        return late->start ? 0 : -1;
    }
    if (read_array(reader, PyTuple_GetItem(value, 0)) < 0)
        return -1;
    PyObject *start = PyTuple_GetItem(value, 1), *stop = PyTuple_GetItem(value, 2);
    Py_ssize_t place = PyLong_AsSsize_t(PyTuple_GetItem(value, 3));
    late->array = numbers_of(PyTuple_GetItem(value, 0), 'i');
    late->start = numbers_of(start, 'i');
    late->stop = numbers_of(stop, 'i');
    if (PyErr_Occurred() || !late->array || !late->start || !late->stop)
        return -1;
    if (place < 0 || place >= PyArray_SIZE((PyArrayObject *)start) || place >= PyArray_SIZE((PyArrayObject *)stop))
        return PyErr_SetString(PyExc_IndexError, "a slice lies outside its bounds"), -1;
    late->start += place;
    late->stop += place;
    return 0;
}

static int read_value(Reader *reader, PyObject *value)
{
    if (reader->late && PyTuple_Check(value) && *reader->letter != 'B' && *reader->letter != 't')
        return read_late(reader, value);
    switch (*reader->letter) {
    case 'd':
        reader->letter++;
        reader->word->real = PyFloat_AsDouble(value);
        return reader->word++->real == -1.0 && PyErr_Occurred() ? -1 : 0;
    case 'q':
        reader->letter++;
        if (PyFloat_Check(value))
            return refuse(reader, "an int", value);
        reader->word->integer = PyLong_AsLongLong(value);
        return reader->word++->integer == -1 && PyErr_Occurred() ? -1 : 0;
    case '?':
        reader->letter++;
        reader->word->integer = PyObject_IsTrue(value);
        return reader->word++->integer < 0 ? -1 : 0;
    case 'B':
        return read_bundle(reader, value);
    case 't':
        return read_tuple(reader, value);
    default:
        return read_array(reader, value);
    }
}

/* ---- results */

static PyObject *result_of(const char **letter, const Word **word)
{
    char kind = *(*letter)++;
    if (kind == 'd')
        return PyFloat_FromDouble((*word)++->real);
    if (kind == 'q')
        return PyLong_FromLongLong((*word)++->integer);
    if (kind == '?')
        return PyBool_FromLong((*word)++->integer != 0);
    Py_ssize_t size = *(*letter)++ - '0';
    PyObject *result = PyTuple_New(size);
    for (Py_ssize_t k = 0; result && k < size; k++) {
        PyObject *item = result_of(letter, word);
        if (!item || PyTuple_SetItem(result, k, item) < 0)
            Py_CLEAR(result);
    }
    return result;
}

/* ---- calls */

/* The clock of Python's perf_counter. */
static double seconds(void)
{
#if defined(_WIN32)
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
#elif defined(__APPLE__)
    return 1e-9 * (double)clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

/* Time above which other threads may run Python code during a kernel or a slice of a list, if its last run took longer
   [s]. Python's lock is kept otherwise: to get it back from a busy thread takes up to 5 ms. */
static const double longest_alone = 1e-3;

static double last_run[sizeof kernels / sizeof *kernels]; /* of each kernel [s] */

/* Set the error of a kernel that returned a code other than 0. Kernels raise nothing but the errors of index checks. */
static PyObject *set_failure(const Kernel *kernel, int code)
{
    return PyErr_Format(PyExc_RuntimeError, "%s failed with code %d: an index is out of range", kernel->name, code);
}

static PyObject *call(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    const Kernel *kernel = PyCapsule_GetPointer(self, NULL);
    Word words[MOST_WORDS], results[MOST_RESULTS];
    Reader reader = {kernel, 0, kernel->takes, words, words, NULL};
    if (count != kernel->argument_count) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, got %zd", kernel->name, kernel->argument_count, count);
        return NULL;
    }
    for (; reader.place < count; reader.place++)
        if (read_value(&reader, args[reader.place]) < 0)
            return NULL;
    double *last = &last_run[kernel - kernels];
    PyThreadState *released = *last > longest_alone ? PyEval_SaveThread() : NULL;
    double begun = seconds();
    int failed = kernel->code[level](words, results);
    *last = seconds() - begun;
    if (released)
        PyEval_RestoreThread(released);
    if (failed) {
        set_failure(kernel, failed);
        return NULL;
    }
    if (!*kernel->returns)
        Py_RETURN_NONE;
    const char *letter = kernel->returns;
    const Word *word = results;
    return result_of(&letter, &word);
}

/* ---- lists of calls: kernels one after the other, with arguments that were read once (see `kernels/calls.py`) */

typedef struct {
    Code code;
    Word *words, *results;
    int64_t most;
    double *begun_at, *done_at; /* [s] */
    int result_count;
    LateArguments late;
    const Kernel *kernel;
} PreparedCall;

typedef struct {
    PyObject *calls; /* keeps alive the arrays that the words point at */
    PyObject *at, *times;
    int64_t *point; /* the number in `at` */
    int count;
    double last_run; /* of a slice [s] */
    PreparedCall prepared[];
} CallList;

static void free_list(PyObject *capsule)
{
    CallList *list = PyCapsule_GetPointer(capsule, NULL);
    for (int k = 0; k < list->count; k++)
        free(list->prepared[k].words);
    Py_DECREF(list->calls);
    Py_DECREF(list->at);
    Py_XDECREF(list->times);
    free(list);
}

/* Read the late arguments into the words; return 0 if a slice is empty. */
static int read_late_arguments(PreparedCall *prepared)
{
    for (int k = 0; k < prepared->late.count; k++) {
        const Late *late = &prepared->late.late[k];
        Word *word = &prepared->words[late->word];
        if (late->item_size == 0) {
            word->integer = *late->start;
            continue;
        }
        word[0].address = late->array + *late->start * late->item_size;
        word[1].integer = *late->stop - *late->start;
        if (word[1].integer <= 0)
            return 0;
    }
    return 1;
}

/* Make a call; return 1 if it reported, 0 if not, and write its error code. */
static int make_call(PreparedCall *prepared, int *failed)
{
    Word unwanted[MOST_RESULTS];
    Word *results = prepared->results ? prepared->results : unwanted;
    int has_items = read_late_arguments(prepared);
    if (has_items)
        *failed = prepared->code(prepared->words, results);
    else
        for (int k = 0; k < prepared->result_count; k++)
            results[k].integer = 0;
    if (prepared->done_at)
        *prepared->done_at = seconds();
    return !*failed && has_items && prepared->result_count && results[0].integer > prepared->most;
}

/* Make the calls from `first` to before `stop`, if the list is at `first`. `at` is written before Python can handle a
   signal. */
static PyObject *run_list(PyObject *self, PyObject *const *args, Py_ssize_t arg_count)
{
    CallList *list = PyCapsule_GetPointer(self, NULL);
    if (arg_count != 2)
        return PyErr_Format(PyExc_TypeError, "a list of calls takes the first call and the one to stop at");
    long first = PyLong_AsLong(args[0]), stop = PyLong_AsLong(args[1]);
    if (PyErr_Occurred())
        return NULL;
    if (first < 0 || stop > list->count || first >= stop)
        return PyErr_Format(PyExc_ValueError, "there are no calls from %ld to %ld in a list of %d", first, stop, list->count);
    if (*list->point != first)
        return PyLong_FromLong(-1);
    int k = (int)first, failed = 0, has_reported = 0;
    PyThreadState *released = list->last_run > longest_alone ? PyEval_SaveThread() : NULL;
    double begun = seconds();
    if (list->prepared[first].begun_at)
        *list->prepared[first].begun_at = begun;
    for (; k < stop; k++) {
        has_reported = make_call(&list->prepared[k], &failed);
        if (has_reported || failed)
            break;
    }
    const double *ended = k == stop ? list->prepared[stop - 1].done_at : NULL;
    list->last_run = (ended ? *ended : seconds()) - begun;
    if (released)
        PyEval_RestoreThread(released);
    *list->point = failed ? 0 : has_reported ? ~(int64_t)k : k == list->count ? 0 : k;
    if (failed)
        return set_failure(list->prepared[k].kernel, failed);
    return PyLong_FromLong(k);
}

static PyMethodDef list_entry = {"run", (PyCFunction)(void (*)(void))run_list, METH_FASTCALL, NULL};

/* Read the arguments of a call, once for all its runs. */
static int prepare_call(PreparedCall *prepared, PyObject *call)
{
    PyObject *function, *args, *results, *most;
    if (!PyArg_ParseTuple(call, "OO!OO", &function, &PyTuple_Type, &args, &results, &most))
        return -1;
    PyObject *self = PyCFunction_Check(function) ? PyCFunction_GetSelf(function) : NULL;
    prepared->kernel = self && PyCapsule_CheckExact(self) ? PyCapsule_GetPointer(self, NULL) : NULL;
    if (!prepared->kernel || PyTuple_Size(args) != prepared->kernel->argument_count) {
        PyErr_SetString(PyExc_TypeError, "a call is a kernel, with as many arguments as it takes");
        return -1;
    }
    prepared->code = prepared->kernel->code[level];
    Word words[MOST_WORDS];
    Reader reader = {prepared->kernel, 0, prepared->kernel->takes, words, words, &prepared->late};
    for (; reader.place < prepared->kernel->argument_count; reader.place++)
        if (read_value(&reader, PyTuple_GetItem(args, reader.place)) < 0)
            return -1;
    size_t size = (size_t)(reader.word - words) * sizeof(Word);
    prepared->words = malloc(size + sizeof(Word));
    if (!prepared->words)
        return PyErr_NoMemory(), -1;
    memcpy(prepared->words, words, size);
    prepared->most = INT64_MAX;
    if (most != Py_None && (prepared->most = PyLong_AsLongLong(most)) == -1 && PyErr_Occurred())
        return -1;
    if (results != Py_None && !(prepared->results = numbers_of(results, 'i')))
        return -1;
    prepared->result_count = (int)strlen(prepared->kernel->returns) - (*prepared->kernel->returns == 't' ? 2 : 0);
    if (prepared->results && PyArray_SIZE((PyArrayObject *)results) < prepared->result_count) {
        PyErr_SetString(PyExc_ValueError, "there must be room for all results of a call");
        return -1;
    }
    return 0;
}

/* Have the first and the last call of each part write the part's times [s], the rows of an array (parts, 2). */
static int time_parts(CallList *list, PyObject *begins, PyArrayObject *times)
{
    Py_ssize_t parts = PyTuple_Size(begins);
    if (PyArray_TYPE(times) != NPY_FLOAT64 || !PyArray_IS_C_CONTIGUOUS(times) || PyArray_SIZE(times) < 2 * parts) {
        PyErr_SetString(PyExc_TypeError, "the times of a list are a C-contiguous array of float64 (parts, 2)");
        return -1;
    }
    double *time = PyArray_DATA(times);
    long stop = list->count;
    for (Py_ssize_t part = parts; part-- > 0;) {
        long first = PyLong_AsLong(PyTuple_GetItem(begins, part));
        if (first < 0 || first > stop) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "the parts of a list begin at calls of the list, in order");
            return -1;
        }
        if (first < stop) {
            list->prepared[first].begun_at = time + 2 * part;
            list->prepared[stop - 1].done_at = time + 2 * part + 1;
        }
        stop = first;
    }
    list->times = Py_NewRef((PyObject *)times);
    return 0;
}

static PyObject *make_call_list(PyObject *module, PyObject *args)
{
    PyObject *calls, *at, *begins, *times;
    if (!PyArg_ParseTuple(args, "O!OO!O!:call_list", &PyTuple_Type, &calls, &at, &PyTuple_Type, &begins, &PyArray_Type,
                          &times))
        return NULL;
    int64_t *point = numbers_of(at, 'i');
    if (!point)
        return NULL;
    Py_ssize_t count = PyTuple_Size(calls);
    CallList *list = calloc(1, sizeof(CallList) + (size_t)count * sizeof(PreparedCall));
    if (!list)
        return PyErr_NoMemory();
    list->calls = Py_NewRef(calls);
    list->at = Py_NewRef(at);
    list->point = point;
    list->count = (int)count;
    PyObject *self = PyCapsule_New(list, NULL, free_list);
    if (!self) {
        Py_DECREF(calls);
        Py_DECREF(at);
        free(list);
        return NULL;
    }
    PyObject *function = NULL;
    for (Py_ssize_t k = 0; k < count; k++)
        if (prepare_call(&list->prepared[k], PyTuple_GetItem(calls, k)) < 0)
            goto done;
    if (time_parts(list, begins, (PyArrayObject *)times) < 0)
        goto done;
    function = PyCFunction_NewEx(&list_entry, self, NULL);
done:
    Py_DECREF(self);
    return function;
}

/* ---- bundles (see `kernels/bundle.py`) */

/* Return the words of an array, a bundle or a number in its native form; write them to `to` unless that is NULL.
   -1 for any other value. */
static Py_ssize_t words_of(PyObject *value, Word *to)
{
    if (PyArray_Check(value)) {
        PyArrayObject *array = (PyArrayObject *)value;
        int axes = PyArray_NDIM(array);
        if (to) {
            to[0].integer = to[1].integer = 0;
            to[2].integer = PyArray_SIZE(array);
            to[3].integer = PyArray_ITEMSIZE(array);
            to[4].integer = (int64_t)(uintptr_t)PyArray_DATA(array); /* a whole word, also where addresses have 32 bits */
            for (int axis = 0; axis < axes; axis++) {
                to[5 + axis].integer = PyArray_DIM(array, axis);
                to[5 + axes + axis].integer = PyArray_STRIDE(array, axis);
            }
        }
        return 5 + 2 * axes;
    }
    if (PyTuple_Check(value) && PyTuple_Size(value) > 0 && PyBytes_Check(PyTuple_GetItem(value, 0))) {
        PyObject *native = PyTuple_GetItem(value, 0);
        if (to)
            memcpy(to, PyBytes_AsString(native), (size_t)PyBytes_Size(native));
        return PyBytes_Size(native) / (Py_ssize_t)sizeof(Word);
    }
    if (PyLong_Check(value)) {
        if (to)
            to->integer = PyLong_AsLongLong(value);
        return 1;
    }
    if (PyFloat_Check(value)) {
        if (to)
            to->real = PyFloat_AsDouble(value);
        return 1;
    }
    return -1;
}

/* Return 1 if a value is an array whose axes after the first one have these lengths, or if there are none. */
static int has_lengths(PyObject *value, PyObject *lengths)
{
    Py_ssize_t count = PyTuple_Size(lengths);
    if (count == 0)
        return 1;
    if (!PyArray_Check(value) || PyArray_NDIM((PyArrayObject *)value) != count + 1)
        return 0;
    for (Py_ssize_t axis = 0; axis < count; axis++)
        if (PyArray_DIM((PyArrayObject *)value, (int)axis + 1) != PyLong_AsSsize_t(PyTuple_GetItem(lengths, axis)))
            return 0;
    return 1;
}

/* Return the native form of the fields of a class; NULL with an error for a value that kernels cannot read. */
static PyObject *native_form(PyObject *cls, PyObject *names, PyObject *lengths, PyObject *const *fields,
                             Py_ssize_t count)
{
    Py_ssize_t size = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_ssize_t words = words_of(fields[k], NULL);
        if (words < 0)
            return PyErr_Format(PyExc_TypeError, "%R: %S must be an array, an int, a float or a bundle, got %R", cls,
                                PyTuple_GetItem(names, k), fields[k]);
        PyObject *declared = PyTuple_GetItem(lengths, k);
        if (!has_lengths(fields[k], declared))
            return PyErr_Format(PyExc_TypeError, "%R: %S must be an array with rows of %R, got %R", cls,
                                PyTuple_GetItem(names, k), declared, fields[k]);
        size += words;
    }
    PyObject *form = PyBytes_FromStringAndSize(NULL, size * (Py_ssize_t)sizeof(Word));
    if (!form)
        return NULL;
    Word *word = (Word *)PyBytes_AsString(form);
    for (Py_ssize_t k = 0; k < count; k++)
        word += words_of(fields[k], word);
    if (PyErr_Occurred()) {  /* an int of more than 64 bits */
        Py_DECREF(form);
        return NULL;
    }
    return form;
}

/* Return a bundle: a tuple of the given class with the native form of its fields, and the fields. These are the items of
   `args`, and values in the dict `named`; the arrays have the `lengths` that the class declares. */
static PyObject *new_bundle(PyObject *module, PyObject *given)
{
    PyObject *cls, *names, *lengths, *args, *named, *fields[MOST_FIELDS], *items = NULL, *bundle = NULL;
    if (!PyArg_ParseTuple(given, "O!O!O!O!O!:new_bundle", &PyType_Type, &cls, &PyTuple_Type, &names, &PyTuple_Type,
                          &lengths, &PyTuple_Type, &args, &PyDict_Type, &named))
        return NULL;
    Py_ssize_t count = PyTuple_Size(names), placed = PyTuple_Size(args);
    if (placed + PyDict_Size(named) != count || count > MOST_FIELDS)
        return PyErr_Format(PyExc_TypeError, "%R has the fields %R, got %zd and %R", cls, names, placed, named);
    for (Py_ssize_t k = 0; k < count; k++) {
        fields[k] = k < placed ? PyTuple_GetItem(args, k) : PyDict_GetItemWithError(named, PyTuple_GetItem(names, k));
        if (!fields[k])
            return PyErr_Format(PyExc_TypeError, "%R needs the field %R", cls, PyTuple_GetItem(names, k));
    }
    PyObject *form = native_form(cls, names, lengths, fields, count);
    if (form && (items = PyTuple_New(count + 1)) != NULL) {
        PyTuple_SetItem(items, 0, Py_NewRef(form));
        for (Py_ssize_t k = 0; k < count; k++)
            PyTuple_SetItem(items, k + 1, Py_NewRef(fields[k]));
        PyObject *only = PyTuple_Pack(1, items);
        newfunc new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
        bundle = only ? new_tuple((PyTypeObject *)cls, only, NULL) : NULL;
        Py_XDECREF(only);
    }
    Py_XDECREF(form);
    Py_XDECREF(items);
    return bundle;
}

/* ---- arrays (see `kernels/simd.py`) */

#ifdef __linux__

#define LARGE (1 << 17) /* bytes from which zeros get pages of their own */
#define HUGE (1 << 22)  /* bytes from which these may be huge, as in numpy's own arrays */
#define PAGE_LINES 64   /* cache lines of a page */

static void free_pages(PyObject *capsule)
{
    munmap(PyCapsule_GetPointer(capsule, NULL), (size_t)PyCapsule_GetContext(capsule));
}

/* Return the owner of new pages, and their address. A page that is never written takes no memory, and freed pages go
   back to the system. In the heap of glibc both hold only until the first array of such a size is freed. The arrays
   begin on different lines of their pages. Else the numbers of a body would compete for one place of the cache. */
static PyObject *new_pages(npy_intp size, char **first)
{
    static npy_intp made;
    npy_intp offset = made++ * 5 % PAGE_LINES * CACHE_LINE;
    size += PAGE_LINES * CACHE_LINE;
    void *pages = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return PyErr_NoMemory();
    PyObject *capsule = PyCapsule_New(pages, NULL, NULL);
    if (!capsule || PyCapsule_SetContext(capsule, (void *)size) < 0 || PyCapsule_SetDestructor(capsule, free_pages) < 0) {
        Py_XDECREF(capsule);
        munmap(pages, (size_t)size);
        return NULL;
    }
    if (size >= HUGE)
        madvise(pages, (size_t)size, MADV_HUGEPAGE);
    *first = (char *)pages + offset;
    return capsule;
}

#endif

/* Return the owner of zeroed memory, and an address on a cache line in it. */
static PyObject *new_zeros(npy_intp size, char **first)
{
#ifdef __linux__
    if (size >= LARGE)
        return new_pages(size, first);
#endif
    size += CACHE_LINE;
    PyObject *bytes = PyArray_ZEROS(1, &size, NPY_UINT8, 0);
    if (bytes) {
        *first = PyArray_BYTES((PyArrayObject *)bytes);
        *first += -(uintptr_t)*first % CACHE_LINE;
    }
    return bytes;
}

/* Read a shape of whole numbers; return the number of items, or -1 with an error. */
static npy_intp read_shape(PyObject *given, npy_intp *shape)
{
    npy_intp count = 1;
    if (PyTuple_Size(given) > MOST_AXES)
        return PyErr_Format(PyExc_ValueError, "a lane array has up to %d axes", MOST_AXES), -1;
    for (Py_ssize_t axis = 0; axis < PyTuple_Size(given); axis++) {
        shape[axis] = PyLong_AsSsize_t(PyTuple_GetItem(given, axis));
        if (PyErr_Occurred())
            return -1;
        count *= shape[axis];
    }
    return count;
}

/* Return zeros that begin on a cache line. */
static PyObject *lane_array(PyObject *module, PyObject *args)
{
    PyObject *given;
    PyArray_Descr *kind = NULL;
    npy_intp shape[MOST_AXES];
    if (!PyArg_ParseTuple(args, "O!|O&:lane_array", &PyTuple_Type, &given, PyArray_DescrConverter, &kind))
        return NULL;
    if (!kind)
        kind = PyArray_DescrFromType(NPY_FLOAT64);
    char *first;
    npy_intp count = read_shape(given, shape);
    PyObject *array = NULL, *owner = PyErr_Occurred() ? NULL : new_zeros(count * PyDataType_ELSIZE(kind), &first);
    if (owner) {
        Py_INCREF((PyObject *)kind); /* which the next function takes */
        array = PyArray_NewFromDescr(&PyArray_Type, kind, (int)PyTuple_Size(given), shape, NULL, first, NPY_ARRAY_CARRAY,
                                     NULL);
        if (!array)
            Py_DECREF(owner);
        else if (PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0)
            Py_CLEAR(array);
    }
    Py_DECREF((PyObject *)kind);
    return array;
}

/* ---- points of shapes (see `shapes/points.py`) */

/* Return an item of a list or tuple, borrowed, or NULL with an error. */
static PyObject *item_of(PyObject *sequence, Py_ssize_t k)
{
    if (PyTuple_Check(sequence))
        return PyTuple_GetItem(sequence, k);
    return PyList_Check(sequence) ? PyList_GetItem(sequence, k) : PyErr_Format(PyExc_TypeError, "not a list or tuple");
}

/* Write the points of an outline to `numbers`, which has room for `count`. Return -1 with an error. */
static int write_points(PyObject *outline, Py_ssize_t count, double *numbers)
{
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *pair = item_of(outline, k);
        for (Py_ssize_t axis = 0; axis < 2; axis++) {
            PyObject *number = pair ? item_of(pair, axis) : NULL;
            numbers[2 * k + axis] = number ? PyFloat_AsDouble(number) : 0.0;
        }
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

static PyObject *flat_points(PyObject *module, PyObject *outlines)
{
    npy_intp shape[2] = {0, 2};
    Py_ssize_t count = PySequence_Size(outlines), size = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *outline = item_of(outlines, k);
        if (!outline || (size = PySequence_Size(outline)) < 0)
            return NULL;
        shape[0] += size;
    }
    PyObject *array = count < 0 ? NULL : PyArray_ZEROS(2, shape, NPY_FLOAT64, 0);
    double *numbers = array ? PyArray_DATA((PyArrayObject *)array) : NULL;
    for (Py_ssize_t k = 0, left = shape[0]; array && k < count; k++) {
        PyObject *outline = item_of(outlines, k);
        size = outline ? PySequence_Size(outline) : 0;
        if (size > left)
            PyErr_SetString(PyExc_ValueError, "the outlines changed");
        if (!outline || size > left || write_points(outline, size, numbers) < 0)
            Py_CLEAR(array);
        numbers += 2 * size;
        left -= size;
    }
    return array;
}

static PyMethodDef functions[] = {
    {"call_list", make_call_list, METH_VARARGS, "Return a function that makes calls one after the other."},
    {"new_bundle", new_bundle, METH_VARARGS, "Return a bundle of a class with these fields."},
    {"lane_array", lane_array, METH_VARARGS, "Return zeros that begin on a cache line."},
    {"flat_points", flat_points, METH_O, "Return the points of all outlines, one after the other (n, 2)."},
    {NULL}};

/* ---- the module */

#if defined(__x86_64__) || defined(_M_X64)

enum { EAX, EBX, ECX, EDX };

static unsigned feature(unsigned leaf, int part, int bit)
{
    unsigned parts[4] = {0, 0, 0, 0};
#ifdef _MSC_VER
    __cpuidex((int *)parts, (int)leaf, 0);
#else
    __get_cpuid_count(leaf, 0, &parts[EAX], &parts[EBX], &parts[ECX], &parts[EDX]);
#endif
    return parts[part] >> bit & 1;
}

/* The registers that the operating system keeps when it switches threads. */
static unsigned kept_registers(void)
{
#ifdef _MSC_VER
    return (unsigned)_xgetbv(0);
#else
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
#endif
}

static int supports(const char *name)
{
    if (strcmp(name, "x86-64") == 0)
        return 1;
    unsigned kept = feature(1, ECX, 27) ? kept_registers() : 0;
    unsigned v3 = (kept & 0x6) == 0x6 && feature(1, ECX, 12) && feature(1, ECX, 22) && feature(1, ECX, 23) && /* FMA, MOVBE, POPCNT */
                  feature(1, ECX, 28) && feature(1, ECX, 29) && feature(0x80000001, ECX, 5) &&              /* AVX, F16C, LZCNT */
                  feature(7, EBX, 3) && feature(7, EBX, 5) && feature(7, EBX, 8);                           /* BMI, AVX2, BMI2 */
    unsigned v4 = v3 && (kept & 0xe6) == 0xe6 && feature(7, EBX, 16) && feature(7, EBX, 17) &&              /* AVX-512 F, DQ */
                  feature(7, EBX, 28) && feature(7, EBX, 30) && feature(7, EBX, 31);                        /* CD, BW, VL */
    return strcmp(name, "x86-64-v3") == 0 ? v3 : strcmp(name, "x86-64-v4") == 0 && v4;
}

#else

static int supports(const char *name)
{
    return strcmp(name, "generic") == 0;
}

#endif

static PyObject *supported_cpus(void)
{
    PyObject *names = PyUnicode_FromString("");
    for (int k = 0; names && k < LEVEL_COUNT; k++)
        if (supports(level_names[k])) {
            PyObject *longer = PyUnicode_FromFormat("%U %s", names, level_names[k]);
            Py_DECREF(names);
            names = longer;
        }
    return names;
}

/* Return the best instruction set of this machine, or the requested one; -1 if there is none. */
static int chosen_level(const char *requested)
{
    for (int k = LEVEL_COUNT - 1; k >= 0; k--)
        if (supports(level_names[k]) && (!requested || !*requested || strcmp(requested, level_names[k]) == 0))
            return k;
    return -1;
}

static void refuse_level(const char *requested)
{
    PyObject *cpus = supported_cpus();
    if (cpus)
        PyErr_Format(PyExc_ValueError, "ECS_COLLIDE_CPU is %s, which this machine or build does not have. Use one of:%U",
                     requested, cpus);
    Py_XDECREF(cpus);
}

static PyMethodDef entry = {"kernel", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernels", "The kernels of ecs_collide as machine code.", -1, functions, NULL, NULL, NULL, NULL};

static int fill(PyObject *module)
{
    const char *requested = getenv("ECS_COLLIDE_CPU");
    level = chosen_level(requested);
    if (level < 0 && requested && *requested)
        return refuse_level(requested), -1;
    if (level < 0) {
        PyErr_Format(PyExc_ImportError, "it was built for %s and better, which this CPU is not", level_names[0]);
        return -1;
    }
    PyObject *table = PyDict_New();
    if (!table)
        return -1;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        PyObject *self = PyCapsule_New((void *)&kernels[k], NULL, NULL);
        PyObject *function = self ? PyCFunction_NewEx(&entry, self, NULL) : NULL;
        Py_XDECREF(self);
        if (!function || PyDict_SetItemString(table, kernels[k].name, function) < 0) {
            Py_XDECREF(function);
            Py_DECREF(table);
            return -1;
        }
        Py_DECREF(function);
    }
    PyObject *cpus = supported_cpus();
    int status = cpus ? PyModule_AddObjectRef(module, "KERNELS", table) : -1;
    status = status < 0 ? -1 : PyModule_AddObjectRef(module, "CPUS", cpus);
    Py_DECREF(table);
    Py_XDECREF(cpus);
    return status < 0 || PyModule_AddStringConstant(module, "INSTRUCTION_SET", level_names[level]) < 0 ||
                   PyModule_AddStringConstant(module, "SOURCES", SOURCES) < 0
               ? -1
               : 0;
}

PyMODINIT_FUNC PyInit__kernels(void)
{
    import_array();
    PyObject *module = PyModule_Create(&definition);
    if (module && fill(module) < 0)
        Py_CLEAR(module);
    return module;
}

/* ---- functions of C that numba's code calls under other names */

#include <math.h>

double numba_frexp(double x, int *exponent) { return frexp(x, exponent); }
double numba_ldexp(double x, int exponent) { return ldexp(x, exponent); }
