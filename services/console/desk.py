"""What commands of the console ask of a store: tables as they stand, views, and answers to orders."""

from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar
from uuid import uuid4

from contracts import streams
from contracts.commands import AnyCommand, Order
from contracts.ids import CommandId, FrameId, PlayerId, TableId
from contracts.records import Record, Sealed
from contracts.views import AnyView
from services.bus.client import Client
from services.console.errors import BadInputError
from services.engine.projections import api
from services.engine.table.fold import table_at, tables
from services.engine.table.state import Table, new_table
