"""A network namespace of one's own, with its own /sys, that ends with its owner."""
import json
import os
import subprocess
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def program():
    """The command under test: $PVE_RDMA, else the development build."""
    return os.environ.get("PVE_RDMA", str(REPO / "build/dev/bin/pve-rdma"))


class Bed:
    def __enter__(self):
        # The namespaces live as long as cat reads: no process stays behind when this one dies.
        self.keeper = subprocess.Popen(
            ["unshare", "-n", "-m", "--propagation", "private", "sh", "-c",
             "mount -t sysfs sysfs /sys 2>/dev/null; ip link set lo up; echo ready; exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.keeper.stdout.readline() != "ready\n":
            raise RuntimeError("no network namespace (needs root)")
        return self

    def __exit__(self, *_):
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait()

    def inside(self, command):
        return ["nsenter", "-t", str(self.keeper.pid), "-n", "-m", "--", *command]

    def run(self, *command, check=True, **keywords):
        result = subprocess.run(self.inside(command), capture_output=True, text=True, **keywords)
        if check and result.returncode:
            raise RuntimeError(f"{' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
        return result

    def batch(self, lines):
        """Many ip(8) commands in one process."""
        self.run("ip", "-batch", "-", input="\n".join(lines) + "\n")

    def json(self, *command):
        text = self.run(*command).stdout
        return json.loads(text) if text.strip() else []

    def has_kind(self, kind):
        """Whether this kernel makes links of a kind."""
        made = self.run("ip", "link", "add", "try0", "type", kind, check=False).returncode == 0
        if made:
            self.run("ip", "link", "del", "try0")
        return made

    def report(self, *arguments):
        # Exit code 1 says that the doctor or a source has something to tell; the report is there all the same.
        result = self.run(program(), "probe", "--json", *arguments, check=False)
        try:
            return json.loads(result.stdout)["report"]
        except (ValueError, KeyError) as error:
            raise RuntimeError(f"no report: {error}: {result.stdout[:300]} {result.stderr[:300]}") from error

    def connect(self, name, other, other_name, mtu=1500):
        """A cable to another bed: one end here, one there, both up."""
        self.run("ip", "link", "add", name, "mtu", str(mtu), "type", "veth",
                 "peer", "name", other_name, "mtu", str(mtu), "netns", str(other.keeper.pid))
        self.run("ip", "link", "set", name, "up")
        other.run("ip", "link", "set", other_name, "up")

    def address(self, link, *addresses):
        for address in addresses:
            # IPv6 would be tentative for a second: duplicate address detection.
            nodad = ["nodad"] if ":" in address else []
            self.run("ip", "address", "add", address, "dev", link, *nodad)

    def sysctl(self, **settings):
        """Names with __ for the points between."""
        for name, value in settings.items():
            path = "/proc/sys/" + name.replace("__", "/")
            self.run("sh", "-c", 'echo "$1" > "$2"', "sh", str(value), path)

    def popen(self, *command, **keywords):
        return subprocess.Popen(self.inside(command), **keywords)
