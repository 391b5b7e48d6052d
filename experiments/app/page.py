"""The dashboard's page: Streamlit runs this file from top to bottom at every click; folders are its arguments."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from experiments.app.runs import Run, changes, find_runs, house, overview, rules_difference, shares, side_by_side
from experiments.difficulty import replay_game
from experiments.plots import WIDE, canvas, win_share_runs
from experiments.replay.of_run import QUICK
from experiments.replay.page import write_replay
from experiments.store import TABLES
from simcore import registry
from simcore.errors import SoundcheckError


def main(folders: Sequence[str]) -> None:
    """Draw the page for the runs in ``folders``."""
    st.set_page_config(page_title="Soundcheck", layout="wide")
    st.title("Soundcheck")
    try:
        runs = find_runs([Path(folder) for folder in folders])
    except SoundcheckError as error:
        st.error(str(error))
        return
    chosen = _filtered(runs)
    if not chosen:
        st.info("No run is left: take a filter away.")
        return
    compare, replay = st.tabs(["Compare", "Replay"])
    with compare:
        _compare(chosen)
    with replay:
        _replay(chosen)


def _filtered(runs: Sequence[Run]) -> list[Run]:
    """The filters at the side, the table of the runs that they leave, and these runs."""
    table = overview(runs)
    with st.sidebar:
        st.header("Filter")
        for column in ("game", "mode", "players", "agents"):
            values = sorted(overview(runs)[column].unique())
            picked = st.multiselect(column.capitalize(), values, placeholder="all")
            if picked:
                table = table[table[column].isin(picked)]
        words = st.text_input("Words in the name or in the changed rules")
        for word in words.split():
            text = table["run"] + " " + table["changed"]
            table = table[text.str.contains(word, case=False, regex=False)]
        if st.checkbox("Only runs that are whole"):
            table = table[table["whole"]]
    st.caption(f"{len(table)} of {len(runs)} runs")
    st.dataframe(table, hide_index=True)
    return [runs[k] for k in table.index]


def _compare(runs: Sequence[Run]) -> None:
    """Win shares of several runs side by side, their paired changes where they are on the same luck, their rules."""
    names = {run.name: run for run in runs if run.is_whole}
    picked = st.multiselect("Runs to compare", list(names), default=list(names)[:2])
    margin = st.number_input("Margin, percentage points", min_value=0.1, max_value=20.0, value=2.0) / 100
    chosen = [names[name] for name in picked]
    if not chosen:
        st.info("Pick one run or more. Runs that are not whole yet cannot be shown.")
        return
    tables = {}
    for run in chosen:
        try:
            tables[run.name] = _shares(run, margin)
        except SoundcheckError as error:
            st.error(str(error))
    if not tables:
        return
    factors = list(dict.fromkeys(name for table in tables.values() for name in table["table"]))
    factor = st.selectbox("Table", [name for name in factors if name != "game"])
    st.subheader(f"Win share per {factor}, %, with 95 % interval")
    draw_shares(tables, str(factor))
    st.dataframe(side_by_side(tables, str(factor)))
    if len(chosen) == 2:
        _paired(chosen[0], chosen[1], margin, str(factor))
    if len(chosen) > 1:
        _rules(chosen)
    lines = house(chosen)
    if lines:
        with st.expander(f"House data: {len(lines)} values or groups of values that no rulebook prints"):
            st.text("\n".join(lines))


def _shares(run: Run, margin: float) -> pd.DataFrame:
    """``shares``, kept while the run's files stay as they are."""
    written = max((run.folder / f"{table}.parquet").stat().st_mtime_ns for table in TABLES)
    return _kept_shares(str(run.folder), margin, written, run)


@st.cache_data(show_spinner="Reading the run")
def _kept_shares(folder: str, margin: float, written: int, _run: Run) -> pd.DataFrame:
    return shares(_run, margin)


def draw_shares(tables: dict[str, pd.DataFrame], factor: str) -> None:
    """The shares of ``factor``, a mark a run."""
    rows = pd.concat([table[table["table"] == factor].assign(run=run) for run, table in tables.items()])
    height = 1.4 + 0.2 * rows["name"].nunique() * (1 + 0.4 * len(tables))
    with canvas((WIDE, height)) as figure:
        win_share_runs(rows.astype({"name": str}), figure.add_subplot())
        st.pyplot(figure)


def _paired(a: Run, b: Run, margin: float, factor: str) -> None:
    """The change from A to B, block by block, or why there is none."""
    st.subheader("Change from the first run to the second")
    try:
        table = changes(a, b, margin)
    except SoundcheckError as error:
        st.info(f"They are not on the same luck, so only the shares above can be compared. {error}")
        return
    rows = table[table["table"] == factor]
    shown = pd.DataFrame(
        {
            "name": rows["name"], "before, %": (100 * rows["share_a"]).round(2),
            "after, %": (100 * rows["share_b"]).round(2), "change, pp": (100 * rows["change"]).round(2),
            "from": (100 * rows["low"]).round(2), "to": (100 * rows["high"]).round(2), "answer": rows["answer"],
        }
    )  # fmt: skip
    st.dataframe(shown, hide_index=True)


def _rules(runs: Sequence[Run]) -> None:
    """Where the rules of ``runs`` differ."""
    st.subheader("Difference in the rules")
    if len({run.manifest["run"]["game"] for run in runs}) > 1:
        st.info("They are runs of different games.")
        return
    try:
        table = rules_difference(runs)
    except SoundcheckError as error:
        st.info(str(error))
        return
    if table.empty:
        st.info("The rules are the same.")
    else:
        st.dataframe(table)


def _replay(runs: Sequence[Run]) -> None:
    """One game of a run, to be stepped through in the page or kept as a file."""
    names = {run.name: run for run in runs}
    run = names[str(st.selectbox("Run", list(names)))]
    number = int(st.number_input("Number of the game", min_value=0, max_value=run.games - 1, value=0, step=1))
    valued = st.checkbox("Show options with their values (a search plays them out; takes a few seconds)")
    if not st.button("Open the replay"):
        return
    try:
        with st.spinner("Playing the game again"):
            page = replay(run, number, valued)
    except SoundcheckError as error:
        st.error(str(error))
        return
    st.download_button("Keep it as a file", page, f"game-{number}.html", "text/html", on_click="ignore")
    st.iframe(page, height=900)


def replay(run: Run, number: int, valued: bool) -> str:
    """The page of one game of a stored run.  Raises UsageError."""
    prepared, there = replay_game(run.folder, number)
    values = QUICK if valued and registry.leaf(prepared.game) is not None else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.html"
        write_replay(prepared, there, path, number, None, values)
        return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
