"""Results of `powar` in pandas.

    import powar
    study = powar.read("build/experiments/my-study")   # a row a point, a column a figure
    study.attrs["units"]["watts.e_net"]                # "J"
    powar.repeat(study.loc[3])                         # the same simulation again

This package reads what the program writes; it simulates nothing by itself. It needs pandas (`pip install powar[pandas]`).
"""

try:
    import pandas as _pandas  # noqa: F401
except ModuleNotFoundError:
    raise ModuleNotFoundError("the package powar reads results into pandas, which is not here: pip install pandas", name="pandas") from None

from .program import ProgramError, find_program
from .read import read, read_series, read_sim
from .repeat import repeat
from .units import label, unit

__all__ = ["ProgramError", "find_program", "label", "read", "read_series", "read_sim", "repeat", "unit"]
