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


def unpack(folder):
    """Downloads and unpacks the package; returns the folder to import from, None without a network."""
    folder = Path(folder)
    tree = folder / "tree/usr/share/ifupdown2"
    if not tree.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["apt-get", "-o", "APT::Sandbox::User=root", "download", "ifupdown2"], cwd=folder,
                              capture_output=True, text=True, check=False)
        packages = sorted(folder.glob("ifupdown2_*.deb"))
        if done.returncode or not packages:
            return None
        subprocess.run(["dpkg-deb", "-x", packages[-1], folder / "tree"], check=True)
    return tree


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
