"""Numbers that an agent keeps between decisions: float64 arrays made in Python, read and written by address.

Only for what is a pure function of its place (a table filled on demand): then neither the order of games
nor the number of threads can change an answer.
"""

from __future__ import annotations

import ctypes
from typing import Any

from numba import types
from numba.extending import intrinsic

from simcore.kernel import COMPILER_OFF

if COMPILER_OFF:

    def peek(address: int, k: int) -> float:
        """The ``k``-th float64 of the array at ``address``."""
        return ctypes.c_double.from_address(int(address) + 8 * int(k)).value

    def poke(address: int, k: int, number: float) -> None:
        """Store ``number`` as the ``k``-th float64 of the array at ``address``."""
        ctypes.c_double.from_address(int(address) + 8 * int(k)).value = number

else:

    def _cell(context: Any, builder: Any, address: Any, k: Any) -> Any:
        """Pointer to the ``k``-th float64."""
        base = builder.inttoptr(address, context.get_value_type(types.float64).as_pointer())
        return builder.gep(base, [k])

    @intrinsic
    def peek(typingctx: Any, address: Any, k: Any) -> Any:
        """The ``k``-th float64 of the array at ``address``."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_cell(context, builder, args[0], args[1]))

        return types.float64(types.int64, types.int64), codegen

    @intrinsic
    def poke(typingctx: Any, address: Any, k: Any, number: Any) -> Any:
        """Store ``number`` as the ``k``-th float64 of the array at ``address``."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], _cell(context, builder, args[0], args[1]))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.float64), codegen
