"""What the guest tests share: running programs, and comparing what a tool prints with our report.

A comparison is a table: each field that the tool prints, and how the report's value reads when that tool prints it.
A field that is in no table fails the test, so that nothing a tool knows can be missed silently.
"""
import json
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
PVE_RDMA = REPO / "build" / "dev" / "bin" / "pve-rdma"


def run(*command, check=True):
    """The output of a program; its failure ends the test with its words."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_json(*command):
    """The JSON that a program prints; ip(8) prints nothing for an empty list."""
    return json.loads(run(*command) or "[]")


def report():
    """The node report of `pve-rdma probe`."""
    reply = run_json(PVE_RDMA, "probe", "--json")
    return reply.get("report", reply)


def call(*words):
    """The reply of another operation."""
    return run_json(PVE_RDMA, *words, "--json")


def write(path, text):
    """A sysfs or debugfs attribute; ib_ipoib's mode wants the line's end."""
    Path(path).write_text(f"{text}\n")


def batch(commands):
    """Lines for ip(8), in one process: starting programs is what takes time in a guest."""
    done = subprocess.run(["ip", "-batch", "-"], input=commands, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"ip -batch: {done.stderr}")


def wait_for(what, condition, seconds=60):
    """Poll until condition() holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"{what}: not within {seconds} s")
        time.sleep(0.2)


def say(text):
    """Progress, with the guest's time."""
    print(f"[{Path('/proc/uptime').read_text().split()[0]}] {text}", flush=True)


def count_values(printed):
    """How many values a JSON document holds."""
    if isinstance(printed, dict):
        return sum(map(count_values, printed.values()))
    return sum(map(count_values, printed)) if isinstance(printed, list) else 1


class Comparison:
    """Counts comparisons and collects differences; done() is the verdict."""

    def __init__(self):
        self.compared, self.faults = 0, []

    def fault(self, where, text):
        self.faults.append(f"{where}: {text}")

    def equal(self, where, theirs, ours):
        """One value. Numbers may be spelt as text on either side, never differ."""
        self.compared += 1
        if theirs != ours and str(theirs) != str(ours):
            self.fault(where, f"the tool says {theirs!r}, we say {ours!r}")

    def between(self, where, before, ours, after):
        """A value that moves: ours was read between two readings of the tool. A timer that wrapped says nothing."""
        self.compared += 1
        if before <= after and not (ours is not None and before <= ours <= after):
            self.fault(where, f"the tool says {before!r}, then {after!r}, we say {ours!r} in between")

    def take(self, printed, faults):
        """The verdict of compare_ip on all values of a tool's JSON."""
        self.compared += count_values(printed)
        self.faults += faults

    def table(self, where, printed, table, ours):
        """printed: {field: text} of a tool; table: {field: function of our value} or None where printed on purpose
        says nothing of the machine."""
        for field, text in printed.items():
            if field not in table:
                self.fault(where, f"the tool prints {field!r} ({text!r}), which this test does not know")
            elif table[field] is not None:
                try:
                    value = table[field](ours)
                except (KeyError, IndexError, TypeError) as missing:
                    self.fault(f"{where} {field}", f"the tool says {text!r}, we lack {missing}")
                else:
                    self.equal(f"{where} {field}", text, value)

    def done(self, at_least):
        """at_least: fewer comparisons mean that the test lost its subject."""
        for fault in self.faults:
            print(f"DIFFERENCE {fault}")
        say(f"{self.compared} values compared, {len(self.faults)} differences")
        if self.compared < at_least:
            print(f"DIFFERENCE only {self.compared} values compared, {at_least} were expected at least")
        return not self.faults and self.compared >= at_least
