"""Messages in plain form: objects with field names, for people and for other languages.

On the wire a message is an array; in plain form it is an object whose fields have their names, and
whose `type` says which message it is wherever there are several. Each class on the wire has a twin
that is written as an object; what is plain is checked against the twins, so an unknown field, a
missing one or a wrong kind of value is an error that names its path.
"""

import types
import typing
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct

T = TypeVar("T", bound=Struct)

TAG: Final = "type"
"""The field that names a message where there are several."""


class PlainError(ValueError):
    """A plain object is not what it should be; the message names the path."""


def to_plain(message: Struct) -> dict[str, Any]:
    """The message as an object of JSON: every field by its name, defaults too."""
    plain: dict[str, Any] = _plain(message)
    return plain


def from_plain(plain: object, kind: type[T]) -> T:
    """The message that a plain object stands for: the exact inverse of `to_plain`."""
    try:
        found = msgspec.convert(plain, twin(kind))
    except msgspec.ValidationError as error:
        raise PlainError(str(error)) from error
    message: T = _original(found)
    return message


def as_written(message: Any, plain: Any) -> Any:  # noqa: ANN401 - a message or anything in one
    """The arrays that a message was written as, when it had the fields that its plain form has.

    Fields are only ever added at the end, so a message of an older release is a shorter array. Its
    plain form tells how long it was.
    """
    if isinstance(message, Struct):
        tag = message.__struct_config__.tag
        fields = (name for name in message.__struct_fields__ if name in plain)
        values = [as_written(getattr(message, name), plain[name]) for name in fields]
        return values if tag is None else [tag, *values]
    if isinstance(message, tuple):
        return [as_written(part, one) for part, one in zip(message, plain, strict=True)]
    if isinstance(message, dict):
        return {key: as_written(part, plain[str(key)]) for key, part in message.items()}
    return message


def as_read(plain: Any, message: Any, arrays: Any) -> Any:  # noqa: ANN401 - as above
    """The plain form of a message with those fields only that its arrays had, as they were read.

    A message of an older release is a shorter array; `as_written` makes the same of it again.
    """
    if isinstance(message, Struct):
        tag = message.__struct_config__.tag
        values = arrays if tag is None else arrays[1:]
        kept = {} if tag is None else {message.__struct_config__.tag_field or TAG: tag}
        for name, one in zip(message.__struct_fields__, values, strict=False):
            kept[name] = as_read(plain[name], getattr(message, name), one)
        return kept
    if isinstance(message, tuple):
        parts = zip(plain, message, arrays, strict=True)
        return [as_read(part, one, array) for part, one, array in parts]
    if isinstance(message, dict):
        return {key: as_read(plain[key], part, arrays[key]) for key, part in message.items()}
    return plain


def plain_type(kind: Any) -> Any:  # noqa: ANN401 - a type of any shape, as annotations are
    """A type with each message in it replaced by its twin: the type of the plain form."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return twin(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return typing.Union[tuple(plain_type(part) for part in arguments)]  # noqa: UP007
    if origin is tuple:
        return tuple.__class_getitem__(
            tuple(part if part is Ellipsis else plain_type(part) for part in arguments)
        )
    if origin is dict:
        return dict[arguments[0], plain_type(arguments[1])]  # type: ignore[misc, valid-type]
    return kind


@cache
def twin(kind: type[Struct]) -> type[Struct]:
    """The class that is written as an object where `kind` is written as an array."""
    hints = typing.get_type_hints(kind)
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        hint = plain_type(hints[field.name])
        if not field.required:
            default = _default(field)
            fields.append((field.name, hint, msgspec.field(default_factory=default)))
        else:
            fields.append((field.name, hint))
    tag = kind.__struct_config__.tag
    made: type[Struct] = msgspec.defstruct(
        kind.__name__,
        fields,
        namespace={"__doc__": kind.__doc__},
        module=kind.__module__,
        frozen=True,
        forbid_unknown_fields=True,
        tag=tag,
        tag_field=None if tag is None else kind.__struct_config__.tag_field or TAG,
    )
    _ORIGINALS[made] = kind
    return made


_ORIGINALS: Final[dict[type[Struct], type[Struct]]] = {}


def _default(field: msgspec.structs.FieldInfo) -> Any:  # noqa: ANN401 - any default
    if field.default_factory is not NODEFAULT:
        return field.default_factory
    value = _twin_of(field.default)
    return lambda: value


def _twin_of(value: Any) -> Any:  # noqa: ANN401 - a message or anything in one
    """A default value with each message in it replaced by its twin."""
    if isinstance(value, Struct):
        kind = type(value)
        return twin(kind)(*(_twin_of(getattr(value, name)) for name in kind.__struct_fields__))
    return value


def _plain(value: Any) -> Any:  # noqa: ANN401 - a message or anything in one
    """Messages as objects, tuples as lists, all else as it is."""
    if isinstance(value, Struct):
        config = value.__struct_config__
        plain = {} if config.tag is None else {config.tag_field or TAG: config.tag}
        for name in value.__struct_fields__:
            plain[name] = _plain(getattr(value, name))
        return plain
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value


def _original(value: Any) -> Any:  # noqa: ANN401 - a twin or anything in one
    """Twins as the messages they stand for, all else as it is."""
    if isinstance(value, Struct):
        kind = _ORIGINALS[type(value)]
        return kind(*(_original(getattr(value, name)) for name in kind.__struct_fields__))
    if isinstance(value, tuple):
        return tuple([_original(part) for part in value])
    if isinstance(value, dict):
        return {key: _original(part) for key, part in value.items()}
    return value
