"""Unpack recorded trees of nodes: the project's own text form (tests/fixtures/README.md), tar and ttar archives."""
import bz2
import os
import re
import tarfile
from pathlib import Path


# Folders of a whole machine that no observer reads; they are most of it.
UNUSED = {"msi_irqs", "power", "queues", "statistics", "block", "memory", "cache", "topology", "thermal_throttle",
          "cpufreq", "cpuidle", "virtual_memory", "diag_counters", "ata1", "input", "usb", "scsi_host", "tty"}


def _write(root: Path, name: str, content: bytes) -> None:
    span = re.search(r"\{(\d+)\.\.(\d+)\}", name)
    if span:
        for i in range(int(span[1]), int(span[2]) + 1):
            _write(root, name[: span.start()] + str(i) + name[span.end() :], content)
        return
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _unescaped(text: str) -> bytes:
    plain = {"n": b"\n", "t": b"\t"}

    def value(match: re.Match) -> bytes:
        word = match[1].decode()
        return bytes([int(word[1:], 16)]) if word[0] == "x" and len(word) == 3 else plain.get(word, word.encode())

    return re.sub(rb"\\(x[0-9a-fA-F]{2}|.)", value, text.encode())


def unpack_text(file: Path, root: Path) -> None:
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if " -> " in line:
            name, target = line.split(" -> ", 1)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            os.symlink(target, root / name)
        elif " =x " in line:
            name, octets = line.split(" =x ", 1)
            _write(root, name, bytes.fromhex(octets))
        elif " =" in line:
            name, value = line.split(" =", 1)
            _write(root, name, _unescaped(value[1:]) + b"\n" if value[1:] else b"")
        else:
            (root / line).mkdir(parents=True, exist_ok=True)


def unpack_ttar(archive: bytes, root: Path) -> None:
    """ttar (github.com/ideaship/ttar): Path, Lines, content; SymlinkTo; Directory. NULLBYTE and EOF are marks."""
    lines = archive.split(b"\n")
    i = 0
    name = None
    while i < len(lines):
        key, _, value = lines[i].partition(b": ")
        i += 1
        if key == b"Directory":
            (root / value.decode()).mkdir(parents=True, exist_ok=True)
        elif key == b"Path":
            name = value.decode()
        elif key == b"SymlinkTo" and name:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            os.symlink(value.decode(), root / name)
        elif key == b"Lines" and name:
            body = b"\n".join(lines[i : i + int(value)]) + b"\n"
            i += int(value)
            if body.endswith(b"EOF\n"):
                body = body[:-4]
            _write(root, name, body.replace(b"NULLBYTE", b"\0"))


def unpack(archive: Path, root: Path) -> Path:
    """Unpacks an archive of recorded sysfs below `root`; returns the folder that holds sys/."""
    if archive.name.endswith(".ttar.bz2"):
        unpack_ttar(bz2.decompress(archive.read_bytes()), root)
        return root
    made = set()
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = member.name.split("/")
            if member.name.startswith("/") or ".." in parts or UNUSED.intersection(parts):
                continue
            path = root / member.name
            if path.parent not in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                made.add(path.parent)
            if member.isdir():
                path.mkdir(exist_ok=True)
            elif member.issym():
                os.symlink(member.linkname, path)
            elif member.isfile():
                path.write_bytes(tar.extractfile(member).read())
    for folder in [root, *root.iterdir()]:
        if (folder / "sys").is_dir():
            return folder
    # a bare class folder
    (classes,) = [folder for folder in root.iterdir() if folder.is_dir()]
    (root / "sys/class").mkdir(parents=True)
    classes.rename(root / "sys/class/infiniband")
    return root
