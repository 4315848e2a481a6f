"""An extension of griffe: members that descriptors make appear in the reference as what they are for a reader.

A field of a component is an attribute with the type and the default of the argument of the constructor. A call that
`PhysicsWorld` hands on to one of its subsystems is a method, with the signature and the docstring of that one's method.
"""

from __future__ import annotations

from typing import Any

import griffe


class Members(griffe.Extension):
    """Change the members of classes."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give each field of a component the type and the default of the argument of the same name.

        A field without such an argument has the type of its annotation; one number without any is a float.
        """
        init = cls.members.get("__init__")
        arguments = {item.name: item for item in init.parameters} if isinstance(init, griffe.Function) else {}
        for name, member in cls.members.items():
            if not isinstance(member, griffe.Attribute) or not isinstance(member.value, griffe.ExprCall):
                continue
            if _method_behind(member) is not None:
                continue
            argument = arguments.get(name)
            inner = member.annotation.slice if isinstance(member.annotation, griffe.ExprSubscript) else None
            if argument is not None:
                member.annotation, member.value = argument.annotation, argument.default
            elif inner is not None:
                member.annotation, member.value = inner, None
            else:
                if member.annotation is None and str(member.value.function) == "Field":
                    member.annotation = griffe.ExprName("float")
                member.value = None
            member.labels.clear()

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        """Replace each call that is handed on by the method that answers it."""
        pkg["algorithms.polygon_manifold"].docstring = None  # the reference shows its function of the same name
        world = pkg["api.world.PhysicsWorld"]
        for name, member in list(world.members.items()):
            path = _method_behind(member)
            if path is not None:
                world.set_member(name, griffe.Alias(name, loader.modules_collection[path], parent=world))


def _method_behind(member: griffe.Object | griffe.Alias) -> str | None:
    """Return the path of the method to which a call is handed on, None for other members."""
    value = member.value if isinstance(member, griffe.Attribute) else None
    if not isinstance(value, griffe.ExprCall) or str(value.function) != "Delegated":
        return None
    method = value.arguments[1]
    return method.canonical_path if isinstance(method, griffe.Expr) else None
