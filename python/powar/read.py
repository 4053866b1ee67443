"""Reads what the program writes into pandas."""

import json
import os
from pathlib import Path

import pandas

from .units import units


def _load(path, who):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise FileNotFoundError(f"{path} is not there as a file; expected {who}") from None
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}; expected {who}") from None


def _parsed(text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"the text is not JSON: {error}; expected what `powar sim --json` prints") from None


def read(folder):
    """The results of an experiment, from its folder: a row a point in the order of the file, a column a figure, those of the sweeps first.

    `attrs` has `title`, `version` (of the program that wrote them), `units` (a dict: column to unit, such as "J"; a column without one is missing),
    `shown` (the columns of the table for readers) and `folder`.

    Raises FileNotFoundError for a folder without results and ValueError for files that are none.
    """
    folder = Path(folder)
    who = "a folder that `powar experiment` wrote"
    rows, index = _load(folder / "results.json", who), _load(folder / "index.json", who)
    if not isinstance(rows, list) or not isinstance(index, dict) or len(rows) != len(index.get("points", [])):
        raise ValueError(f"{folder}: results.json and index.json are not of one experiment; expected {who}")
    frame = pandas.DataFrame(rows)
    frame.attrs = {
        "title": index.get("title", ""),
        "version": index.get("version", ""),
        # Of the same list as `units` of this package, as it was when the results were written.
        "units": {column: of for column, of in index.get("units", {}).items() if column in frame.columns},
        "shown": list(index.get("shown", [])),
        "folder": str(folder),
    }
    return frame


def read_series(folder):
    """What happened over time in the points of an experiment, a row an interval (`interval` in `[simulation]`); `attrs` as of `read`, without `shown`.

    Raises FileNotFoundError if the experiment has no intervals.
    """
    folder = Path(folder)
    path = folder / "series.csv"
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there; expected an experiment whose simulations have an `interval`")
    frame = pandas.read_csv(path)
    frame.attrs = {"units": units(frame.columns, "series"), "folder": str(folder)}
    return frame


def read_sim(source):
    """What `powar sim --json` printed, from a file (a path), a text or an already parsed dict: a row, or of several policies a row each. Nested figures have the
    names that they have in experiments, `packet_latency.p99`.

    `attrs` has `units`, `version` and `simulation` (all settings, as the program prints them). Raises ValueError for what is no such output.
    """
    if isinstance(source, os.PathLike):
        source = _load(Path(source), "what `powar sim --json` prints")
    elif isinstance(source, (str, bytes)):
        is_text = source.lstrip()[:1] in ("{", b"{")
        source = _parsed(source) if is_text else _load(Path(os.fsdecode(source)), "what `powar sim --json` prints")
    if not isinstance(source, dict) or "simulation" not in source:
        raise ValueError("no `simulation` in it; expected what `powar sim --json` prints")
    several = source.get("policies")
    apart = ("version", "simulation", "policies")
    rows = several if several is not None else [{name: value for name, value in source.items() if name not in apart}]
    frame = pandas.DataFrame([_flat(row) for row in rows]).dropna(axis="columns", how="all")
    frame.attrs = {
        "units": units(frame.columns),
        "version": source.get("version", ""),
        "simulation": source["simulation"],
    }
    return frame


def _flat(nested, before=""):
    """A dict of dicts as one, names joined by dots."""
    flat = {}
    for name, value in nested.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{name}."))
        else:
            flat[before + name] = value
    return flat
