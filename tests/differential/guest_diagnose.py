#!/usr/bin/env python3
"""In a guest with software InfiniBand cards: what is done to the fabric and to IPoIB is found by the next diagnosis,
and gone from the one after it is mended.

Run by tests/lab/guest/run. argv[1]: softib.ko.
"""
import json
import subprocess
import sys
from pathlib import Path

from guest_compare import PVE_RDMA, run, say, wait_for, write

NET = Path("/sys/class/net")
PORT = Path("/sys/class/infiniband/softib0/ports/1")
WORK = Path("/run/opensm")


def findings():
    """{rule: [subjects]} of one diagnosis. Its exit status is 1 exactly when an error is found."""
    done = subprocess.run([PVE_RDMA, "diagnose", "--json"], capture_output=True, text=True)
    reply = json.loads(done.stdout)
    assert reply["error"] is None, reply["error"]
    errors = [one for one in reply["findings"] if one["severity"] == "error"]
    assert done.returncode == (1 if errors else 0), done.returncode
    found = {}
    for one in reply["findings"]:
        found.setdefault(one["rule"], []).append(one["subject"])
    return found


def start_opensm(mtu):
    """mtu: of the IPoIB group, as partitions.conf counts it (4: 2048, 5: 4096)."""
    (WORK / "partitions").write_text(f"Default=0x7fff, ipoib, mtu={mtu} : ALL=full;\n")
    guid = (PORT / "gids/0").read_text().strip()[20:].replace(":", "")
    opensm = subprocess.Popen(["opensm", "-g", f"0x{guid}", "-P", WORK / "partitions", "-f", WORK / "log"],
                              env={"OSM_TMP_DIR": WORK, "OSM_CACHE_DIR": WORK, "PATH": "/usr/sbin:/usr/bin"},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for port in (1, 2):
        state = PORT.parent / str(port) / "state"
        wait_for(f"opensm brings port {port} up", lambda: "ACTIVE" in state.read_text(), 90)
    return opensm


class Story:
    def __init__(self):
        self.faults = 0

    def expect(self, what, found, present=(), absent=()):
        wrong = [f"{rule} is missing" for rule in present if rule not in found]
        wrong += [f"{rule} speaks of {found[rule]}" for rule in absent if rule in found]
        say(f"{what}: {'; '.join(wrong) or 'as it should be'} (found: {', '.join(sorted(found)) or 'nothing'})")
        self.faults += len(wrong)


def main():
    story = Story()
    WORK.mkdir()
    run("modprobe", "-a", "ib_umad", "ib_uverbs", "ib_ipoib")
    run("insmod", sys.argv[1], "hcas=1", "sm=external", "mtu_max=4096", "mtu=2048", "speed=16")
    story.expect("no subnet manager", findings(), present=["SM-01"], absent=["SM-02"])

    opensm = start_opensm(mtu=4)
    run("ip", "link", "set", "ib0", "up")
    wait_for("ib0 has carrier", lambda: (NET / "ib0/carrier").read_text().strip() == "1")
    story.expect("opensm runs", findings(), absent=["SM-01", "SM-02", "MTU-05"])

    opensm.kill()
    opensm.wait()
    story.expect("opensm was killed", findings(), present=["SM-02"], absent=["SM-01"])
    opensm = start_opensm(mtu=4)
    # The port stays ACTIVE when its master dies, so its state does not tell when the new one answers.
    wait_for("the new opensm answers", lambda: "MASTER" in run("sminfo", check=False))
    story.expect("opensm runs again", findings(), absent=["SM-01", "SM-02"])

    write(NET / "ib0/mode", "connected")
    run("ip", "link", "set", "ib0", "mtu", "2044")
    story.expect("connected mode with 2044", findings(), present=["MTU-05"])
    run("ip", "link", "set", "ib0", "mtu", "65520")
    story.expect("connected mode with 65520", findings(), absent=["MTU-05"])
    write(NET / "ib0/mode", "datagram")
    story.expect("datagram mode again", findings(), absent=["MTU-05"])
    opensm.kill()
    return 1 if story.faults else 0


if __name__ == "__main__":
    sys.exit(main())
