"""The program `powar`: where it is, and what it prints."""

import shutil
import subprocess
import sys
from pathlib import Path


class ProgramError(RuntimeError):
    """The program is not there, or did not do what it was asked for; the text is the program's own line."""


def find_program():
    """The path of `powar`: the one that was installed together with this package, or else the first on the PATH.

    Raises ProgramError if there is neither.
    """
    beside = shutil.which("powar", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("powar")
    if found is None:
        raise ProgramError("powar is neither beside this Python nor on the PATH; install it into this environment")
    return found


def printed(program, arguments, directory):
    """What the program prints. Raises ProgramError with its last line if it fails."""
    command = [str(program or find_program()), *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ProgramError(said[-1])
    return done.stdout
