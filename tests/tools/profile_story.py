#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A detector whose export fights the hardware: profile, read the advice, apply it, profile again, compare.

Usage: profile_story.py ATC MSPROF BENCH REPORT EXAMPLES_FOLDER
Exit status 77 (skipped) without the Python packages onnx and numpy.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy  # noqa: F401
    import onnx  # noqa: F401
except ImportError:
    print("skipped: the Python packages onnx and numpy are not installed (scripts/setup_python.sh)")
    sys.exit(77)

ENVIRONMENT = dict(os.environ, CAIRN_NUM_CORES="1")


def check(condition, what, text=""):
    if not condition:
        raise SystemExit(f"FAILED: {what}\n{text}")


def run(*command):
    done = subprocess.run([str(part) for part in command], env=ENVIRONMENT, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(done.returncode == 0, " ".join(map(str, command)), done.stdout)
    return done.stdout


def profile(folder, name, atc, msprof, bench):
    """Compiles and profiles folder/name.onnx; returns the text report."""
    run(atc, f"--model={folder}/{name}.onnx", "--framework=5", f"--output={folder}/{name}",
        "--soc_version=native", "--tune=off")
    return run(msprof, f"--output={folder}/{name}.prof", "--report=text", bench, "--model",
               f"{folder}/{name}.om", "--loop", "40", "--warmup", "5")


def check_tables(folder, name):
    """The times of the tasks of a run add up to its wall time, and the timeline is valid."""
    output = next(pathlib.Path(folder, f"{name}.prof").glob("PROF_*/mindstudio_profiler_output"))
    runs = []
    with open(next(output.glob("op_summary_*.csv")), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["Task ID"] == "0":
                runs.append(0)
            runs[-1] += float(row["Task Duration(us)"])
    with open(next(output.glob("api_statistic_*.csv")), encoding="utf-8") as file:
        call = next(float(row["Min(us)"]) for row in csv.DictReader(file)
                    if row["API Name"] == "aclmdlExecute")
    # Of the fastest run: there other work on the machine has not come between.
    check(0.97 * call <= min(runs) <= call * 1.001, f"tasks take {min(runs):.0f} us, the call {call:.0f} us")
    events = json.loads(next(output.glob("msprof_2*.json")).read_text(encoding="utf-8"))
    check(any(event["ph"] == "s" for event in events), "the timeline has arrows")


def main():
    atc, msprof, bench, report, examples = sys.argv[1:6]
    with tempfile.TemporaryDirectory() as folder:
        slow, fast = f"{folder}/slow.onnx", f"{folder}/fast.onnx"
        run(sys.executable, f"{examples}/make_detector.py", slow)
        before = profile(folder, "slow", atc, msprof, bench)
        check_tables(folder, "slow")
        advice = before[before.index("Advice\n"):]
        share = re.search(r"([\d.]+) % of the time moves data between layouts", advice)
        check(share and float(share.group(1)) > 40, "layout work is above 40 %", before)
        check("turn" in advice and "Reasons:" in advice, "edges and reasons are named", advice)
        check(re.search(r"\d+ of \d+ tasks take less than", advice), "the tail is named", advice)
        check("examples/detector/fix_export.py" in advice.replace("\n", ""), "the remedy is named", advice)

        print(run(sys.executable, f"{examples}/fix_export.py", slow, fast), end="")
        after = profile(folder, "fast", atc, msprof, bench)
        check("moves data between layouts" not in after, "no layout work is left", after)
        text = run(report, f"{folder}/fast.prof", "--compare", f"{folder}/slow.prof")
        factor = float(re.search(r"([\d.]+) times as fast", text).group(1))
        check(factor > 1.6, f"the second profile is {factor} times as fast", text)
        print(text[text.index("Compared with"):])

        page = pathlib.Path(folder, "report.html")
        run(report, f"{folder}/fast.prof", "--compare", f"{folder}/slow.prof", "--html", page)
        check(page.stat().st_size > 20000, "the page is written")
        page_test = pathlib.Path(__file__).parents[1] / "report" / "report_page_test.py"
        done = subprocess.run([sys.executable, page_test, report, f"{folder}/slow.prof"], check=False)
        check(done.returncode in (0, 77), "the page works in a browser")
    print("the story holds")


if __name__ == "__main__":
    main()
