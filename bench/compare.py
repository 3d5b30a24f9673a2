#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times Cairn beside other engines on the networks of tests/models/models.json.

Machines drift by more than engines differ, so the engines take turns within one run: each lives in
a process of its own, is stopped (SIGSTOP) while another one measures, and gets a burst of inferences
per round. A ratio is the median over the rounds of Cairn's median time by the other engine's.
"""
import argparse
import contextlib
import json
import os
import pathlib
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts" / "models"))
import model_list  # noqa: E402
import report  # noqa: E402
from engines import ENGINES  # noqa: E402

CAIRN = "cairn"
SETTLING_RUNS = 1  # at the start of each burst, with the caches as the other engine left them


class Failure(Exception):
    """An engine that does not answer."""


class EngineProcess:
    """A running engine that is awake only while it is asked for something."""

    def __init__(self, command, environment, cpus):
        start = time.perf_counter()
        self._errors = tempfile.TemporaryFile("w+")
        try:
            self._process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._errors, text=True, env=environment,
                preexec_fn=(lambda: os.sched_setaffinity(0, cpus)) if cpus else None)
        except OSError as error:
            raise Failure(f"{command[0]} cannot be started: {error}") from None
        self.load_ms = self._read("load_ms")
        self.start_ms = (time.perf_counter() - start) * 1e3
        self.first_ms = self._run(1)[0]
        self._process.send_signal(signal.SIGSTOP)

    def burst(self, count):
        """Returns the times of `count` inferences in ms."""
        self._process.send_signal(signal.SIGCONT)
        times = self._run(SETTLING_RUNS + count)[SETTLING_RUNS:]
        self._process.send_signal(signal.SIGSTOP)
        return times

    def close(self):
        self._process.send_signal(signal.SIGCONT)
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _run(self, count):
        try:
            self._process.stdin.write(f"run {count}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: reading says why
        return self._read("ms")

    def _read(self, key):
        """Returns `key` of the next JSON object that has it; other lines are not for us."""
        for line in self._process.stdout:
            content = json.loads(line) if line.startswith("{") else {}
            if key in content:
                return content[key]
        self._errors.seek(0)
        raise Failure(self._errors.read().strip()[-1000:] or "the engine ended without an answer")


def compile_model(model, args, threads, folder):
    """Returns the .om that atc makes for `threads` cores, and the time it took in seconds."""
    om = folder / f"{model.name}_{threads}.om"
    command = [args.bin_dir / "atc", f"--model={model.path}", "--framework=5",
               f"--output={om.with_suffix('')}", f"--soc_version={args.soc_version}",
               f"--input_shape={model.shapes_option()}", *args.atc_option]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env=os.environ | {"CAIRN_NUM_CORES": str(threads)})
    except OSError as error:
        raise Failure(f"atc cannot be started: {error}") from None
    if done.returncode != 0:
        raise Failure("atc: " + done.stdout.strip()[-1000:])
    return om, time.perf_counter() - start


def start_engine(name, model, args, threads, folder):
    """Returns the engine's process, and what is known about its compilation."""
    cpus = sorted(os.sched_getaffinity(0))[-threads:] if args.pin else None
    if name != CAIRN:
        command = [sys.executable, ROOT / "bench" / "engines.py", name, model.name,
                   args.models_dir, threads]
        return EngineProcess(command, dict(os.environ), cpus), {}
    om, compile_s = compile_model(model, args, threads, folder)
    command = [args.bin_dir / "cairn-bench", "--model", om, "--interactive", "--json"]
    environment = os.environ | {"CAIRN_NUM_CORES": str(threads)}
    return EngineProcess(command, environment, cpus), {"compile_s": compile_s}


def measure(model, args, threads):
    """Returns {engine: figures} for one model and number of threads."""
    processes, figures = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name in args.engines:
                try:
                    process, known = start_engine(name, model, args, threads, pathlib.Path(folder))
                except Failure as failure:
                    if name == args.engines[0]:
                        raise
                    figures[name] = {"failure": str(failure).splitlines()[-1]}
                    continue
                processes[name] = process
                figures[name] = known | {"load_ms": process.load_ms, "first_ms": process.first_ms,
                                         "start_ms": process.start_ms}
            rounds = take_turns(processes, args)
        finally:
            for process in processes.values():
                process.close()
    for name, bursts in rounds.items():
        times = sorted(t for burst in bursts for t in burst)
        figures[name] |= {
            "median_ms": statistics.median(times), "min_ms": times[0],
            "p99_ms": times[min(len(times) - 1, int(0.99 * len(times)))], "runs": len(times),
            "round_medians_ms": [statistics.median(burst) for burst in bursts]}
    return figures


def take_turns(processes, args):
    """Returns {engine: [times of each round]}; who begins alternates."""
    sizes = {}
    for name, process in processes.items():
        typical = min(process.burst(2))
        sizes[name] = max(1, min(args.max_burst, int(args.burst_ms / typical)))
    rounds = {name: [] for name in processes}
    order = list(processes)
    for _ in range(args.rounds):
        for name in order:
            rounds[name].append(processes[name].burst(sizes[name]))
        order.append(order.pop(0))
    return rounds


def ratio(mine, other):
    """Returns the median over the rounds of mine / other, with the smallest and largest."""
    ratios = [a / b for a, b in zip(mine["round_medians_ms"], other["round_medians_ms"])]
    return {"median": statistics.median(ratios), "low": min(ratios), "high": max(ratios)}


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.processor(),
            "cores": len(os.sched_getaffinity(0)), "kernel": platform.release()}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="entries of models.json; default: by --tags")
    parser.add_argument("--tags", nargs="+", default=["bench"])
    parser.add_argument("--engines", nargs="+", default=[CAIRN, "onnxruntime"],
                        choices=[CAIRN, *ENGINES], help="the first is compared with the others")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--burst-ms", type=float, default=250, help="aim for a burst's length")
    parser.add_argument("--max-burst", type=int, default=2000, help="inferences per burst")
    parser.add_argument("--pin", action="store_true", help="pin engines to the last CPUs")
    parser.add_argument("--models-dir", default=ROOT / "build" / "models", type=pathlib.Path)
    parser.add_argument("--bin-dir", default=ROOT / "build" / "release" / "stage" / "bin",
                        type=pathlib.Path)
    parser.add_argument("--soc-version", default="native")
    parser.add_argument("--atc-option", action="append", default=[], help="passed on to atc")
    parser.add_argument("--max-ratio", type=float, help="fail if a median ratio is above this")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables to this file too")
    args = parser.parse_args()
    args.models_dir, args.bin_dir = args.models_dir.resolve(), args.bin_dir.resolve()
    return args


def main():
    args = parse_arguments()
    versions = {name: ENGINES[name].version() for name in args.engines if name in ENGINES}
    result = {"machine": machine(), "versions": versions, "engines": args.engines, "results": []}
    failures = 0
    for model in model_list.load_models(args.models_dir, args.names, args.tags):
        for threads in args.threads:
            entry = {"model": model.name, "threads": threads}
            try:
                entry["engines"] = measure(model, args, threads)
                mine, *others = args.engines
                entry["ratios"] = {name: ratio(entry["engines"][mine], entry["engines"][name])
                                   for name in others
                                   if "failure" not in entry["engines"][name]}
            except Failure as failure:
                entry["failure"] = str(failure)
                failures += 1
            result["results"].append(entry)
            print(report.line(entry), file=sys.stderr, flush=True)
    tables = report.markdown(result)
    print(tables)
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n")
    if args.markdown:
        args.markdown.write_text(tables + "\n")
    slow = report.above(result, args.max_ratio) if args.max_ratio else []
    for text in slow:
        print(f"above {args.max_ratio}: {text}", file=sys.stderr)
    sys.exit(1 if failures or slow else 0)


if __name__ == "__main__":
    main()
