"""sminfo, smpquery, saquery and perfquery against `pve-rdma fabric`."""
import re

from guest_compare import call, run
from guest_rdma import PHYS, STATE, normal_gid

LINK_SPEED = {"SDR": "2.5 Gbps", "DDR": "5.0 Gbps", "QDR": "10.0 Gbps"}
EXTENDED_SPEED = {"FDR": "14.0625 Gbps", "EDR": "25.78125 Gbps", "HDR": "53.125 Gbps", "NDR": "106.25 Gbps"}
NODE_TYPE = {"CA": "Channel Adapter", "SWITCH": "Switch", "ROUTER": "Router"}
SM_STATE = {"NOTACTIVE": 0, "DISCOVERING": 1, "STANDBY": 2, "MASTER": 3}


def number(name):
    return lambda info: info[name]


def hexadecimal(name, digits=0):
    return lambda info: f"0x{int(str(info[name]), 0):0{digits}x}"


def any_of(names, words):
    """How libibmad writes a set: "1X or 4X"."""
    return " or ".join(words.get(name, name) for name in names)


def libibmad_widths(names):
    # libibmad knows the width 2X as the last bit and names it last.
    return any_of(sorted(names, key=["1X", "4X", "8X", "12X", "2X"].index), {})


def active_speed(info):
    return LINK_SPEED.get({1: "SDR", 2: "DDR", 4: "QDR"}.get(info["link_speed_active"]), "undefined")


def extended_active(info):
    code = {1: "FDR", 2: "EDR", 4: "HDR", 8: "NDR"}.get(info["link_speed_ext_active"])
    return EXTENDED_SPEED.get(code, "No Extended Speed")


def extended_set(name):
    def text(info):
        code = info[name]
        names = [word for bit, word in ((1, "FDR"), (2, "EDR"), (4, "HDR"), (8, "NDR")) if code & bit]
        return any_of(names, EXTENDED_SPEED) if names else "0"
    return text


PORT_INFO = {
    "Mkey": None,  # smpquery does not show it
    "GidPrefix": hexadecimal("gid_prefix", 16),
    "Lid": number("lid"),
    "SMLid": number("sm_lid"),
    "CapMask": hexadecimal("cap_mask"),
    "DiagCode": hexadecimal("diag_code", 4),
    "MkeyLeasePeriod": number("mkey_lease_period"),
    "LocalPort": number("local_port"),
    "LinkWidthEnabled": lambda i: libibmad_widths(i["widths_enabled"]),
    "LinkWidthSupported": lambda i: libibmad_widths(i["widths_supported"]),
    "LinkWidthActive": lambda i: i["width"],
    "LinkSpeedSupported": lambda i: any_of([s for s in i["speeds_supported"] if s in LINK_SPEED], LINK_SPEED),
    "LinkState": lambda i: {"INIT": "Initialize"}.get(i["state"], STATE[i["state"]][0]),
    "PhysLinkState": lambda i: PHYS[i["phys_state"]][0],
    "LinkDownDefState": lambda i: i["link_down_default"].capitalize(),
    "ProtectBits": number("mkey_protect"),
    "LMC": number("lmc"),
    "LinkSpeedActive": active_speed,
    "LinkSpeedEnabled": lambda i: any_of([s for s in i["speeds_enabled"] if s in LINK_SPEED], LINK_SPEED),
    "NeighborMTU": number("neighbor_mtu"),
    "SMSL": number("sm_sl"),
    "VLCap": number("vl_cap"),
    "InitType": hexadecimal("init_type", 2),
    "VLHighLimit": number("vl_high_limit"),
    "VLArbHighCap": number("vl_arbitration_high_cap"),
    "VLArbLowCap": number("vl_arbitration_low_cap"),
    "InitReply": hexadecimal("init_type_reply", 2),
    "MtuCap": number("mtu_cap"),
    "VLStallCount": number("vl_stall_count"),
    "HoqLife": number("hoq_life"),
    "OperVLs": number("oper_vls"),
    "PartEnforceInb": number("partition_enforcement_inbound"),
    "PartEnforceOutb": number("partition_enforcement_outbound"),
    "FilterRawInb": number("filter_raw_inbound"),
    "FilterRawOutb": number("filter_raw_outbound"),
    "MkeyViolations": number("mkey_violations"),
    "PkeyViolations": number("pkey_violations"),
    "QkeyViolations": number("qkey_violations"),
    "GuidCap": number("guid_cap"),
    "ClientReregister": number("client_reregister"),
    "McastPkeyTrapSuppressionEnabled": number("multicast_pkey_trap_suppression"),
    "SubnetTimeout": number("subnet_timeout"),
    "RespTimeVal": number("resp_time_value"),
    "LocalPhysErr": number("local_phys_errors"),
    "OverrunErr": number("overrun_errors"),
    "MaxCreditHint": number("max_credit_hint"),
    "RoundTrip": number("link_round_trip_latency"),
    "CapabilityMask2": hexadecimal("cap_mask2"),
    "LinkSpeedExtActive": extended_active,
    "LinkSpeedExtSupported": extended_set("link_speed_ext_supported"),
    "LinkSpeedExtEnabled": extended_set("link_speed_ext_enabled"),
}
NODE_INFO = {
    "BaseVers": number("base_version"),
    "ClassVers": number("class_version"),
    "NodeType": lambda n: NODE_TYPE[n["type"]],
    "NumPorts": number("ports"),
    "SystemGuid": number("system_image_guid"),
    "Guid": number("node_guid"),
    "PortGuid": number("port_guid"),
    "PartCap": number("partition_cap"),
    "DevId": hexadecimal("device_id", 4),
    "Revision": hexadecimal("revision", 8),
    "LocalPort": number("local_port"),
    "VendorId": hexadecimal("vendor_id", 6),
}
COUNTERS = {
    "PortSelect": number("port_select"),
    "CounterSelect": None,  # what was asked, not what was answered
    "SymbolErrorCounter": number("symbol_error"),
    "LinkErrorRecoveryCounter": number("link_error_recovery"),
    "LinkDownedCounter": number("link_downed"),
    "PortRcvErrors": number("port_rcv_errors"),
    "PortRcvRemotePhysicalErrors": number("port_rcv_remote_physical_errors"),
    "PortRcvSwitchRelayErrors": number("port_rcv_switch_relay_errors"),
    "PortXmitDiscards": number("port_xmit_discards"),
    "PortXmitConstraintErrors": number("port_xmit_constraint_errors"),
    "PortRcvConstraintErrors": number("port_rcv_constraint_errors"),
    "CounterSelect2": None,
    "LocalLinkIntegrityErrors": number("local_link_integrity_errors"),
    "ExcessiveBufferOverrunErrors": number("excessive_buffer_overrun_errors"),
    "QP1Dropped": None,  # not in the report: counted by no card we know
    "VL15Dropped": number("vl15_dropped"),
    "PortXmitWait": number("port_xmit_wait"),
}
# Our own questions move these, so ours lies between two readings of the tool.
MOVING_COUNTERS = {
    "PortXmitData": "port_xmit_data",
    "PortRcvData": "port_rcv_data",
    "PortXmitPkts": "port_xmit_packets",
    "PortRcvPkts": "port_rcv_packets",
    "PortUnicastXmitPkts": "unicast_xmit_packets",
    "PortUnicastRcvPkts": "unicast_rcv_packets",
    "PortMulticastXmitPkts": "multicast_xmit_packets",
    "PortMulticastRcvPkts": "multicast_rcv_packets",
}
PATH_RECORD = {
    "service_id": hexadecimal("service_id", 16),
    "dlid": number("dlid"),
    "slid": number("slid"),
    "hop_flow_raw": lambda p: f"0x{p['raw_traffic'] << 31 | p['flow_label'] << 8 | p['hop_limit']:x}",
    "tclass": hexadecimal("traffic_class"),
    "num_path_revers": lambda p: f"0x{p['reversible'] << 7 | p['numb_path']:x}",
    "pkey": lambda p: f"0x{int(p['pkey'], 0):X}",
    "qos_class": hexadecimal("qos_class"),
    "sl": hexadecimal("sl"),
    "mtu": lambda p: f"0x{p['mtu_selector'] << 6 | p['mtu_code']:X}",
    "rate": lambda p: f"0x{p['rate_selector'] << 6 | p['rate_code']:X}",
    "pkt_life": lambda p: f"0x{p['packet_life_time_selector'] << 6 | p['packet_life_time']:X}",
    "preference": hexadecimal("preference"),
    "resv2": None,
}


def dotted(text):
    """{name: value} of lines "Name:......value" and "name......value"; deeper lines name the bits of a mask."""
    pairs = {}
    for line in text.splitlines():
        if match := re.match(r"\s{0,16}([A-Za-z][\w ]*?):?\.\.+(.*)$", line.expandtabs()):
            pairs[match[1]] = match[2].strip()
    return pairs


def read_counters(lid, port):
    return [dotted(run("perfquery", lid, port)), dotted(run("perfquery", "-x", lid, port))]


def compare_port(test, lid, port):
    """One port by its LID, each question between two of the tools where counters are concerned."""
    where = f"LID {lid} port {port}"
    before = read_counters(lid, port)
    ours = call("fabric", "port", f"{lid}:{port}")["fabric"]
    after = read_counters(lid, port)
    for title, first, last, mine in zip(("perfquery", "perfquery -x"), before, after,
                                        (ours.get("counters", {}), ours.get("counters_extended", {}))):
        for name in [name for name in first if name in MOVING_COUNTERS]:
            test.between(f"{title} {where} {name}", int(first.pop(name)), mine.get(MOVING_COUNTERS[name]),
                         int(last[name]))
        test.table(f"{title} {where}", first, COUNTERS, mine)

    test.table(f"smpquery portinfo {where}", dotted(run("smpquery", "portinfo", lid, port)), PORT_INFO, ours["info"])
    test.table(f"smpquery nodeinfo {where}", dotted(run("smpquery", "nodeinfo", lid)), NODE_INFO, ours["node"])
    test.equal(f"smpquery nodedesc {where}", dotted(run("smpquery", "nodedesc", lid))["Node Description"],
               ours["description"])
    printed = run("smpquery", "pkeys", lid, port)
    table = [key for line in re.findall(r"^ *\d+:(.*)$", printed, re.M) for key in line.split()]
    test.equal(f"smpquery pkeys {where}", [key for key in table if key != "0x0000"],
               [key for key in ours["pkeys"]["entries"] if key != "0x0000"])
    test.equal(f"P_Key capacity {where}", int(re.search(r"(\d+) pkeys capacity", printed)[1]),
               ours["pkeys"]["capacity"])


def compare_sm(test):
    """sminfo's one line. The activity count moves."""
    line = re.compile(r"sm lid (\d+) sm guid (0x[0-9a-f]+), activity count (\d+) priority (\d+) state (\d)")
    before = line.search(run("sminfo")).groups()
    ours = call("fabric", "sm")["fabric"]["sm"]
    after = line.search(run("sminfo")).groups()
    test.equal("sminfo lid", int(before[0]), ours["lid"])
    test.equal("sminfo guid", int(before[1], 16), int(ours["guid"], 16))
    test.between("sminfo activity", int(before[2]), ours["activity"], int(after[2]))
    test.equal("sminfo priority", int(before[3]), ours["priority"])
    test.equal("sminfo state", int(before[4]), SM_STATE[ours["state"]])


def compare_path(test, source, target):
    printed = dotted(run("saquery", "-p", "--slid", source, "--dlid", target))
    ours = call("fabric", "path", source, target)["fabric"]["path"]
    for end in ("dgid", "sgid"):
        test.equal(f"saquery {end}", normal_gid(printed.pop(end)), normal_gid(ours[end]))
    test.table("saquery PathRecord", printed, PATH_RECORD, ours)
