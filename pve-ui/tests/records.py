#!/usr/bin/env python3
"""Node reports for the browser tests, made of recorded trees and of nothing: records.py PVE_RDMA FOLDER

  cx3      tests/fixtures/connectx3.tree, and an Ethernet card that can be set
  empty    a node without a card
  big      200 ports and 5,000 routes
  hostile  names and descriptions that are HTML
  fabric   648 hosts behind 54 switches
"""
import json
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "tests/trees"))
import tree  # pylint: disable=wrong-import-position

HOSTILE = "<img src=x onerror=document.title='owned'>"


def recorded(program, folder, name):
    root = folder / f"{name}.root"
    root.mkdir()
    tree.unpack_text(REPO / f"tests/fixtures/{name}.tree", root)
    file = folder / f"{name}.json"
    subprocess.run([program, "probe", "--root", root, "--record", file], check=True, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text())


def with_ethernet(base):
    settings = {"driver": "mlx5_core", "bus_info": "0000:01:00.0", "autoneg": True, "speed": 25000,
                "supported": ["Autoneg", "25000baseCR/Full"], "fec": {"auto": False, "modes": ["RS"], "active": "RS"}}
    link = {"ifindex": 9, "ifname": "ens19", "flags": ["UP"], "operstate": "UP", "mtu": 1500, "link_type": "ether",
            "parentbus": "pci", "parentdev": "0000:01:00.0", "ethernet": settings}
    card = {"address": "0000:01:00.0", "sriov_totalvfs": 8, "sriov_numvfs": 2, "netdevs": ["ens19"]}
    return dict(base, links=base["links"] + [link], pci=base["pci"] + [card])


def port(number, name, mtu=2048):
    return {"number": number, "state": "ACTIVE" if number % 7 else "DOWN", "phys_state": "LINK_UP" if number % 7 else "POLLING",
            "link_layer": "InfiniBand", "rate_gbps": 100.0, "active_width": "4X", "netdevs": [name] if name else [],
            "lid": number, "sm_lid": 1}


def big(base):
    report = dict(base)
    report["devices"] = [{"name": f"mlx5_{d}", "node_type": "CA", "fw_ver": "16.35.4030", "driver": "mlx5_core",
                          "ports": [port(p, f"ib{d * 2 + p - 1}") for p in (1, 2)]} for d in range(100)]
    report["links"] = [{"ifindex": i + 2, "ifname": f"ib{i}", "flags": ["UP"], "mtu": 2044, "link_type": "infiniband",
                        "info_kind": "ipoib", "ipoib": {"mode": "datagram", "key": "0xffff"}} for i in range(200)]
    report["routes"] = [{"family": "inet", "type": "unicast", "dst": f"10.{i // 250}.{i % 250}.0/24", "gateway": "192.0.2.1",
                         "dev": f"ib{i % 200}", "table": "main", "protocol": "static", "scope": "global", "metric": i % 50 + 1}
                        for i in range(5000)]
    return report


def hostile(base):
    report = big(base)
    report["devices"] = [{"name": "mlx5_0", "node_type": "CA", "fw_ver": HOSTILE, "node_desc": HOSTILE, "hca_type": HOSTILE,
                          "ports": [port(1, HOSTILE[:15])]}]
    report["links"] = report["links"][:1]
    report["links"][0] = dict(report["links"][0], ifname=HOSTILE[:15])
    report["routes"] = [dict(report["routes"][0], dev=HOSTILE[:15])]
    report["fabric"] = [walk(1, 2, HOSTILE)]
    return report


def walk(switches, each, name="host"):
    nodes, links = [], []
    lanes = {"width": "4X", "speed": "EDR", "max_width": "4X", "max_speed": "EDR", "supported_width": "4X"}

    def add(kind, description, ports):
        nodes.append({"type": kind, "guid": f"0x{len(nodes) + 1:016x}", "system_image_guid": f"0x{len(nodes) + 1:016x}",
                      "description": description, "path": "0", "ports_count": ports, "vendor_id": 713, "device_id": 4115,
                      "revision": 0, "ports": []})
        return len(nodes) - 1

    def plug(node, number):
        nodes[node]["ports"].append({"number": number, "lid": node + 1, "lmc": 0, "sm_lid": 1, "state": "ACTIVE",
                                     "phys_state": "LINK_UP", "neighbor_mtu": 4096, "mtu_cap": 4096, "cap_mask": 0, **lanes})
        return {"node": node, "port": number}

    def link(one, other):
        first, second = sorted([plug(*one), plug(*other)], key=lambda end: (end["node"], end["port"]))
        links.append({"from": first, "to": second, "width": "4X", "speed": "EDR", "neighbor_mtu": 4096, "capped": []})

    leaves = [add("SWITCH", f"leaf{i}" if name == "host" else name, 36) for i in range(switches)]
    spines = [add("SWITCH", f"spine{i}", 36) for i in range(switches // 2 if switches > 2 else 0)]
    for leaf in leaves:
        for number in range(each):
            link((leaf, number + 1), (add("CA", f"{name}{len(nodes)}", 1), 1))
        for number, spine in enumerate(spines):
            link((leaf, 19 + number), (spine, leaf + 1))
    return {"via": {"ca": "mlx5_0", "port": 1, "port_guid": "0x0000000000000001", "gid_prefix": 0, "lid": 1, "sm_lid": 1,
                    "sm_sl": 0, "state": "ACTIVE"},
            "nodes": nodes, "links": links, "sms": [], "errors": [], "complete": True}


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    base = recorded(program, folder, "proxmox")
    reports = {"cx3": with_ethernet(recorded(program, folder, "connectx3")), "empty": base, "big": big(base), "hostile": hostile(base),
               "fabric": dict(base, fabric=[walk(36, 18)])}
    for name, report in reports.items():
        report["system"] = dict(report["system"], hostname=name)
        (folder / f"{name}.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main()
