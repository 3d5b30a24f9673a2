# SPDX-License-Identifier: Apache-2.0
"""The tables of bench/compare.py."""


def line(entry):
    """One line of progress."""
    head = f"{entry['model']} x{entry['threads']}"
    if "failure" in entry:
        return f"{head}: FAILED: {entry['failure']}"
    times = ", ".join(f"{name} {f['median_ms']:.3g} ms" if "median_ms" in f else f"{name} cannot"
                      for name, f in entry["engines"].items())
    ratios = ", ".join(f"{r['median']:.2f} x {name}" for name, r in entry["ratios"].items())
    return f"{head}: {times}" + (f"; {ratios}" if ratios else "")


def markdown(result):
    """Returns the whole report: ratios first, then each engine's figures."""
    machine = result["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    parts = [f"{machine['cpu']}, {machine['cores']} cores; {versions}."]
    measured = [entry for entry in result["results"] if "engines" in entry]
    mine, *others = result["engines"]
    if others:
        parts.append(ratio_table(measured, mine, others))
    parts.append(figure_table(measured))
    failed = [entry for entry in result["results"] if "failure" in entry]
    parts += [f"{e['model']}, {e['threads']} threads, failed: {e['failure']}" for e in failed]
    parts += [f"{e['model']}, {e['threads']} threads, {name}: {f['failure']}" for e in measured
              for name, f in e["engines"].items() if "failure" in f]
    return "\n\n".join(parts)


def ratio_table(measured, mine, others):
    """Time of the first engine relative to the others; below 1 it is faster."""
    rows = [["model", "threads"] + [f"{mine} / {name} (low–high)" for name in others]]
    for entry in measured:
        cells = [entry["model"], str(entry["threads"])]
        for name in others:
            r = entry["ratios"].get(name)
            cells.append("–" if r is None else
                         f"{r['median']:.2f} ({r['low']:.2f}–{r['high']:.2f})")
        rows.append(cells)
    return table(rows)


def figure_table(measured):
    rows = [["model", "threads", "engine", "median ms", "min ms", "p99 ms", "first ms", "load ms"]]
    for entry in measured:
        for name, f in entry["engines"].items():
            if "failure" in f:
                continue
            figures = [f[key] for key in ("median_ms", "min_ms", "p99_ms", "first_ms", "load_ms")]
            rows.append([entry["model"], str(entry["threads"]), name]
                        + [f"{figure:.4g}" for figure in figures])
    return table(rows)


def table(rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


def above(result, limit):
    """Returns a text for every median ratio above the limit."""
    return [f"{entry['model']}, {entry['threads']} threads: {r['median']:.2f} x {name}"
            for entry in result["results"] for name, r in entry.get("ratios", {}).items()
            if r["median"] > limit]
