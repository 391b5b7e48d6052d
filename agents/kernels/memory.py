"""Memory of an agent's own, reached by address: numbers, records and kernels, made in Python and used in kernels.

A compiled agent gets one number for its own use (``params.pool``): the address of an array that ``prepare``
allocated.  From there it reads float64 numbers (``peek``, ``poke``), records (``record_reader``) and other
kernels (``function_reader``), without any array object that would be counted by reference.

What is kept between decisions must be a pure function of its place (a table filled on demand): then neither the
order of games nor the number of threads can change an answer.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simcore.kernel import COMPILER_OFF, function_type, record_type

if COMPILER_OFF:

    def peek(address: int, k: int) -> float:
        """The ``k``-th float64 of the array at ``address``."""
        return ctypes.c_double.from_address(int(address) + 8 * int(k)).value

    def poke(address: int, k: int, number: float) -> None:
        """Store ``number`` as the ``k``-th float64 of the array at ``address``."""
        ctypes.c_double.from_address(int(address) + 8 * int(k)).value = number

    def record_reader(dtype: np.dtype) -> Any:
        """A function ``(address, k)``: the ``k``-th record of the array of ``dtype`` at ``address``."""

        def read(address: int, k: int) -> Any:
            start = int(address) + dtype.itemsize * int(k)
            there: Any = (ctypes.c_char * dtype.itemsize).from_address(start)
            return np.ndarray(1, dtype, there)[0]

        return read

    def is_equal(one: Any, other: Any) -> bool:
        """Whether two records of one dtype hold the same bytes."""
        return bool(one.tobytes() == other.tobytes())

    _FUNCTIONS: dict[int, Any] = {}

    def address_of(function: Any, signature: Any) -> int:
        """A number from which ``function_reader`` finds ``function``."""
        _FUNCTIONS[id(function)] = function
        return id(function)

    def function_reader(signature: Any) -> Any:
        """A function ``(address)``: the function of ``signature`` at ``address``."""
        return lambda address: _FUNCTIONS[int(address)]

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

    def record_reader(dtype: np.dtype) -> Any:
        """A kernel ``(address, k)``: the ``k``-th record of the array of ``dtype`` at ``address``."""
        kind = record_type(dtype)

        @intrinsic
        def read(typingctx: Any, address: Any, k: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                # A record is passed as the pointer to its bytes.
                offset = builder.mul(args[1], context.get_constant(types.int64, dtype.itemsize))
                return builder.inttoptr(builder.add(args[0], offset), context.get_value_type(kind))

            return kind(types.int64, types.int64), codegen

        return read

    @intrinsic
    def is_equal(typingctx: Any, one: Any, other: Any) -> Any:
        """Whether two records of one dtype hold the same bytes (their size a multiple of 8)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.get_value_type(types.int64)
            first, second = (builder.bitcast(one, word.as_pointer()) for one in args)
            differs = cgutils.alloca_once_value(builder, context.get_constant(types.int64, 0))
            words = context.get_constant(types.intp, signature.args[0].size // 8)
            with cgutils.for_range(builder, words) as loop:
                pair = [builder.load(builder.gep(pointer, [loop.index])) for pointer in (first, second)]
                builder.store(builder.or_(builder.load(differs), builder.xor(*pair)), differs)
            return builder.icmp_unsigned("==", builder.load(differs), context.get_constant(types.int64, 0))

        return types.boolean(one, other), codegen

    def address_of(function: Any, signature: Any) -> int:
        """Address of ``function``, a kernel compiled for ``signature``, whose owner must keep it alive."""
        made = function.get_compile_result(signature)
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))

    def function_reader(signature: Any) -> Any:
        """A kernel ``(address)``: the kernel of ``signature`` at ``address``, ready to be called."""
        kind = function_type(signature)

        @intrinsic
        def read(typingctx: Any, address: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                # The three addresses of numba's own function values; calls use the first that is not null.
                value = cgutils.create_struct_proxy(kind)(context, builder)
                null = context.get_constant_null(types.voidptr)
                value.c_addr = null
                value.py_addr = null
                value.jit_addr = builder.inttoptr(args[0], context.get_value_type(types.voidptr))
                return value._getvalue()

            return kind(types.int64), codegen

        return read
