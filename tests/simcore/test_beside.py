"""Processes that compile at the same time: nothing twice, nobody stuck, whoever dies."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from simcore import alone, kernel
from tests.simcore.test_kernel import ROOT

pytestmark = pytest.mark.skipif(kernel.COMPILER_OFF or not alone.CAN_WAIT, reason="nothing is compiled or waited for")

KERNELS = """
from simcore.kernel import kernel

@kernel
def leaf(x):
    total = 0
    for k in range(x):
        total += k % 3
    return total

@kernel
def left(x):
    return leaf(x) + 1

@kernel
def right(x):
    return leaf(x) + 2

@kernel
def both(x):
    return left(x) * right(x)

@kernel
def caller(a, b, c):
    return leaf(a) + leaf(b) + leaf(c) + leaf(7) + leaf(a > b)
"""

MISSES = "print(sum(sum(k.stats.cache_misses.values()) for k in (leaf, left, right, both)))"


@pytest.fixture
def start(tmp_path):
    """Start Python code that knows the module ``four`` with its own empty cache."""
    (tmp_path / "four.py").write_text(KERNELS)
    environment = {
        **os.environ,
        "SOUNDCHECK_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }

    def run(code):
        head = "from four import *\nimport os, signal, sys, time\nfrom simcore import alone, beside, kernel\n"
        head += "from numba import types\n"
        return subprocess.Popen(
            [sys.executable, "-c", head + textwrap.dedent(code)],
            env=environment, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    return run


def told(process):
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out.split()


def test_processes_that_start_together_compile_each_kernel_once(start):
    running = [start(f"print(both(10)); {MISSES}") for _ in range(3)]
    results = [told(one) for one in running]
    assert {one[0] for one in results} == {"110"}
    assert sum(int(one[1]) for one in results) == 4, "four kernels, each compiled by one of the processes"


def test_a_killed_process_leaves_its_turn(start):
    holder = start("kernel.turn_of(leaf).take(); print('mine', flush=True); time.sleep(100)")
    assert holder.stdout.readline() == "mine\n"
    assert told(start("print(kernel.turn_of(leaf).is_taken(), kernel.turn_of(left).is_taken())")) == ["True", "False"]
    waiting = start("print(both(10))")
    time.sleep(2)
    assert waiting.poll() is None, "it waits for the kernel that another process is at"
    holder.send_signal(signal.SIGKILL)
    assert told(waiting) == ["110"]
    holder.communicate()


def test_the_helping_process_fills_the_cache_and_ends_with_the_other(start):
    helper = start("beside.help_out(); print('done', flush=True); time.sleep(100)")
    named = [("four", name, (kernel.types.int64,)) for name in ("both", "right")]
    helper.stdin.buffer.write(pickle.dumps(named))
    helper.stdin.flush()
    assert helper.stdout.readline() == "done\n"
    assert told(start(f"print(both(10)); {MISSES}")) == ["110", "0"], "all four come from the cache"
    assert helper.poll() is None
    helper.communicate(timeout=30)  # closes its stdin


def test_one_helping_process_is_enough(start):
    first = start(
        "alone.Turn(kernel.cache_folder(), 'the helping process').take(); print('mine', flush=True); time.sleep(100)"
    )
    assert first.stdout.readline() == "mine\n"
    second = start("beside.help_out(); print(len(both.overloads))")
    second.stdin.buffer.write(pickle.dumps([("four", "both", (kernel.types.int64,))]))
    second.stdin.flush()
    assert second.stdout.readline() == "0\n", "it leaves at once"
    for one in (first, second):
        one.kill()
        one.communicate()


HELPED = """
with beside.helped([(left, (types.int64,)), (right, (types.int64,))]):
    print(both(10))
"""


@pytest.mark.parametrize(
    "before",
    ["", "beside.joblib.cpu_count = lambda: 1", "sys.executable = '/nowhere'", "beside._START = 'raise SystemExit(1)'"],
    ids=["helped", "one core", "no process can be started", "the helper fails"],
)
def test_results_do_not_depend_on_help(start, before):
    assert told(start(before + "\n" + HELPED)) == ["110"]


def test_one_kernel_serves_all_widths_and_literals(start):
    code = """
    import numpy as np
    print(caller(np.int8(3), np.int32(4), np.uint16(5)), len(leaf.signatures), caller(3, 4, 5), len(caller.signatures))
    """
    assert told(start(code)) == ["16", "2", "16", "1"], "whole numbers, and a truth value"
