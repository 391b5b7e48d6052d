"""Writing runs of numbers eight at a time: legal lists are mostly copies of short stretches of tables.

A loop over a short run ends at an unforeseeable place, which costs a processor more than copying; a
block of eight is written whole, and what lies beyond the run is overwritten by the next one.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore.kernel import COMPILER_OFF, kernel

#: Numbers that one block writes: the room a target needs beyond the run, and a table beyond its end.
BLOCK = 8

if COMPILER_OFF:

    def write_block(target: Any, at: int, table: Any, start: int, shift: int, low: int, base: int) -> int:
        """Write ``base | (x >> low) << shift | x % 2**low`` for eight numbers x of ``table`` from ``start``.

        ``target``: int64 array, written at ``at`` to ``at + 7``; ``table``: array of any integers >= 0.
        """
        for k in range(BLOCK):
            value = int(table[start + k])
            target[at + k] = base | ((value >> low) << shift) | (value & ((1 << low) - 1))
        return 0

else:

    @intrinsic
    def write_block(
        typingctx: Any, target: Any, at: Any, table: Any, start: Any, shift: Any, low: Any, base: Any
    ) -> Any:
        """Write ``base | (x >> low) << shift | x % 2**low`` for eight numbers x of ``table`` from ``start``.

        ``target``: int64 array, written at ``at`` to ``at + 7``; ``table``: array of any integers >= 0.
        """
        word = types.int64
        signature = word(target, word, table, word, word, word, word)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to, at, source, start, shift, low, base = args
            wide = ir.VectorType(ir.IntType(64), BLOCK)
            narrow = ir.VectorType(context.get_data_type(signature.args[2].dtype), BLOCK)
            to_data = context.make_array(signature.args[0])(context, builder, to).data
            from_data = context.make_array(signature.args[2])(context, builder, source).data

            def splat(scalar: Any) -> Any:
                one = builder.insert_element(ir.Constant(wide, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
                lanes = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
                return builder.shuffle_vector(one, ir.Constant(wide, ir.Undefined), lanes)

            place = builder.bitcast(builder.gep(from_data, [start]), narrow.as_pointer())
            value = builder.load(place, align=1)
            if narrow.element.width < 64:
                value = builder.zext(value, wide)
            one = splat(ir.Constant(ir.IntType(64), 1))
            high = builder.shl(builder.lshr(value, splat(low)), splat(shift))
            rest = builder.and_(value, builder.sub(builder.shl(one, splat(low)), one))
            value = builder.or_(builder.or_(high, rest), splat(base))
            goal = builder.bitcast(builder.gep(to_data, [at]), wide.as_pointer())
            builder.store(value, goal, align=1)
            return ir.Constant(ir.IntType(64), 0)

        return signature, codegen


@kernel
def write_run(target, at, table, start, count, shift, low, base):
    """``write_block`` for a run of ``count`` numbers (blocks are written whole); returns ``at + count``.

    ``target`` needs room for up to BLOCK more, ``table`` up to BLOCK more numbers.
    """
    write_block(target, at, table, start, shift, low, base)
    done = BLOCK
    while done < count:
        write_block(target, at + done, table, start + done, shift, low, base)
        done += BLOCK
    return at + count
