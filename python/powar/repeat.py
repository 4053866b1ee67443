"""Runs the simulation of a row again."""

import os
import shlex
from pathlib import Path

import pandas

from .program import printed
from .read import read_sim

# What stands between the commands of a row that is the mean of several runs.
BETWEEN = "&&"


def repeat(row, *, program=None, directory=None):
    """Runs the simulations of a row again, as its column `command` says, and returns their figures as `read_sim` does: a row a run.

    `row` is a row of what `read` returns. The command's paths are relative to the folder that the experiment was run in: `directory` (the current one).
    If they are not there, the points are looked for in the folder that the results were read from. `program` is the `powar` to run.

    Raises ValueError for a row without such a command, FileNotFoundError if the points are nowhere, ProgramError if the program refuses.
    """
    command = row.get("command")
    if not isinstance(command, str):
        raise ValueError("the row has no column `command`; expected a row of what powar.read returns")
    directory = Path(directory or ".")
    runs = [_arguments(one, directory, row.attrs.get("folder")) for one in _split(command)]
    frames = [read_sim(printed(program, [*arguments, "--json"], directory)) for arguments in runs]
    repeated = pandas.concat(frames, ignore_index=True)
    repeated.attrs = frames[0].attrs
    return repeated


def _split(command):
    """The words of each command. Only the program's own are run, and no shell."""
    commands, words = [], []
    for word in shlex.split(command) + [BETWEEN]:
        if word != BETWEEN:
            words.append(word)
            continue
        if words[:3] != ["powar", "sim", "--point"] or len(words) != 4:
            raise ValueError(f"`{shlex.join(words)}` is not repeated; expected `powar sim --point FILE`")
        commands.append(words)
        words = []
    return commands


def _arguments(words, directory, folder):
    point = Path(words[3])
    if not (directory / point).exists() and folder is not None:
        point = Path(os.path.abspath(folder)) / "points" / point.name
    if not (directory / point).exists():
        raise FileNotFoundError(f"{point} is not there; expected the folder that the experiment was run in as `directory`")
    return ["sim", "--point", str(point)]
