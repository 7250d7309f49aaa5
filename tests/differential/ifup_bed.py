"""A namespace in which a real ifup, of ifupdown2 or of ifupdown, works on a private /etc/network with our hooks.

The programs come from Debian's packages, unpacked into a folder; nothing is installed.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

import ifupdown2
from netns_bed import Bed, REPO

HOOK = os.environ.get("PVE_RDMA_IFUP", str(REPO / "build/dev/bin/pve-rdma-ifup"))
FOLDERS = ("if-pre-up.d", "if-up.d", "if-post-up.d", "if-post-down.d")  # as debian/pve-rdma.links
FILE = "/etc/network/interfaces"


def unpack_ifupdown(folder):
    """The root of the package ifupdown, unpacked; None without a network."""
    return ifupdown2.unpack_package("ifupdown", folder, ["sbin/ifup", "usr/sbin/ifup"])


def write_wrappers(folder):
    """ifupdown2 looks at the name that it is called by, and the package's links lead to a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("ifup", "ifdown", "ifreload", "ifquery"):
        wrapper = folder / name
        wrapper.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '/usr/share/ifupdown2')\n"
                           f"sys.argv[0] = '/usr/sbin/{name}'\nsys.dont_write_bytecode = True\n"
                           "exec(compile(open('/usr/share/ifupdown2/__main__.py').read(), sys.argv[0], 'exec'))\n",
                           encoding="utf-8")
        wrapper.chmod(0o755)
    return folder


class IfupBed(Bed):
    """tree: the unpacked package; tools: the folder with ifup."""

    def prepare(self, etc):
        hooks = "\n".join(f"mkdir -p /etc/network/{folder}; ln -s {HOOK} /etc/network/{folder}/pve-rdma"
                          for folder in FOLDERS)
        self.shell(f"""
            mount -t tmpfs none /etc/network; mount -t tmpfs none /run; mount -t tmpfs none /var/tmp
            mkdir -p /run/network /var/tmp/network /etc/network/interfaces.d /etc/network/if-down.d
            {etc}
            {hooks}
        """)

    def shell(self, script, check=True):
        return self.run("bash", "-euc", script, check=check)

    def file(self, text, path=FILE):
        self.run("tee", path, input=text)

    def tool(self, name, *arguments, check=True):
        """Runs ifup and the like; its words, for nothing may be said where all is well."""
        result = self.run(f"{self.tools}/{name}", *arguments, check=False)
        words = result.stdout + result.stderr
        if check and result.returncode:
            raise AssertionError(f"{name} {arguments}: status {result.returncode}: {words}")
        return words

    def routes(self, *selector):
        """Routes as a sorted list of short lines."""
        lines = []
        for family in ("-4", "-6"):
            # A table that has never held a route is an error to ip(8).
            shown = self.run("ip", "-j", family, "route", "show", *selector, check=False)
            for route in json.loads(shown.stdout or "[]") if shown.returncode == 0 else []:
                if route["dst"].startswith(("fe80:", "ff00:")) or route.get("type") == "multicast":
                    continue
                words = [route["dst"], route["dev"], str(route.get("metric", 0))]
                words += [route["gateway"]] if "gateway" in route else []
                lines.append(" ".join(words))
        return sorted(lines)

    def rules(self):
        return sorted(f"{rule['priority']} {rule['src']} {rule['table']}" for rule in self.json("ip", "-j", "rule")
                      if rule["table"] not in ("local", "main", "default"))


class Ifupdown2Bed(IfupBed):
    name = "ifupdown2"

    def __init__(self, folder):
        self.tree = ifupdown2.unpack(os.environ.get("IFUPDOWN2_TREE", f"{folder}/ifupdown2"))
        self.tools = write_wrappers(f"{folder}/tools2") if self.tree else None

    def __enter__(self):
        super().__enter__()
        self.prepare(f"""
            mount -t overlay overlay -o lowerdir={self.tree.parents[1]}:/usr /usr
            cp -r {self.tree.parents[2]}/etc/network/ifupdown2 /etc/network/
            mount -t tmpfs none /var/lib; mkdir -p /var/lib/ifupdown2
        """)
        return self

    def reload(self, *names):
        del names
        return self.tool("ifreload", "-a")


class IfupdownBed(IfupBed):
    name = "ifupdown"

    def __init__(self, folder):
        self.tree = unpack_ifupdown(f"{folder}/ifupdown")
        self.tools = None
        if self.tree:
            self.tools = next(path for path in (self.tree / "sbin", self.tree / "usr/sbin") if path.is_dir())

    def __enter__(self):
        super().__enter__()
        self.prepare("")
        return self

    def reload(self, *names):
        """ifupdown cannot reload: down, as the file is now, and up again."""
        return "".join(self.tool(tool, name) for name in names for tool in ("ifdown", "ifup"))
