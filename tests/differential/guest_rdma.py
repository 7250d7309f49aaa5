"""ibstat(8), ibv_devinfo(1) and rdma(8) against our devices and ports."""
import ipaddress
import re

from guest_compare import run, run_json

MTU_CODE = {256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}
STATE = {"DOWN": ("Down", 1), "INIT": ("Initializing", 2), "ARMED": ("Armed", 3), "ACTIVE": ("Active", 4)}
PHYS = {"SLEEP": ("Sleep", 1), "POLLING": ("Polling", 2), "DISABLED": ("Disabled", 3), "LINK_UP": ("LinkUp", 5)}
WIDTH_CODE = {"1X": 1, "4X": 2, "8X": 4, "12X": 8, "2X": 16}
SPEED_CODE = {"SDR": 1, "DDR": 2, "QDR": 4, "FDR10": 8, "FDR": 16, "EDR": 32, "HDR": 64, "NDR": 128}
# As rdma(8) names the bits of device_cap_flags_ex; it prints UNKNOWN for the rest.
DEVICE_CAPS = dict(enumerate("""RESIZE_MAX_WR BAD_PKEY_CNTR BAD_QKEY_CNTR RAW_MULTI AUTO_PATH_MIG CHANGE_PHY_PORT
    UD_AV_PORT_ENFORCE_PORT_ENFORCE CURR_QP_STATE_MOD SHUTDOWN_PORT INIT_TYPE PORT_ACTIVE_EVENT SYS_IMAGE_GUID
    RC_RNR_NAK_GEN SRQ_RESIZE N_NOTIFY_CQ LOCAL_DMA_LKEY UNKNOWN MEM_WINDOW UD_IP_CSUM UD_TSO XRC MEM_MGT_EXTENSIONS
    BLOCK_MCAST_LOOPBACK MEM_WINDOW_TYPE_2A MEM_WINDOW_TYPE_2B RC_IP_CSUM RAW_IP_CSUM CROSS_CHANNEL
    MANAGED_FLOW_STEERING SIGNATURE_HANDOVER ON_DEMAND_PAGING""".split()))


def colons(guid):
    """0x0002c90300a0b000 as 0002:c903:00a0:b000."""
    return ":".join(guid[i:i + 4] for i in range(2, 18, 4))


def mtu(octets):
    return f"{octets} ({MTU_CODE[octets]})"


def rate(port):
    """ibstat rounds to whole Gb/s and names FDR10, which has QDR's number."""
    return f"{port['rate_gbps']:g}" + (" (FDR10)" if port["active_speed"] == "FDR10" else "")


def caps(device):
    mask = device["limits"]["device_cap_flags_ex"]
    return [DEVICE_CAPS.get(bit, "UNKNOWN") for bit in range(mask.bit_length()) if mask >> bit & 1]


def odp(name):
    return lambda d: "NO SUPPORT" if d["limits"][name] == 0 else d["limits"][name]


def kbps(name):
    return lambda d: f"{d['limits'][name]}kbps"


IBSTAT_DEVICE = {
    "CA type": lambda d: d.get("hca_type", ""),
    "Number of ports": lambda d: len(d["ports"]),
    # a device without firmware (rxe): libibverbs' word for it is 0.0.0, which ibv_devinfo prints and ibstat does not
    "Firmware version": lambda d: "" if d["fw_ver"] == "0.0.0" else d["fw_ver"],
    "Hardware version": lambda d: d.get("hw_rev", ""),
    "Node GUID": lambda d: d["node_guid"],
    "System image GUID": lambda d: d["sys_image_guid"],
}
IBSTAT_PORT = {
    "State": lambda p: STATE[p["state"]][0],
    "Physical state": lambda p: PHYS[p["phys_state"]][0],
    "Rate": rate,
    "Base lid": lambda p: p.get("lid", 0),  # an Ethernet port has none, and the tool prints 0
    "LMC": lambda p: p.get("lmc", 0),
    "SM lid": lambda p: p.get("sm_lid", 0),
    "Capability mask": lambda p: f"0x{p['cap_mask']:08x}",
    "Port GUID": lambda p: p["port_guid"],
    "Link layer": lambda p: p["link_layer"],
}
# Without what is a plain limit: those are compared by name with our `limits`.
DEVINFO_DEVICE = {
    "hca_id": lambda d: d["name"],
    "transport": lambda d: "InfiniBand (0)" if d["node_type"] == "CA" else None,
    "fw_ver": lambda d: d["fw_ver"],
    "node_guid": lambda d: colons(d["node_guid"]),
    "sys_image_guid": lambda d: colons(d["sys_image_guid"]),
    "vendor_id": lambda d: f"0x{d['vendor_id']:04x}",
    "vendor_part_id": lambda d: d["vendor_part_id"],
    "hw_ver": lambda d: f"0x{d['hw_ver']:X}",
    "board_id": lambda d: d["board_id"],
    "phys_port_cnt": lambda d: len(d["ports"]),
    "atomic_cap": lambda d: ["ATOMIC_NONE (0)", "ATOMIC_HCA (1)", "ATOMIC_GLOB (2)"][d["limits"]["atomic_cap"]],
    "general_odp_caps": lambda d: d["limits"]["general_odp_caps"] or "",
    "rc_odp_caps": odp("rc_odp_caps"),
    "uc_odp_caps": odp("uc_odp_caps"),
    "ud_odp_caps": odp("ud_odp_caps"),
    "xrc_odp_caps": odp("xrc_odp_caps"),
    "completion_timestamp_mask not supported": lambda d: d["limits"]["completion_timestamp_mask"] or "",
    "core clock not supported": lambda d: d["limits"]["hca_core_clock"] or "",
    "tag matching not supported": lambda d: d["limits"]["tag_matching.max_num_tags"] or "",
    "packet_pacing_caps.qp_rate_limit_min": kbps("packet_pacing_caps.qp_rate_limit_min"),
    "packet_pacing_caps.qp_rate_limit_max": kbps("packet_pacing_caps.qp_rate_limit_max"),
}
DEVINFO_PORT = {
    "state": lambda p: f"PORT_{p['state']} ({STATE[p['state']][1]})",
    "max_mtu": lambda p: mtu(p["max_mtu"]),
    "active_mtu": lambda p: mtu(p["active_mtu"]),
    "sm_lid": lambda p: p.get("sm_lid", 0),  # an Ethernet port has none, and the tool prints 0
    "port_lid": lambda p: p.get("lid", 0),
    "port_lmc": lambda p: f"0x{p.get('lmc', 0):02x}",
    "link_layer": lambda p: p["link_layer"],
    "max_msg_sz": lambda p: f"0x{p['max_msg_sz']:x}",
    "port_cap_flags": lambda p: f"0x{p['cap_mask']:08x}",
    "port_cap_flags2": lambda p: f"0x{p.get('cap_mask2', 0):04x}",
    "max_vl_num": lambda p: f"{1 << (p['max_vl_num'] - 1)} ({p['max_vl_num']})",
    "bad_pkey_cntr": lambda p: f"0x{p['bad_pkey_counter']:x}",
    "qkey_viol_cntr": lambda p: f"0x{p['qkey_violation_counter']:x}",
    "sm_sl": lambda p: p.get("sm_sl", 0),
    "pkey_tbl_len": lambda p: p["pkey_table_length"],
    "gid_tbl_len": lambda p: p["gid_table_length"],
    "subnet_timeout": lambda p: p["subnet_timeout"],
    "init_type_reply": lambda p: p["init_type_reply"],
    "active_width": lambda p: f"{p['active_width']} ({WIDTH_CODE[p['active_width']]})",
    "active_speed": lambda p: f"{p['lane_gbps']:.1f} Gbps ({SPEED_CODE[p['active_speed']]})",
    "phys_state": lambda p: f"{p['phys_state']} ({PHYS[p['phys_state']][1]})",
}
RDMA_DEVICE = {
    "ifindex": lambda d: d["index"],
    "ifname": lambda d: d["name"],
    "node_type": lambda d: d["node_type"].lower(),
    "fw": lambda d: d["fw_ver"],
    "node_guid": lambda d: colons(d["node_guid"]),
    "sys_image_guid": lambda d: colons(d["sys_image_guid"]),
    "adaptive-moderation": lambda d: d["adaptive_moderation"],
    "protocol": lambda d: d["protocol"],
    "caps": caps,
}
RDMA_PORT = {
    "ifindex": None,  # of the device, again
    "ifname": None,
    "port": lambda p: p["number"],
    "subnet_prefix": lambda p: colons(f"0x{p['subnet_prefix']:016x}"),
    "lid": lambda p: p["lid"],
    "sm_lid": lambda p: p["sm_lid"],
    "lmc": lambda p: p["lmc"],
    "state": lambda p: p["state"],
    "physical_state": lambda p: p["phys_state"],
    "netdev": lambda p: p["netdev"],
    "netdev_index": lambda p: p["ifindex"],
    "caps": lambda p: p["cap_flags"],
}


def ibstat(text):
    """{device: ({field: text}, {port: {field: text}})}"""
    devices = {}
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition(":"))
        if device := re.match(r"CA '(.+)'", line):
            fields, ports = devices.setdefault(device[1], ({}, {}))
            place = fields
        elif port := re.match(r"\s+Port (\d+):", line):
            place = ports.setdefault(int(port[1]), {})
        elif name:
            place[name] = value
    return devices


def devinfo(text):
    """The same of ibv_devinfo -v. A field of a section ("tso_caps:") gets the section's name in front. The names of
    flags stand in lines of their own and follow from the number."""
    devices, place, section = {}, None, ""
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip("\t"))
        name, colon, value = (part.strip() for part in line.partition(":"))
        if name == "hca_id":
            fields, ports = devices.setdefault(value, ({}, {}))
            place, fields[name] = fields, value
        elif name == "port" and value.isdigit():
            place, section = ports.setdefault(int(value), {}), ""
        elif gid := re.match(r"GID\[\s*(\d+)\]$", name):
            place.setdefault("GIDs", {})[int(gid[1])] = value
        elif name == "NO SUPPORT":
            place[section.rstrip(".")] = name
        elif not name or re.fullmatch(r"[A-Z][A-Z0-9_]+|Unknown flags", name):
            continue
        elif depth == 1 and colon and not value:
            section = f"{name}."
            if name.endswith("_odp_caps"):
                place[name] = ""
        else:
            section = section if depth > 1 else ""
            place[section + name] = value
    return devices


def compare_gids(test, where, printed, port):
    for index, text in printed.items():
        gid, _, kind = text.partition(", ")
        entry = next((entry for entry in port["gids"] if entry["index"] == index), None)
        if entry is None:
            test.fault(where, f"GID {index} is {text}, we have none")
            continue
        test.equal(f"{where} GID {index}", *(normal_gid(g) for g in (gid, entry["gid"])))
        if kind:
            test.equal(f"{where} GID type {index}", kind, {"IB": "IB/RoCE v1", "RoCE v1": "IB/RoCE v1"}.get(
                entry.get("type"), entry.get("type")))
    test.equal(f"{where} number of GIDs", len(printed), len(port["gids"]))


def normal_gid(text):
    """An IPv6 spelling made comparable; old ibv_devinfo prints plain groups."""
    return ipaddress.IPv6Address(text).exploded


def compare_limits(test, where, printed, device):
    """The fields of ibv_devinfo that no table has are limits of the device, each under its name."""
    for name, text in list(printed.items()):
        if name in device["limits"] and name not in DEVINFO_DEVICE and re.fullmatch(r"0x[0-9a-fA-F]+|\d+", text):
            test.equal(f"{where} {name}", int(text, 0), device["limits"][name])
            del printed[name]


def compare_devices(test, report):
    """Every device and port that the three tools print."""
    devices = {device["name"]: device for device in report["devices"]}
    ports = {(name, port["number"]): port for name, device in devices.items() for port in device["ports"]}

    printed = ibstat(run("ibstat"))
    for name, (fields, of_ports) in printed.items():
        test.table(f"ibstat {name}", fields, IBSTAT_DEVICE, devices.get(name, {}))
        for number, fields in of_ports.items():
            test.table(f"ibstat {name}/{number}", fields, IBSTAT_PORT, ports.get((name, number), {}))
    test.equal("devices of ibstat", sorted(printed), sorted(devices))

    for name, (fields, of_ports) in devinfo(run("ibv_devinfo", "-v")).items():
        compare_limits(test, f"ibv_devinfo {name}", fields, devices[name])
        test.table(f"ibv_devinfo {name}", fields, DEVINFO_DEVICE, devices.get(name, {}))
        for number, fields in of_ports.items():
            compare_gids(test, f"ibv_devinfo {name}/{number}", fields.pop("GIDs", {}), ports[name, number])
            test.table(f"ibv_devinfo {name}/{number}", fields, DEVINFO_PORT, ports.get((name, number), {}))

    printed = run_json("rdma", "-j", "-d", "dev")
    for fields in printed:
        name = fields["ifname"]
        test.table(f"rdma dev {name}", fields, RDMA_DEVICE, devices.get(name, {}))
    test.equal("devices of rdma", sorted(fields["ifname"] for fields in printed), sorted(devices))
    for fields in run_json("rdma", "-j", "-d", "link"):
        place = fields["ifname"], fields["port"]
        test.table(f"rdma link {place}", fields, RDMA_PORT, ports.get(place, {}))
