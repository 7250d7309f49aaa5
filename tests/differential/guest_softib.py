#!/usr/bin/env python3
"""In a guest: InfiniBand cards in software (softib) and the kernel's IPoIB on them; what the standard tools print
equals ours: first with the switch as subnet manager, then with opensm.

Run by tests/lab/guest/run. argv[1]: softib.ko.
"""
import subprocess
import sys
from pathlib import Path

from guest_compare import Comparison, report, run, say, wait_for, write
from guest_fabric import compare_path, compare_port, compare_sm
from guest_ip import compare_ip
from guest_rdma import compare_devices

NET = Path("/sys/class/net")
RDMA = Path("/sys/class/infiniband")
PARTITIONS = "Default=0x7fff, ipoib, mtu=5 : ALL=full;\nStorage=0x1, ipoib, mtu=4 : ALL=full;\n"


def wait_for_carrier(*links):
    for link in links:
        wait_for(f"{link} has carrier", lambda: (NET / link / "carrier").read_text().strip() == "1")


def set_up_ipoib():
    """ib0 datagram with two children (by sysfs and by rtnetlink), ib1 connected, ib2 and ib3 in a bond."""
    write(NET / "ib0" / "create_child", "0x8001")
    run("ip", "link", "add", "link", "ib1", "name", "ib1p8001", "type", "ipoib", "pkey", "0x8001", "mode", "connected")
    write(NET / "ib1" / "mode", "connected")
    run("ip", "link", "set", "ib1", "mtu", "65520")
    run("ip", "link", "add", "bond0", "type", "bond", "mode", "active-backup", "miimon", "100")
    run("ip", "link", "set", "ib2", "master", "bond0")
    run("ip", "link", "set", "ib3", "master", "bond0")
    for link in ("ib0", "ib0.8001", "ib1", "ib1p8001", "bond0"):
        run("ip", "link", "set", link, "up")
    run("ip", "address", "add", "192.0.2.1/24", "dev", "ib0")
    run("ip", "address", "add", "198.51.100.1/24", "metric", "10", "dev", "bond0")
    wait_for_carrier("ib0", "ib0.8001", "ib1", "bond0")


def with_switch_as_sm(test, module):
    run("insmod", module, "hcas=2", "pkeys=0xffff,0x8001")
    set_up_ipoib()
    wait_for("addresses are no longer tentative", lambda: "tentative" not in run("ip", "address"))
    say("IPoIB is up")
    compare_devices(test, compare_ip(test, report))
    say("links and devices")
    compare_sm(test)
    compare_port(test, 2, 1)
    compare_port(test, 1, 2)  # the switch
    say("fabric")


def with_opensm(test, module):
    """The ports wait in INIT; opensm brings them up and answers path queries."""
    run("rmmod", "softib")
    run("insmod", module, "hcas=1", "sm=external", "mtu_max=4096", "mtu=2048", "speed=16")
    compare_devices(test, report())
    work = Path("/run/opensm")
    work.mkdir()
    (work / "partitions").write_text(PARTITIONS)
    guid = (RDMA / "softib0/ports/1/gids/0").read_text().strip()[20:].replace(":", "")
    opensm = subprocess.Popen(["opensm", "-g", f"0x{guid}", "-P", work / "partitions", "-f", work / "log"],
                              env={"OSM_TMP_DIR": work, "OSM_CACHE_DIR": work, "PATH": "/usr/sbin:/usr/bin"},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for("opensm brings port 2 up", lambda: "ACTIVE" in (RDMA / "softib0/ports/2/state").read_text(), 90)
        say("opensm has swept")
        compare_devices(test, report())
        compare_sm(test)
        lids = [int((RDMA / f"softib0/ports/{port}/lid").read_text(), 0) for port in (1, 2)]
        compare_port(test, lids[1], 2)
        compare_path(test, *lids)
        say("fabric with opensm")
    finally:
        opensm.kill()


def main():
    module = sys.argv[1]
    run("modprobe", "-a", "ib_umad", "ib_uverbs", "ib_ipoib", "bonding")
    test = Comparison()
    with_switch_as_sm(test, module)
    with_opensm(test, module)
    return 0 if test.done(at_least=1400) else 1


if __name__ == "__main__":
    sys.exit(main())
