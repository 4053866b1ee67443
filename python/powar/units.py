"""Units of columns, from the list that the program's documentation is made of too."""

import json
from importlib import resources

# Behind the name of a column that is a mean: how far the runs are around it, in the same unit.
SPREADS = ("ci95", "sd")


def _listed():
    return json.loads(resources.files(__package__).joinpath("columns.json").read_text(encoding="utf-8"))


_LISTED = _listed()


def unit(column, table="results"):
    """The unit of a column of `table` (`results` or `series`); an empty text for one that has none, and for sweeps."""
    name, _, last = column.rpartition(".")
    if last in SPREADS:
        return unit(name, table)
    # Columns of one family end in a number each, and are listed once.
    known = _LISTED[table].get(column) or _LISTED[table].get(f"{name}.T" if last.isdigit() else "")
    return known["unit"] if known else ""


def units(columns, table="results"):
    """Of the columns that have a unit, by name."""
    return {column: unit(column, table) for column in columns if unit(column, table)}


def label(frame, column):
    """A column's name with its unit, for an axis: `watts.e_net, J`."""
    of = frame.attrs.get("units", {}).get(column, "")
    # `run_time_ns` says it already.
    return column if not of or column.endswith(f"_{of}") else f"{column}, {of}"
