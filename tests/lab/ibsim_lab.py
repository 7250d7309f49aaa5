#!/usr/bin/env python3
"""A simulated InfiniBand fabric: ibsim, opensm on its hosts, and programs that believe they run on such a host.

As a module:

    with IbsimLab(mtu=NET4_MTU) as lab:
        lab.start_sm("pve1", partitions=PARTITIONS_4K)
        print(lab.run("pve3", ["sminfo"]).stdout)
        lab.console('Unlink "pve4"[1]')

As a command, for shell scripts (lab.sh beside the netlists):

    ibsim_lab.py [--net FILE] [--mtu FILE] [--delay US] [--sm HOST[:PRIORITY]]... -- COMMAND ...

runs COMMAND with LAB_PRELOAD and IBSIM_SOCKNAME set and ends with its status.

Labs run side by side, as any user. Whatever a lab starts dies with the process that holds it. What ibsim cannot do:
one port of a host only, no verbs, no multi-packet SA answers, at most 10 clients at once.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = Path(__file__).resolve().parent / "ibsim"
BUILD = FILES.parents[2] / "build" / "lab"
NET4 = FILES / "net4"
NET4_MTU = FILES / "mtu4"
OPENSM_FAST = FILES / "opensm-fast.conf"
PARTITIONS_4K = FILES / "partitions-4k.conf"
PARTITIONS_2K = FILES / "partitions-2k.conf"
# The child gets SIGKILL when its parent dies; setpriv then becomes the command.
DIE_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"]


class LabError(Exception):
    """The lab itself failed, not what runs in it."""


def umad2sim():
    """The library that answers for /dev/infiniband and /sys/class/infiniband."""
    for found in Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"):
        return found
    raise LabError("libumad2sim.so is missing (package libumad2sim0)")


def build_shim(name):
    """Compile tests/lab/ibsim/NAME.cpp unless build/lab has it; return the library."""
    source, library = FILES / f"{name}.cpp", BUILD / f"lib{name}.so"
    if library.exists() and library.stat().st_mtime > source.stat().st_mtime:
        return library
    BUILD.mkdir(parents=True, exist_ok=True)
    new = library.with_name(f"{library.name}.{os.getpid()}")
    compiler = ["g++", "-std=c++23", "-O2", "-shared", "-fPIC", "-o", new, source, "-libmad"]
    done = subprocess.run(compiler, capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"{source.name} does not compile:\n{done.stderr}")
    new.rename(library)
    return library


def port_guids(netlist):
    """{host: GUID of its port 1}, from the "Ca" blocks of an ibsim netlist."""
    guids, host = {}, None
    for line in Path(netlist).read_text().splitlines():
        if block := re.match(r'(Ca|Switch)\s+\d+\s+"([^"]+)"', line):
            host = block[2] if block[1] == "Ca" else None
        elif host and (port := re.match(r"\[1\]\(([0-9a-f]+)\)", line)):
            guids[host] = int(port[1], 16)
    return guids


def wait_for(what, condition, seconds=20):
    """Poll until condition() is true; raise LabError("... within") otherwise."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise LabError(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return result


def stop(process):
    """SIGTERM, and SIGKILL for what does not heed it (opensm spins when its HCA is gone)."""
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class IbsimLab:
    """One fabric. mtu: a file for the MTU shim; delay_us: each answer comes that much later."""

    def __init__(self, net=NET4, mtu=None, delay_us=0):
        self.net, self.mtu, self.delay_us = Path(net).resolve(), mtu, delay_us
        self.preload = umad2sim()
        self.guids = port_guids(self.net)
        self.managers = {}
        self._marks = 0

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ibsim-lab-"))
        # An abstract socket's name: one per lab, so that labs do not meet.
        self.socket = self.folder.name
        self.log = self.folder / "ibsim.log"
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in list(self.managers):
            stop(self.managers.pop(host))
        if server := getattr(self, "server", None):
            stop(server)
            server.stdin.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self):
        variables, shims = {"IBSIM_SOCKNAME": self.socket}, []
        if self.mtu:
            shims.append(build_shim("ibsim_mtu"))
            variables["IBSIM_MTU_FILE"] = Path(self.mtu).resolve()
        if self.delay_us:
            shims.append(build_shim("ibsim_delay"))
            variables["IBSIM_DELAY_US"] = self.delay_us
        variables["LD_PRELOAD"] = " ".join(map(str, shims))
        with self.log.open("w") as log:
            # ibsim spins when its console ends: the pipe stays open as long as we live.
            self.server = subprocess.Popen(
                [*DIE_WITH_PARENT, *as_environment(variables), "ibsim", "-s", self.net],
                stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder, text=True)
        wait_for("ibsim is ready", lambda: self._alive() and "simulator ready" in self.log.read_text())

    def _alive(self):
        if self.server.poll() is not None:
            raise LabError(f"ibsim ended with {self.server.returncode}:\n{self.log.read_text()[-2000:]}")
        return True

    def environment(self, host):
        """What makes a program believe that it runs on this host."""
        return {"SIM_HOST": host, "IBSIM_SOCKNAME": self.socket, "LD_PRELOAD": str(self.preload)}

    def run(self, host, command, timeout=60, check=False, **more):
        """Run a program on a host, in a folder of its own (umad2sim writes there); returns CompletedProcess."""
        self._alive()
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            return subprocess.run([*DIE_WITH_PARENT, *as_environment(self.environment(host)), *command],
                                  cwd=scratch, timeout=timeout, check=check, stdin=subprocess.DEVNULL, **more)

    def console(self, command):
        """Run one command of ibsim's console and return what it prints."""
        self._alive()
        start = self.log.stat().st_size
        self._marks += 1
        # The answer to a word that ibsim does not know marks the end of the answer before it.
        mark = f"mark-{self._marks}"
        self.server.stdin.write(f"{command}\n{mark}\n")
        self.server.stdin.flush()

        def answer():
            self._alive()
            said, end, _ = self.log.read_bytes()[start:].decode().partition(f"command '{mark}' unknown")
            return [said] if end else None

        return wait_for(f"ibsim answers {command}", answer)[0].replace("sim> ", "").strip()

    def start_sm(self, host, priority=10, config=OPENSM_FAST, partitions=None, args=()):
        """Start opensm on a host's port 1; returns when it is master of a swept subnet, or standby."""
        folder = self.folder / f"opensm-{host}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        variables = {**self.environment(host), "OSM_CACHE_DIR": folder, "OSM_TMP_DIR": folder}
        command = ["opensm", "-f", folder / "opensm.log", "-g", f"{self.guids[host]:#x}", "-p", str(priority),
                   "-F", config, *args]
        if partitions:
            command += ["-P", partitions]
        with (folder / "output").open("w") as output:
            manager = subprocess.Popen([*DIE_WITH_PARENT, *as_environment(variables), *command], cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self.managers[host] = manager

        def settled():
            if self._alive() and manager.poll() is not None:
                raise LabError(f"opensm on {host} ended:\n{self.sm_log(host)[-2000:]}")
            return re.search("SUBNET UP|STANDBY", self.sm_log(host))

        wait_for(f"opensm on {host} has swept", settled, 120)

    def sm_log(self, host):
        """Everything that the opensm of a host has said."""
        folder = self.folder / f"opensm-{host}"
        return "".join(file.read_text(errors="replace") for file in
                       (folder / "output", folder / "opensm.log") if file.exists())

    def stop_sm(self, host):
        """End the opensm of a host, and its stale client."""
        stop(self.managers.pop(host))
        self.reap()

    def resweep(self, host):
        """Let the opensm of a host sweep now."""
        self.managers[host].send_signal(signal.SIGHUP)

    def reap(self):
        """Drop clients whose process is gone: ibsim would clear the IsSM bit of their successor later."""
        for client, pid in re.findall(r"Client (\d+): pid (\d+)", self.console("Attached")):
            if not Path(f"/proc/{pid}").exists():
                self.console(f"X {client}")


def as_environment(variables):
    """env(1) in front of a command, so that a preloaded library is loaded by nothing before it."""
    return ["env", *(f"{name}={value}" for name, value in variables.items())]


def main():
    parser = argparse.ArgumentParser(description="Run a command beside a simulated InfiniBand fabric.")
    parser.add_argument("--net", default=NET4, help="netlist (default: 4 hosts, 2 switches)")
    parser.add_argument("--mtu", help="file for the MTU shim: PORTGUID PORT|* MTU")
    parser.add_argument("--delay", type=int, default=0, metavar="US", help="delay of each answer")
    parser.add_argument("--sm", action="append", default=[], metavar="HOST[:PRIORITY]", help="opensm on a host")
    parser.add_argument("--partitions", help="opensm's partition file")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    try:
        with IbsimLab(options.net, options.mtu, options.delay) as lab:
            for manager in options.sm:
                host, _, priority = manager.partition(":")
                lab.start_sm(host, priority or 10, partitions=options.partitions)
            variables = {"IBSIM_SOCKNAME": lab.socket, "LAB_PRELOAD": lab.preload, "LAB_FOLDER": lab.folder}
            return subprocess.call([*DIE_WITH_PARENT, *as_environment(variables), *options.command])
    except KeyboardInterrupt:
        return 130
    except LabError as error:
        print(f"ibsim lab: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
