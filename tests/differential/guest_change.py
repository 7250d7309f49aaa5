#!/usr/bin/env python3
"""In a guest with InfiniBand cards in software: story 2, IPoIB alone and as an active-backup bond, by `pve-rdma apply`:
dry run, apply, verify, confirm, again, from the files alone, rollback.

Run by tests/lab/guest/run. argv[1]: softib.ko. argv[2]: a folder with the unpacked packages (ifup_bed.py).
"""
import json
import subprocess
import sys
from pathlib import Path

from guest_compare import PVE_RDMA, run, run_json, say, wait_for
from guest_interfaces import ETC, FAULTS, NET, equal, ipoib, link, prepare, tool, wait_for_carrier

STORIES = Path(__file__).resolve().parents[1] / "stories"
RECOVER = Path(PVE_RDMA).with_name("pve-rdma-recover")
OWN_FILE = ETC / "interfaces.d/pve-rdma"
EMPTY = """auto lo
iface lo inet loopback

source /etc/network/interfaces.d/*
"""


def change(*arguments, status=0):
    done = subprocess.run([PVE_RDMA, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    equal(f"status of {' '.join(map(str, arguments))}", status, done.returncode)
    if done.returncode != status:
        print(done.stdout, done.stderr, flush=True)
    return json.loads(done.stdout)


def state(*names):
    """What a rollback must bring back, of links that the story touches; and the files."""
    links = [(one["ifname"], one["mtu"], one.get("master"), "UP" in one["flags"], (ipoib(one["ifname"]) or {}).get("mode"))
             for one in run_json("ip", "-j", "-d", "link") if one.get("ifname") in names]
    addresses = [(one["ifname"], address["local"], address["prefixlen"]) for one in run_json("ip", "-4", "-j", "address")
                 for address in one.get("addr_info", [])]
    files = [(ETC / "interfaces").read_text(), OWN_FILE.read_text() if OWN_FILE.exists() else None]
    return sorted(links), sorted(addresses), run("ip", "-4", "route"), files


def story(name, links, check, tools):
    document = STORIES / f"{name}.json"
    before = state(*links)
    planned = change("plan", document)
    for step in planned["plan"]:
        say(f"  {step['text']}" + (f" (risk: {step['risk']})" if step["risk"] != "none" else ""))
    equal(f"{name}: a plan changes nothing", before, state(*links))
    applied = change("apply", document, "--confirm-within", "300")
    if not applied.get("transaction"):
        print(json.dumps(applied, indent=1), flush=True)
        equal(f"{name}: is applied", True, False)
        return
    equal(f"{name}: state", "pending", applied["transaction"]["state"])
    wait_for_carrier(links[-1])
    check()
    equal(f"{name}: confirm", "confirmed", change("confirm")["transaction"]["state"])
    again = change("apply", document)
    equal(f"{name}: again", (False, []), (again["changed"], again["plan"]))
    after = state(*links)
    tool(tools / "ifreload", "-a")
    for what, old, new in zip(("links", "addresses", "routes", "files"), after, state(*links)):
        equal(f"{name}: {what} after ifreload", old, new)
    # As at boot: from the files alone.
    subprocess.run([tools / "ifdown", "-a"], capture_output=True, check=False)
    for port in ("ib0", "ib1"):
        run("ip", "link", "set", port, "down")
        (NET / port / "mode").write_text("datagram\n")
    tool(tools / "ifup", "-a")
    wait_for_carrier(links[-1])
    check()
    equal(f"{name}: from the files alone", (False, []), (lambda one: (one["changed"], one["plan"]))(change("apply", document)))
    restored = change("rollback", applied["transaction"]["id"])
    equal(f"{name}: rollback", "restored", restored["transaction"]["state"])
    if restored["transaction"]["notes"]:
        say("  " + "; ".join(restored["transaction"]["notes"]))
    for what, old, new in zip(("links", "addresses", "routes", "files"), before, state(*links)):
        equal(f"{name}: {what} after the rollback", old, new)


def check_alone():
    equal("ib0", {"mtu": 65520, "mode": "connected", "key": "0xffff", "link": None, "up": True}, ipoib("ib0"))
    equal("address of ib0", True, "192.0.2.1/24" in run("ip", "address", "show", "ib0"))


def check_bond():
    bond = link("bond0")
    equal("bond0", (65520, "active-backup", 100, 200), (
        bond["mtu"], bond["linkinfo"]["info_data"]["mode"], bond["linkinfo"]["info_data"]["miimon"],
        bond["linkinfo"]["info_data"]["updelay"]))
    for port in ("ib0", "ib1"):
        equal(f"{port} in the bond", ("bond0", "connected", 65520),
              (link(port).get("master"), ipoib(port)["mode"], link(port)["mtu"]))
    equal("address of bond0", True, "192.0.2.1/24" in run("ip", "address", "show", "bond0"))


def refusals():
    """What cannot work is refused with the reason, and nothing is touched."""
    before = state("ib0", "ib1")
    for what, document in {
            "active-backup": {"links": [{"name": "bond1", "kind": "bond", "mode": "802.3ad", "ports": ["ib0"]}]},
            "no Ethernet frames": {"links": [{"name": "vmbr1", "kind": "bridge", "ports": ["ib0"]}]},
            "does not fit": {"links": [{"name": "ib0", "mtu": 65520}]},
            "name with a dot": {"links": [{"name": "ib0.8001", "kind": "ipoib", "parent": "ib0", "pkey": "0x8001"}]},
    }.items():
        refused = change("apply", "--document", json.dumps(document), status=1)
        words = " ".join(one["message"] for one in refused["refusals"])
        equal(f"refusal: {what}", True, what in words)
        say(f"  refused: {words}")
    equal("after refusals", before, state("ib0", "ib1"))


def main():
    module, packages = sys.argv[1], Path(sys.argv[2])
    run("modprobe", "-a", "ib_umad", "ib_uverbs", "ib_ipoib", "bonding")
    # The module makes a bond of its own where nobody told it not to; nobody asked for that one.
    if (NET / "bond0").exists():
        run("ip", "link", "delete", "bond0")
    run("insmod", module, "hcas=1", "pkeys=0xffff,0x8001")
    prepare(packages)
    recover = Path("/usr/libexec/pve-rdma")
    recover.mkdir(parents=True, exist_ok=True)
    (recover / "pve-rdma-recover").unlink(missing_ok=True)
    (recover / "pve-rdma-recover").symlink_to(RECOVER)
    wait_for("ib0 and ib1 are there", lambda: all((NET / f"ib{port}").exists() for port in range(2)))
    (ETC / "interfaces").write_text(EMPTY)
    OWN_FILE.unlink(missing_ok=True)
    refusals()
    story("ipoib_alone", ["ib0"], check_alone, packages / "tools2")
    story("ipoib_bond", ["ib0", "ib1", "bond0"], check_bond, packages / "tools2")
    say(f"story 2: done, {len(FAULTS)} differences")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
