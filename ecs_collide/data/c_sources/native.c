/* The extension module `ecs_collide.data._native`: components as views on columns, fast reading of components, and fast
   making of contacts. */

#include "native.h"

static int fill(PyObject *module)
{
    int failed = add_component_numbers(module) < 0 || add_fields(module) < 0 || add_attributes(module) < 0 ||
                 add_read_components(module) < 0 || add_make_contacts(module) < 0;
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Components as views on columns.", 0, NULL, slots};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
