#!/usr/bin/env python3
"""`config edit` under a debugger, on an ext4 of its own: before and after every system call, what a power cut would leave
(the device's content, mounted anew: what the kernel had not written is lost) and what kill -9 leaves.

Run as root in a mount namespace of its own: unshare -m power_cut.py PROGRAM. Prints how many moments it looked at, and
every content that is neither the old nor the new one.
"""
import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

OLD = b"# mine\nauto eth0\niface eth0 inet static\n    address 192.0.2.5/24\n    mtu 1500\n"
NEW = OLD.replace(b"1500", b"9000")
WORK = Path("/run/power")
IMAGE, CUT = WORK / "disk", WORK / "cut"
FILE = Path("/etc/network/interfaces")
# Renames and data in whatever order the file system likes: no help for programs that forget fsync.
OPTIONS = "loop,noauto_da_alloc,data=writeback"
TRACEME, SYSCALL = 0, 24
libc = ctypes.CDLL(None, use_errno=True)


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


def fresh():
    """The old file, safely on the disk."""
    for name in os.listdir(FILE.parent):
        if name not in ("lost+found", FILE.name):
            (FILE.parent / name).unlink()
    FILE.write_bytes(OLD)
    os.sync()


def stops(program):
    """Starts the edit; yields at the entry and the exit of each system call. Closing the generator kills it."""
    child = os.fork()
    if child == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in (1, 2):
            os.dup2(null, descriptor)
        libc.ptrace(TRACEME, 0, 0, 0)
        os.execv(program, [program, "config", "edit", "--iface", "eth0", "--set", "mtu=9000"])
    status = None
    try:
        while True:
            _, status = os.waitpid(child, 0)
            if not os.WIFSTOPPED(status):
                return
            yield
            # A signal's stop is passed on as if nothing had come: nobody sends any.
            libc.ptrace(SYSCALL, child, 0, 0)
    finally:
        if status is None or os.WIFSTOPPED(status):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        elif os.waitstatus_to_exitcode(status):
            sys.exit(f"the edit failed: {status}")


def after_power_cut():
    """What the device holds, as the next boot would read it; None: as at the last look."""
    shutil.copyfile(IMAGE, CUT)
    content = hashlib.sha256(CUT.read_bytes()).digest()
    if content == after_power_cut.seen:
        return None
    after_power_cut.seen = content
    run("mount", "-o", OPTIONS, CUT, WORK / "mounted")
    try:
        return (WORK / "mounted" / FILE.name).read_bytes()
    finally:
        run("umount", WORK / "mounted")


after_power_cut.seen = None


def main():
    program = sys.argv[1]
    run("mount", "-t", "tmpfs", "none", "/run")
    (WORK / "mounted").mkdir(parents=True)
    with open(IMAGE, "wb") as image:
        image.truncate(4 << 20)
    run("mkfs.ext4", "-q", "-F", "-O", "has_journal", IMAGE)
    run("mount", "-o", OPTIONS, IMAGE, FILE.parent)

    fresh()
    calls, cuts, faults = 0, [], []
    for _ in stops(program):
        calls += 1
        cuts.append(after_power_cut())
    cuts.append(after_power_cut())
    looked = [content for content in cuts if content is not None]
    faults += [content for content in looked if content not in (OLD, NEW)]
    if looked[-1] != NEW:
        faults.append(b"after the end: " + looked[-1])

    kills = {OLD: 0, NEW: 0}
    for moment in range(calls):
        fresh()
        running = stops(program)
        for _ in range(moment + 1):
            next(running, None)
        running.close()
        content = FILE.read_bytes()
        kills[content] = kills.get(content, 0) + 1
    faults += [content for content in kills if content not in (OLD, NEW)]
    print(f"calls {calls} disks {len(looked)} killed-old {kills[OLD]} killed-new {kills[NEW]} faults {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
