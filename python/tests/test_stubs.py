"""The type stub of the part that is made of Rust has the names and parameters that the library has."""

import ast
import inspect
import pathlib

import pytest
from sinew import _sinew

STUB = ast.parse((pathlib.Path(__file__).resolve().parents[1] / "sinew" / "_sinew.pyi").read_text())


def parameters(function):
    """Names of the parameters of a function in the stub, without what it is called on."""
    names = [it.arg for it in function.args.posonlyargs + function.args.args]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def declared():
    """Functions of the stub by their names, `Model.save`; `None` for attributes."""
    found = {}
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = parameters(node)
        if isinstance(node, ast.ClassDef) and not node.name.endswith("Error"):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    is_property = any(getattr(it, "id", "") == "property" for it in member.decorator_list)
                    found[f"{node.name}.{member.name}"] = None if is_property else parameters(member)
    return found


def there():
    """The same of the library."""
    found = {}
    for name, item in vars(_sinew).items():
        if name.startswith("_") or isinstance(item, (bool, str)):
            continue
        if isinstance(item, type) and not issubclass(item, Exception):
            for member, value in vars(item).items():
                if member == "__new__":
                    found[f"{name}.{member}"] = None
                elif not member.startswith("_"):
                    found[f"{name}.{member}"] = signature(getattr(item, member))
        elif callable(item) and not isinstance(item, type):
            found[name] = signature(item)
    return found


def signature(item):
    if not callable(item):
        return None
    return [name for name in inspect.signature(item).parameters if name != "self"]


def test_the_stub_declares_what_there_is():
    stub, library = declared(), there()
    known = {name for name in stub if not name.endswith("__new__")}
    made = {name for name in library if not name.endswith("__new__")}
    if not _sinew.HAS_RENDER:
        known.discard("Simulation.render")
    assert known == made
    for name in known:
        assert stub[name] == library[name], name


@pytest.mark.parametrize("name", [node.name for node in STUB.body if isinstance(node, ast.ClassDef)])
def test_classes_of_the_stub_are_there(name):
    assert isinstance(getattr(_sinew, name), type)
