#!/usr/bin/env python3
"""In a guest with InfiniBand cards in software (softib): IPoIB comes up from /etc/network/interfaces alone, by ifupdown's
and by ifupdown2's `ifup -a`, with our hook; `ifreload -a` changes nothing; what is removed from the file goes.

Run by tests/lab/guest/run. argv[1]: softib.ko. argv[2]: a folder with the unpacked packages (ifup_bed.py).
"""
import os
import subprocess
import sys
from pathlib import Path

from guest_compare import run, run_json, say, wait_for
from ifup_bed import FOLDERS, HOOK

NET = Path("/sys/class/net")
ETC = Path("/etc/network")
OWN_FILE = ETC / "interfaces.d/pve-rdma"

ALONE = """auto lo
iface lo inet loopback

auto ib0
iface ib0 inet static
    address 192.0.2.1/24
    ib-mode connected
    mtu 65520

source /etc/network/interfaces.d/*
"""
BOND = """
auto ib2
iface ib2 inet manual
    ib-mode connected
    mtu 65520

auto ib3
iface ib3 inet manual
    ib-mode connected
    mtu 65520

auto bond0
iface bond0 inet static
    address 198.51.100.10/24
    bond-slaves ib2 ib3
    bond-mode active-backup
    bond-miimon 100
    bond-downdelay 200
    bond-updelay 200
    mtu 65520
"""
CHILD = """auto ib0p8001
iface ib0p8001 inet static
    ib-parent ib0
    ib-pkey 0x8001
    ib-mode {mode}
    mtu {mtu}
    address 203.0.113.1/25
    rdma-metric 7
    rdma-route 203.0.113.128/25 via 203.0.113.2 metric 9
"""
FAULTS = []


def equal(what, expected, found):
    if expected != found:
        FAULTS.append(what)
        print(f"DIFFERENCE {what}: {expected!r} is wanted, {found!r} is there", flush=True)


def tool(*command):
    """Runs ifup and the like, whose words are shown; a failure is a fault."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    words = (done.stdout + done.stderr).strip()
    say(f"{Path(command[0]).name} {' '.join(command[1:])}: status {done.returncode}" + (f"\n{words}" if words else ""))
    equal(f"status of {command[0]}", 0, done.returncode)


def link(name):
    found = [one for one in run_json("ip", "-j", "-d", "link") if one.get("ifname") == name]
    return found[0] if found else None


def ipoib(name):
    """What matters of an IPoIB link."""
    one = link(name)
    data = one.get("linkinfo", {}).get("info_data", {}) if one else {}
    return one and {"mtu": one["mtu"], "mode": data.get("mode"), "key": data.get("key"), "link": one.get("link"),
                    "up": "UP" in one["flags"]}


def state():
    """All that a reload must not touch; times are left out."""
    links = [(one["ifname"], one["ifindex"], one["mtu"], one.get("master"), one.get("linkinfo", {}).get("info_kind"),
              sorted(one["flags"])) for one in run_json("ip", "-j", "-d", "link")]
    addresses = [(one["ifname"], address["local"], address.get("metric"))
                 for one in run_json("ip", "-j", "address") for address in one["addr_info"]]
    return links, addresses, run("ip", "route"), run("ip", "-6", "route"), run("ip", "rule")


def wait_for_carrier(*links):
    for name in links:
        wait_for(f"{name} has carrier", lambda: (NET / name / "carrier").read_text().strip() == "1")


def prepare(packages):
    tree = packages / "ifupdown2/tree"
    Path("/usr/share/ifupdown2").mkdir(exist_ok=True)
    run("mount", "--bind", tree / "usr/share/ifupdown2", "/usr/share/ifupdown2")
    for path in (ETC / "interfaces.d", Path("/run/network"), Path("/var/tmp/network"), Path("/var/lib/ifupdown2")):
        path.mkdir(parents=True, exist_ok=True)
    run("cp", "-r", tree / "etc/network/ifupdown2", ETC)
    for folder in (*FOLDERS, "if-down.d"):
        run("rm", "-rf", ETC / folder)  # a guest has the hooks of this machine's packages; they are not ours to test
        (ETC / folder).mkdir()
        if folder in FOLDERS:
            (ETC / folder / "pve-rdma").symlink_to(HOOK)


def check_alone():
    equal("ib0", {"mtu": 65520, "mode": "connected", "key": "0xffff", "link": None, "up": True}, ipoib("ib0"))
    equal("address of ib0", True, "192.0.2.1/24" in run("ip", "address", "show", "ib0"))


def check_child(mode, mtu):
    equal("ib0p8001", {"mtu": mtu, "mode": mode, "key": "0x8001", "link": "ib0", "up": True}, ipoib("ib0p8001"))
    routes = run("ip", "route", "show", "dev", "ib0p8001")
    equal("the child's connected route", True, "203.0.113.0/25 proto kernel scope link src 203.0.113.1 metric 7" in routes)
    equal("the child's route", True, "203.0.113.128/25 via 203.0.113.2 proto" in routes)


def check_bond():
    bond = link("bond0")
    equal("bond0's mtu", 65520, bond["mtu"])
    equal("bond0's mode", "active-backup", bond["linkinfo"]["info_data"]["mode"])
    for port in ("ib2", "ib3"):
        equal(f"{port} is in the bond", "bond0", link(port).get("master"))
        equal(f"{port}'s mode", "connected", ipoib(port)["mode"])
    equal("address of bond0", True, "198.51.100.10/24" in run("ip", "address", "show", "bond0"))


def refuse_child_of_bond():
    """The attempt alone would crash this kernel."""
    done = subprocess.run([HOOK], capture_output=True, text=True, check=False, env={
        "IFACE": "kid", "MODE": "start", "PHASE": "pre-up", "IF_IB_PARENT": "bond0", "IF_IB_PKEY": "0x8001"})
    equal("a child of a bond", (1, True), (done.returncode, "its parent bond0 is no IPoIB port" in done.stderr))


def under_ifupdown(packages):
    sbin = next(path for path in (packages / "ifupdown/tree/sbin", packages / "ifupdown/tree/usr/sbin") if path.is_dir())
    (ETC / "interfaces").write_text(ALONE)
    OWN_FILE.write_text(CHILD.format(mode="datagram", mtu=2044))
    tool(sbin / "ifup", "-a")
    wait_for_carrier("ib0", "ib0p8001")
    check_alone()
    check_child("datagram", 2044)
    tool(sbin / "ifdown", "-a")
    equal("the child after ifdown", None, ipoib("ib0p8001"))


def under_ifupdown2(tools):
    (ETC / "interfaces").write_text(ALONE + BOND)
    OWN_FILE.write_text(CHILD.format(mode="connected", mtu=65520))
    tool(tools / "ifup", "-a")
    wait_for_carrier("ib0", "ib0p8001", "bond0")
    check_alone()
    check_child("connected", 65520)
    check_bond()
    before = state()
    tool(tools / "ifreload", "-a")
    for what, old, new in zip(("links", "addresses", "routes", "IPv6 routes", "rules"), before, state()):
        equal(f"{what} after ifreload", old, new)
    refuse_child_of_bond()
    OWN_FILE.unlink()
    (ETC / "interfaces").write_text((ALONE + BOND).replace("connected\n    mtu 65520", "datagram\n    mtu 2044", 1))
    tool(tools / "ifreload", "-a")
    equal("the child after its stanza went", None, ipoib("ib0p8001"))
    equal("ib0 with another mode", {"mtu": 2044, "mode": "datagram", "key": "0xffff", "link": None, "up": True},
          ipoib("ib0"))
    check_bond()


def main():
    module, packages = sys.argv[1], Path(sys.argv[2])
    run("modprobe", "-a", "ib_umad", "ib_uverbs", "ib_ipoib", "bonding")
    run("insmod", module, "hcas=2", "pkeys=0xffff,0x8001")
    prepare(packages)
    wait_for("ib0 to ib3 are there", lambda: all((NET / f"ib{port}").exists() for port in range(4)))
    equal("the hook is built", True, os.access(HOOK, os.X_OK))
    under_ifupdown(packages)
    say("under ifupdown: done")
    under_ifupdown2(packages / "tools2")
    say(f"under ifupdown2: done, {len(FAULTS)} differences")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
