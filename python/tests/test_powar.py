"""Tests of the package, with results that the program named in POWAR makes: `POWAR=path python -m unittest discover -s python/tests`."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib
import pandas

import powar

matplotlib.use("agg")

PROGRAM = os.environ["POWAR"]

EXPERIMENT = """
title = "Small"
[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", load = 0.1, cycles = 3000 }
interval = 1000
[[sweep]]
name = "policy"
values = ["reference", "powar"]
[[sweep]]
name = "seed"
key = "traffic.seed"
values = [1, 2]
[baseline]
policy = "reference"
"""

SIMULATION = ["sim", "--topology", "2-ary-2-tree", "--load", "0.1", "--cycles", "3000", "--json"]


def run(*arguments, cwd):
    done = subprocess.run([PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class WithoutPandas(unittest.TestCase):
    def test_what_to_install_is_said(self):
        code = "import sys; sys.modules['pandas'] = None; import powar"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertIn("which is not here: pip install pandas", done.stderr.splitlines()[-1])


class OfAnExperiment(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(prefix="powar-python-")
        cls.folder = Path(cls.kept.name)
        (cls.folder / "small.toml").write_text(EXPERIMENT)
        run("experiment", "small.toml", "--out", "it's small", cwd=cls.folder)
        cls.results = cls.folder / "it's small"
        cls.study = powar.read(cls.results)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def test_rows_and_columns_are_those_of_the_csv(self):
        csv = pandas.read_csv(self.results / "results.csv")
        self.assertEqual(list(self.study.columns), list(csv.columns))
        self.assertEqual(list(self.study["policy"]), ["reference"] * 2 + ["powar"] * 2)
        for column in ("run_time_ns", "packet_latency.p99", "watts.e_net", "relative.e_net"):
            self.assertTrue(pandas.api.types.is_numeric_dtype(self.study[column]), column)
            pandas.testing.assert_series_equal(self.study[column], csv[column], check_dtype=False)

    def test_units_are_those_of_the_program(self):
        units = self.study.attrs["units"]
        self.assertEqual((units["watts.e_net"], units["packet_latency.p99"]), ("J", "cycles"))
        self.assertNotIn("u_port", units)
        # What this package says of a column is what the program wrote.
        self.assertEqual({column: powar.unit(column) for column in self.study.columns if powar.unit(column)}, units)
        self.assertEqual(powar.label(self.study, "watts.e_net"), "watts.e_net, J")
        self.assertEqual(powar.label(self.study, "run_time_ns"), "run_time_ns")
        self.assertEqual(powar.unit("packet_latency.p99.ci95"), "cycles")
        self.assertEqual((powar.unit("idle.lengths.8"), powar.unit("nobody"), powar.unit("cycle", "series")), ("", "", "cycles"))

    def test_what_it_is_of_stays_with_a_selection(self):
        self.assertEqual(self.study.attrs["title"], "Small")
        self.assertTrue(run("--version", cwd=self.folder).strip().endswith(self.study.attrs["version"]))
        chosen = self.study[self.study["policy"] == "powar"]
        self.assertEqual(chosen.attrs["units"], self.study.attrs["units"])
        axes = chosen.plot.bar(x="seed", y="watts.e_net", ylabel=powar.label(chosen, "watts.e_net"))
        self.assertEqual((axes.get_ylabel(), len(axes.patches)), ("watts.e_net, J", 2))

    def test_a_row_is_repeated_to_the_same_figures(self):
        row = self.study.loc[3]
        for directory in (self.folder, None):
            again = powar.repeat(row, program=PROGRAM, directory=directory)
            self.assertEqual(len(again), 1)
            for column in ("policy", "cycles", "flits", "packet_latency.mean", "u_port", "watts.e_net"):
                self.assertEqual(again.loc[0, column], row[column], column)
        self.assertNotEqual(self.study.loc[2, "packet_latency.mean"], row["packet_latency.mean"], "the seed makes a difference")

    def test_only_points_are_repeated(self):
        for command in ("rm -r .", "powar emit --out x", "powar sim --point a.json; ls", "powar sim --point a.json --out b"):
            with self.assertRaisesRegex(ValueError, "expected `powar sim --point FILE`"):
                powar.repeat(pandas.Series({"command": command}), program=PROGRAM)
        with self.assertRaisesRegex(ValueError, "no column `command`"):
            powar.repeat(self.study.loc[0, ["policy"]], program=PROGRAM)
        with self.assertRaisesRegex(FileNotFoundError, "a.json is not there"):
            powar.repeat(pandas.Series({"command": "powar sim --point a.json"}), program=PROGRAM)

    def test_intervals(self):
        series = powar.read_series(self.results)
        self.assertEqual(list(series["cycle"].unique()), [1000, 2000, 3000])
        self.assertEqual(series.attrs["units"]["latency"], "cycles")

    def test_folders_that_have_no_results(self):
        with self.assertRaisesRegex(FileNotFoundError, "expected a folder that `powar experiment` wrote"):
            powar.read(__file__)
        with self.assertRaisesRegex(FileNotFoundError, "powar experiment"):
            powar.read(self.folder)
        with tempfile.TemporaryDirectory() as other:
            (Path(other) / "results.json").write_text("[{}]")
            (Path(other) / "index.json").write_text('{"points": []}')
            with self.assertRaisesRegex(ValueError, "not of one experiment"):
                powar.read(other)
            (Path(other) / "index.json").write_text("no JSON")
            with self.assertRaisesRegex(ValueError, "index.json is not JSON"):
                powar.read(other)
            with self.assertRaisesRegex(FileNotFoundError, "interval"):
                powar.read_series(other)


class OfASimulation(unittest.TestCase):
    def test_one_policy_is_a_row(self):
        text = run(*SIMULATION, "--policy", "powar", cwd=".")
        parsed = json.loads(text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "one.json"
            path.write_text(text)
            frames = [powar.read_sim(source) for source in (text, parsed, path, str(path))]
        for frame in frames:
            pandas.testing.assert_frame_equal(frame, frames[0])
            self.assertEqual(frame.loc[0, "packet_latency.p99"], parsed["packet_latency"]["p99"])
            self.assertEqual(frame.attrs["units"]["packet_latency.p99"], "cycles")
            self.assertEqual(frame.attrs["simulation"]["topology"], "2-ary-2-tree")
        self.assertNotIn("replay", frames[0].columns, "what this traffic does not have")

    def test_several_policies_are_a_row_each(self):
        frame = powar.read_sim(run(*SIMULATION, "--policy", "reference,powar", cwd="."))
        self.assertEqual(list(frame["policy"]), ["reference", "powar"])
        self.assertEqual(frame.attrs["units"]["watts.e_net"], "J")

    def test_what_is_no_simulation(self):
        for source in ({}, '{"a": 1}', '{"simulation": {'):
            with self.assertRaisesRegex(ValueError, "powar sim --json"):
                powar.read_sim(source)

    def test_the_programs_own_line_is_the_error(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "point.json").write_text('{"unknown": 1}')
            row = pandas.Series({"command": "powar sim --point point.json"})
            with self.assertRaisesRegex(powar.ProgramError, "^powar: point: point.json is no point"):
                powar.repeat(row, program=PROGRAM, directory=folder)


if __name__ == "__main__":
    unittest.main()
