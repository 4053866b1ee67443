"""Runs a notebook and writes it with what its cells printed and drew: `python run-notebook.py NOTEBOOK OUT [FOLDER]`.

It is run in FOLDER, the current one if none is given. The exit code is 1 if a cell fails, or none draws anything.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config

# A cell may run the whole experiment.
LONGEST_CELL_SECONDS = 3600


def main(notebook, out, folder="."):
    read = nbformat.read(notebook, as_version=4)
    try:
        # Over a socket of this machine's own: Jupyter warns of any other.
        config = Config({"KernelManager": {"transport": "ipc"}})
        resources = {"metadata": {"path": folder}}
        NotebookClient(read, config=config, timeout=LONGEST_CELL_SECONDS, kernel_name="python3", resources=resources).execute()
    except CellExecutionError as error:
        sys.exit(f"{notebook}: {error}")
    outputs = [output for cell in read.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    for output in outputs:
        if output.output_type == "stream":
            print(output.text, end="")
    # When which cell ran differs from run to run, and says nothing.
    for cell in read.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(read, out)
    if not pictures:
        sys.exit(f"{notebook}: no cell draws anything")
    print(f"{len(pictures)} figure(s) in {Path(out)}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
