#!/bin/sh
# The Python package with pandas and matplotlib, and its notebook, which draws Figure 4 of POWAR, here of the shortest of the four programs.
#
#     sh tests/python.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). pandas, matplotlib and Jupyter's nbclient come from PyPI, into target/python.
# Exit code 0: as expected, or skipped for want of Python 3.11; 1: a difference; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
package=$here/../python
environment=$here/../target/python
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "SKIPPED: the pinned pandas needs Python 3.11 or newer"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-python-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

. "$here/environment.sh"
environment "$environment" "$package/requirements.txt"
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR="$work/matplotlib"

if ! POWAR=$powar "$environment/bin/python" -m unittest discover --start-directory "$package/tests" >"$work/tests.log" 2>&1; then
    cat "$work/tests.log"
    exit 1
fi
grep '^Ran ' "$work/tests.log"

# The experiment with one of its programs.
mkdir "$work/bin" && ln -s "$powar" "$work/bin/powar" || exit 2
sed "s|\"\.\./testbenches|\"$here/../testbenches|" "$here/../experiments/powar-fig4.toml" \
    | sed '/hpl-8192\|gromacs-large\|lammps-64/d; s/^labels = \["Linpack".*/labels = ["RandomAccess"]/' >"$work/powar-fig4.toml"
cd "$work" || exit 2
"$powar" experiment powar-fig4.toml --out fig4 >experiment.log 2>&1 || { tail -n 3 experiment.log; exit 1; }
PATH="$work/bin:$PATH" POWAR_FIG4=fig4 "$environment/bin/python" "$package/run-notebook.py" "$package/figure4.ipynb" "$work/figure4.ipynb" || exit 1
