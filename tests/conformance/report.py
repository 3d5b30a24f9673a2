# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md from the results of the runners.

usage: report.py <cases> <exclusions.txt> <out.md> <results.tsv>...

Exit status 1 when a case that is not excluded fails in one of our modes.
"""
import collections
import importlib.metadata
import pathlib
import sys

MODES = ("passes-on", "passes-off", "onnxruntime")
TITLES = {"passes-on": "Cairn", "passes-off": "Cairn, passes off", "onnxruntime": "ONNX Runtime"}


SETTLED = (
    "Pooling with `auto_pad = VALID` and `ceil_mode = 1` has ceil((in - kernel + 1) / stride) places "
    "as the operator's text says; ONNX Runtime has one more at times.",
    "`Resize` with `align_corners` and a scale that gives no whole size: coordinates are computed "
    "from the scale's exact size, as in the reference implementation.",
    "`GridSample` of mode `cubic` outside of the image, with padding `border`: every neighbour is "
    "clamped for itself, as in the reference implementation.",
    "`ThresholdedRelu` and `Shrink` of NaN give 0, as their function bodies do.",
)


def read_exclusions(path):
    rules = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            rules.append(line.split(": ", 1))
    return rules


def exclusion_of(name, rules):
    for pattern, reason in rules:
        if name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1])):
            return reason
    return None


def read_results(paths):
    results = {}
    for path in paths:
        for line in pathlib.Path(path).read_text().splitlines():
            name, mode, outcome, route, reason = line.split("\t", 4)
            results[name, mode] = (outcome, route, reason)
    return results


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def summary_rows(kinds, excluded, results):
    groups = collections.defaultdict(list)
    for name, kind in kinds.items():
        if name not in excluded:
            groups[kind].append(name)
    groups["all"] = [name for name in kinds if name not in excluded]
    for kind, names in groups.items():
        row = [kind, str(len(names))]
        for mode in MODES:
            passed = sum(results.get((n, mode), ("",))[0] == "passed" for n in names)
            row.append(f"{passed} ({percent(passed, len(names))})")
        yield row


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return lines


def shorten(text):
    text = text.replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= 160 else text[:157] + "..."


def failures(kinds, excluded, results):
    for name in sorted(kinds):
        if name in excluded:
            continue
        bad = [m for m in MODES[:2] if results.get((name, m), ("missing",))[0] != "passed"]
        if bad:
            outcome, _, reason = results.get((name, bad[0]), ("missing", "", ""))
            yield [f"`{name}`", ", ".join(bad), outcome, shorten(reason)]


def main():
    cases, exclusions, out, *paths = sys.argv[1:]
    rules = read_exclusions(exclusions)
    kinds = dict(line.split() for line in
                 (pathlib.Path(cases) / "kinds.txt").read_text().splitlines())
    excluded = {n: r for n in kinds if (r := exclusion_of(n, rules))}
    results = read_results(paths)
    judged = [n for n in kinds if n not in excluded]
    ours_only = sum(results.get((n, MODES[0]), ("",))[0] == "passed"
                    and results.get((n, "onnxruntime"), ("",))[0] != "passed" for n in judged)
    theirs_only = sum(results.get((n, MODES[0]), ("",))[0] != "passed"
                      and results.get((n, "onnxruntime"), ("",))[0] == "passed" for n in judged)
    by_interpreter = sum(results.get((n, MODES[0]), ("", ""))[:2] == ("passed", "interpreter")
                         for n in judged)
    failed = list(failures(kinds, excluded, results))
    by_reason = collections.Counter(excluded.values())
    onnx, ort = (importlib.metadata.version(p) for p in ("onnx", "onnxruntime"))
    lines = [
        "# Conformance", "",
        f"The backend cases of the `onnx` package {onnx} ({len(kinds)}), compiled by the compiler "
        "and run by the runtime through the C API, with all passes and without any, beside ONNX "
        f"Runtime {ort} on the CPU. Tolerances are those of the cases. Written by "
        "`scripts/conformance.sh`.", ""]
    lines += table(["Group", "Cases"] + [TITLES[m] for m in MODES],
                   summary_rows(kinds, excluded, results))
    lines += ["", f"{ours_only} cases pass here and not there, {theirs_only} there and not here.",
              "", "An offline model has tensors of numbers as inputs and outputs, since the C API "
              "has no others. Models with strings, sequences or optionals as inputs or outputs, and "
              f"those whose shapes depend on data ({by_interpreter} of the cases that pass) are "
              "therefore run by the reference interpreter, after the same import and passes.", ""]
    lines += ["## Not judged", ""]
    lines += table(["Cases", "Reason"], [[str(c), r] for r, c in sorted(by_reason.items())])
    lines += ["", "## Failing", ""]
    lines += table(["Case", "Mode", "Outcome", "Reason"], failed) if failed else ["None."]
    lines += ["", "## Where the two differ", "",
              "Random models of one operator (`tests/conformance/random_cases.py`) show differences "
              "that no backend case covers; the text of the standard, or its reference "
              "implementation, decides:", ""]
    lines += [f"- {difference}" for difference in SETTLED]
    pathlib.Path(out).write_text("\n".join(lines) + "\n")
    print("\n".join(lines[4:12]))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
