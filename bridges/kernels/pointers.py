"""Compiled kernels as numbers in a record, so that a call from Python hands over one array instead of ten functions.

Unpacking a function takes numba some 4 microseconds a call and function; a number costs nothing.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.experimental import function_type as first_class
from numba.extending import intrinsic

from simcore.kernel import COMPILER_OFF, function_type

#: Without the compiler a number is the place of a function in this list.
_FUNCTIONS: list[Any] = []


def addresses(function: Any, signature: Any) -> tuple[int, int]:
    """The two numbers (for calls that raise nothing, and that may) of ``function`` compiled for ``signature``."""
    if COMPILER_OFF:
        _FUNCTIONS.append(function)
        return len(_FUNCTIONS) - 1, 0
    return first_class._get_wrapper_address(function, signature), first_class._get_jit_address(function, signature)


def caller(signature: Any) -> Any:
    """A function for kernels: ``(plain, raising) -> kernel`` with ``signature`` from its two ``addresses``."""
    if COMPILER_OFF:
        return _listed
    kind = function_type(signature)

    @intrinsic
    def function_at(typingctx: Any, plain: Any, raising: Any) -> Any:
        """The function whose addresses are given."""

        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            made = cgutils.create_struct_proxy(kind)(context, builder)
            made.c_addr = builder.inttoptr(args[0], cgutils.voidptr_t)
            made.jit_addr = builder.inttoptr(args[1], cgutils.voidptr_t)
            return made._getvalue()

        return kind(types.int64, types.int64), codegen

    return function_at


def _listed(plain: int, raising: int) -> Any:
    return _FUNCTIONS[plain]
