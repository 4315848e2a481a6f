/* The extension module `ecs_collide.native._native`: components as views on columns, fast reading of components, and fast
   making of contacts, guards, and fast reading of points. */

#include "native.h"

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_component_numbers},
                                   {Py_mod_exec, add_fields},
                                   {Py_mod_exec, add_attributes},
                                   {Py_mod_exec, add_read_components},
                                   {Py_mod_exec, add_make_contacts},
                                   {Py_mod_exec, add_guard},
                                   {Py_mod_exec, add_points},
                                   {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The parts of ecs_collide that are written in C.", 0, NULL, slots};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
