"""ifupdown2's own reader of interfaces(5), from Debian's package, unpacked into a folder of its own.

Nothing is installed and nothing is run as the system's ifupdown2: the reader is imported from the unpacked tree.
"""
import logging
import subprocess
import sys
from pathlib import Path


class Reading:
    """What ifupdown2 makes of a file."""

    def __init__(self, stanzas, errors, dropped):
        self.stanzas = stanzas  # [{name, family, method, auto, config: {option: [values]}}]
        self.errors = errors  # how often it said "error"
        self.dropped = dropped  # it could not read the file at all


def unpack_package(name, folder, present):
    """The root of a Debian package, downloaded and unpacked unless one of the paths `present` is there; None without
    a network."""
    folder = Path(folder)
    tree = folder / "tree"
    if not any((tree / path).exists() for path in present):
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["apt-get", "-o", "APT::Sandbox::User=root", "download", name], cwd=folder,
                              capture_output=True, text=True, check=False)
        packages = sorted(folder.glob(f"{name}_*.deb"))
        if done.returncode or not packages:
            return None
        subprocess.run(["dpkg-deb", "-x", packages[-1], tree], check=True)
    return tree


def unpack(folder):
    """The folder of ifupdown2 to import from; None without a network."""
    root = unpack_package("ifupdown2", folder, ["usr/share/ifupdown2"])
    return root and root / "usr/share/ifupdown2"


def load(tree):
    """Imports the reader's module from an unpacked tree."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tree))
    logging.disable(logging.CRITICAL)
    from ifupdown import networkinterfaces  # pylint: disable=import-error,import-outside-toplevel
    return networkinterfaces




def read(module, path):
    stanzas = []
    reader = module.networkInterfaces(str(path))
    reader.subscribe("iface_found", stanzas.append)
    dropped = False
    warn = reader.logger.warning

    def warning(message, *words):
        nonlocal dropped
        if words and str(words[0]) == str(path) and "error processing file" in message:
            dropped = True
        warn(message, *words)

    reader.logger.warning = warning
    try:
        reader.load()
    except Exception:  # pylint: disable=broad-exception-caught # a traceback is how it ends on some files
        dropped = True
    finally:
        reader.logger.warning = warn
    return Reading([{"name": one.name, "family": (one.addr_family or [None])[0], "method": one.addr_method,
                     "auto": bool(one.auto), "config": {key: list(values) for key, values in one.config.items()}}
                    for one in stanzas], reader.errors, dropped)
