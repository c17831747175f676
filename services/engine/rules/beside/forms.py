"""What may stand in a field that a choice leaves open: the same checks that decide about it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from contracts.choices import OpenForm
from contracts.rejections import Rejection
from services.engine.rules.beside import orders, people, programmes

Check = Callable[[Any, OpenForm], Rejection | None]
"""What is wrong with a value."""

CHECKS: Final[Mapping[str, Check]] = {
    "person": lambda value, _form: people.person_objection(value),
    "leave": lambda value, form: orders.leave_objection(value, form.most or 0),
    "hours": lambda value, _form: orders.hours_objection(value),
    "amount": lambda value, _form: programmes.most_objection(value),
}
"""The check of each form of `contracts.choices.FORMS`."""


def fits(form: OpenForm, value: Any) -> bool:  # noqa: ANN401 - any field's value
    """Whether a value may stand in an open field."""
    return value is not None and CHECKS[form.form](value, form) is None
