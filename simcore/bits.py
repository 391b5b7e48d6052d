"""Sets of small numbers as the bits of an int64 (at most 63 of them, so the sign is never touched)."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore.kernel import COMPILER_OFF, kernel

if COMPILER_OFF:

    def popcount(mask: int) -> int:
        """How many bits of ``mask`` (int64, >= 0) are set."""
        return int(mask).bit_count()

    def lowest(mask: int) -> int:
        """Number of the lowest set bit of ``mask`` (int64, > 0)."""
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @intrinsic
    def popcount(typingctx: Any, mask: Any) -> Any:
        """How many bits of ``mask`` (int64, >= 0) are set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest(typingctx: Any, mask: Any) -> Any:
        """Number of the lowest set bit of ``mask`` (int64, > 0)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen


@kernel
def nth(mask: int, k: int) -> int:
    """Number of the ``k``-th set bit of ``mask``, counted from 0 (k < popcount(mask))."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)


@kernel
def index(number: int) -> np.uint64:
    """``number`` (>= 0) as an index: one that is known not to count from the end is looked up at once."""
    return np.uint64(number)
