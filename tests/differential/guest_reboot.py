#!/usr/bin/env python3
"""In a guest with systemd, whose disk stays over its boots: the three stories survive a reboot; a change that nobody has
confirmed heals by systemd's timer, and after a power cut by the recover unit, before networking.

Run by tests/suites/guest-reboot through tests/lab/guest/run, once for each boot. argv: the boot's number, softib.ko,
a folder with the unpacked packages (ifup_bed.py).
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from guest_change import change
from guest_compare import PVE_RDMA, REPO, run, run_json, say, wait_for
from guest_interfaces import ETC, FAULTS, FOLDERS, HOOK, NET, equal, ipoib

STORIES = REPO / "tests/stories"
UNITS = Path("/etc/systemd/system")
PROGRAMS = Path("/usr/libexec/pve-rdma")
NOTES = Path("/var/lib/pve-rdma-test.json")
TOOLS = Path("/usr/local/lib/ifupdown2-tools")
PARTITIONS = Path("/etc/opensm/partitions.conf")
SYSCTL = Path("/etc/sysctl.d/90-pve-rdma.conf")
SPLIT, MIXED, BOND, ALONE = "two_cards_one_network", "one_mtu_for_a_mixed_fabric", "ipoib_bond", "ipoib_alone"

INTERFACES = """auto lo
iface lo inet loopback

auto nic1
iface nic1 inet static
    address 192.0.2.5/24
    gateway 192.0.2.1

auto nic40
iface nic40 inet static
    address 192.0.2.40/24

auto ib0
iface ib0 inet manual
    mtu 4092

auto ib1
iface ib1 inet manual

source /etc/network/interfaces.d/*
"""
# The cards of this node: two Ethernet ones, and one of InfiniBand whose second port cannot carry 4096.
CARDS = """[Unit]
DefaultDependencies=no
Before=network-pre.target
Wants=network-pre.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/cards
"""
CARDS_PROGRAM = """#!/bin/sh
set -e
ip link set lo up
modprobe -a ib_umad ib_uverbs ib_ipoib
modprobe bonding max_bonds=0
modprobe dummy numdummies=0
for nic in nic1 nic40; do
    ip link add $nic type dummy
done
insmod {module} hcas=1 pkeys=0xffff,0x8001 sm=external
echo "maxmtu 2048" >/sys/kernel/debug/softib/softib0/port2
"""
NETWORKING = """[Unit]
DefaultDependencies=no
After=cards.service network-pre.target systemd-sysctl.service
Before=network.target
[Service]
Type=oneshot
RemainAfterExit=yes
RuntimeDirectory=network
ExecStart={tools}/ifup -a
"""
# As Proxmox's: a leftover file of its editor becomes the configuration at boot.
COMMIT = """[Unit]
DefaultDependencies=no
Before=networking.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'if [ -e /etc/network/interfaces.new ]; then mv /etc/network/interfaces.new /etc/network/interfaces; fi'
"""


def files():
    """The files that a change may touch, with their contents."""
    paths = (ETC / "interfaces", ETC / "interfaces.d/pve-rdma", PARTITIONS, SYSCTL)
    return {str(path): path.read_text() if path.exists() else None for path in paths}


def node():
    """What a rollback must bring back."""
    links = sorted((one["ifname"], one["mtu"], one.get("master"), "UP" in one["flags"],
                    (ipoib(one["ifname"]) or {}).get("mode")) for one in run_json("ip", "-j", "-d", "link"))
    addresses = sorted((one["ifname"], address["local"], address["prefixlen"], address.get("metric"))
                       for one in run_json("ip", "-4", "-j", "address") for address in one.get("addr_info", []))
    routes = sorted(line.strip() for line in run("ip", "-4", "route").splitlines())
    return {"links": links, "addresses": addresses, "routes": routes, "files": files(),
            "rp_filter": run("sysctl", "-n", "net.ipv4.conf.all.rp_filter")}


def same(what, before, after):
    for part, value in json.loads(json.dumps(before)).items():
        equal(f"{what}: {part}", value, json.loads(json.dumps(after))[part])


def notes():
    return json.loads(NOTES.read_text()) if NOTES.exists() else {}


def note(**more):
    NOTES.write_text(json.dumps({**notes(), **more}))
    run("sync")


def started(unit):
    """Microseconds since boot when the unit began to start; None when it did not."""
    words = run("systemctl", "show", "-P", "InactiveExitTimestampMonotonic", unit).strip()
    return int(words) or None


def apply_story(name):
    """Dry run, diff, apply, verify, confirm, again."""
    document, before = STORIES / f"{name}.json", node()
    planned = change("plan", document)
    same(f"{name}: a plan changes nothing", before, node())
    for step in planned["plan"]:
        say(f"  {step['text']}")
    applied = change("apply", document, "--confirm-within", "600")
    if not applied.get("transaction"):
        sys.exit(f"{name} is not applied: {json.dumps(applied, indent=1)}")
    for warning in applied.get("warnings", []):
        say(f"  note: {warning}")
    equal(f"{name}: the plan that is carried out", planned["plan"], applied["plan"])
    equal(f"{name}: confirm", "confirmed", change("confirm")["transaction"]["state"])
    unchanged(name)
    note(**{name: {"id": applied["transaction"]["id"], "before": before}})


def unchanged(name):
    again = change("apply", STORIES / f"{name}.json")
    equal(f"{name}: again", (False, [], ""), (again["changed"], again["plan"], again.get("diff", "")))


def roll_back(name):
    stored = notes()[name]
    restored = change("rollback", stored["id"])
    equal(f"{name}: rollback", "restored", restored["transaction"]["state"])
    for word in restored["transaction"]["notes"]:
        say(f"  {word}")
    same(f"{name}: after the rollback", stored["before"], node())


def carrier(name, wanted="1"):
    wait_for(f"{name} has carrier {wanted}",
             lambda: [one for one in run_json("ip", "-j", "link") if one["ifname"] == name and
                      ("LOWER_UP" in one["flags"]) == (wanted == "1")], 120)


def group_mtu():
    """MTU of IPoIB's group, as the node's first port is told."""
    reply = run_json(PVE_RDMA, "fabric", "sm", "--json")
    groups = [one for one in reply["fabric"]["ipoib_groups"] if one["pkey"] == "0xffff"]
    return groups[0].get("group", {}).get("mtu")


def install(module, packages):
    """The node as the packages would leave it."""
    PROGRAMS.mkdir(parents=True)
    for name in ("pve-rdma-recover", "pve-rdma-ifup"):
        shutil.copy(Path(PVE_RDMA).with_name(name) if name != "pve-rdma-ifup" else HOOK, PROGRAMS / name)
    shutil.copytree(packages / "ifupdown2/tree/usr/share/ifupdown2", "/usr/share/ifupdown2", dirs_exist_ok=True)
    shutil.copytree(packages / "tools2", TOOLS)
    (ETC / "interfaces.d").mkdir(parents=True, exist_ok=True)
    for path in (ETC / "interfaces.d").iterdir():
        path.unlink()
    shutil.copytree(packages / "ifupdown2/tree/etc/network/ifupdown2", ETC / "ifupdown2", dirs_exist_ok=True)
    for folder in (*FOLDERS, "if-down.d"):
        shutil.rmtree(ETC / folder, ignore_errors=True)
        (ETC / folder).mkdir()
        if folder in FOLDERS:
            (ETC / folder / "pve-rdma").symlink_to(PROGRAMS / "pve-rdma-ifup")
    (ETC / "interfaces").write_text(INTERFACES)
    PARTITIONS.parent.mkdir(exist_ok=True)
    PARTITIONS.write_text("# 4K for all\nDefault=0x7fff , ipoib , mtu=5 : ALL=full ;\n")
    shutil.copy(REPO / "debian/pve-rdma.pve-rdma-recover.service", UNITS / "pve-rdma-recover.service")
    program = Path("/usr/local/sbin/cards")
    program.write_text(CARDS_PROGRAM.format(module=module))
    program.chmod(0o755)
    (UNITS / "cards.service").write_text(CARDS)
    (UNITS / "networking.service").write_text(NETWORKING.format(tools=TOOLS))
    (UNITS / "pvenetcommit.service").write_text(COMMIT)
    run("systemctl", "daemon-reload")
    run("systemctl", "enable", "--quiet", "pve-rdma-recover.service")
    for unit in ("cards.service", "networking.service", "pvenetcommit.service", "opensm.service"):
        wants = UNITS / "guest.service.wants"
        wants.mkdir(exist_ok=True)
        (wants / unit).symlink_to(UNITS / unit if (UNITS / unit).exists() else f"/usr/lib/systemd/system/{unit}")
    for unit, before in (("guest", "networking.service opensm.service"), ("opensm", "cards.service")):
        ordering = UNITS / f"{unit}.service.d"
        ordering.mkdir(exist_ok=True)
        (ordering / "after.conf").write_text(f"[Unit]\nAfter={before}\n")
    run("systemctl", "daemon-reload")


def first(module, packages):
    install(module, packages)
    run("systemctl", "start", "cards.service", "networking.service", "opensm.service")
    carrier("ib0")
    equal("the group before", 4096, group_mtu())
    apply_story(SPLIT)
    apply_story(MIXED)
    equal("the group after", 2048, group_mtu())
    for name in ("ib0", "ib1"):
        carrier(name)
        equal(f"MTU of {name}", 2044, ipoib(name)["mtu"])


def second():
    for name in (SPLIT, MIXED):
        unchanged(name)
    equal("the group after the reboot", 2048, group_mtu())
    roll_back(MIXED)
    wait_for("the group is as before", lambda: group_mtu() == 4096)
    apply_story(BOND)


def third():
    unchanged(BOND)
    roll_back(BOND)
    apply_story(ALONE)
    before = node()
    small = json.dumps({"links": [{"name": "nic1", "mtu": 1400}], "sysctl": {"net.ipv4.conf.all.arp_announce": 2}})
    # Who applies is killed: the timer of systemd heals.
    begun = time.monotonic()
    applying = subprocess.Popen([PVE_RDMA, "apply", "--document", small, "--confirm-within", "8"])
    wait_for("it is applied", lambda: "mtu 1400" in run("ip", "link", "show", "nic1"))
    applying.send_signal(signal.SIGKILL)
    applying.wait()
    timers = run("systemctl", "list-timers", "--all", "--no-legend", "pve-rdma-rollback-*")
    equal("systemd has the timer", 1, len(timers.splitlines()))
    wait_for("it heals", lambda: "mtu 1500" in run("ip", "link", "show", "nic1"))
    say(f"healed by systemd's timer {time.monotonic() - begun:.1f} s after the change was asked for")
    wait_for("all is settled", lambda: run_json(PVE_RDMA, "transactions", "--json")["transactions"][0]["state"] == "restored")
    same("after the timer", before, node())
    # And now nobody confirms, and the power goes.
    applied = change("apply", "--document", small, "--confirm-within", "600")
    equal("pending", "pending", applied["transaction"]["state"])
    equal("the file is the new one", True, "mtu 1400" in (ETC / "interfaces").read_text())
    note(cut=applied["transaction"]["id"], before_cut=before)
    print("GUEST-CUT", flush=True)
    time.sleep(60)


def fourth():
    recover = started("pve-rdma-recover.service")
    say(f"recover began {recover} us after the boot, Proxmox's commit {started('pvenetcommit.service')}, "
        f"networking {started('networking.service')}")
    equal("recover ran before Proxmox's commit", True, recover is not None and recover < started("pvenetcommit.service"))
    equal("recover ran before networking", True, recover is not None and recover < started("networking.service"))
    states = {one["id"]: one["state"] for one in run_json(PVE_RDMA, "transactions", "--json")["transactions"]}
    equal("the transaction", "restored", states[notes()["cut"]])
    same("after the power cut", notes()["before_cut"], node())
    unchanged(ALONE)
    roll_back(ALONE)
    roll_back(SPLIT)


def main():
    boot, module, packages = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    os.environ["PATH"] = f"{os.environ['PATH']}:{TOOLS}"
    try:
        if boot > 1:
            carrier("ib0")
        [None, lambda: first(module, packages), second, third, fourth][boot]()
    except SystemExit:
        print(run("journalctl", "-b", "-o", "cat", "-n", "80", "-u", "cards", "-u", "networking", "-u", "opensm*", "-u",
                  "pve-rdma*", check=False), run("ip", "address"), run("ibstat", check=False), flush=True)
        raise
    say(f"boot {boot}: done, {len(FAULTS)} differences")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
