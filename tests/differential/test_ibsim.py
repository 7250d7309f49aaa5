#!/usr/bin/env python3
"""What the InfiniBand tools print of a simulated fabric, against `pve-rdma fabric ... --json`.

The fields stand below as data. A field that a tool prints and no table knows fails, so does one of a table that the
tool does not print. PVE_RDMA names the program (default: build/dev/bin/pve-rdma).
"""
import ipaddress
import json
import os
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lab"))
from ibsim_lab import IbsimLab, NET4, NET4_MTU, PARTITIONS_4K, wait_for  # noqa: E402

PROGRAM = os.environ.get("PVE_RDMA", str(ROOT / "build" / "dev" / "bin" / "pve-rdma"))

# --- how a tool writes what we have -----------------------------------------------------------------------------------
SPEED_GBPS = {"SDR": "2.5 Gbps", "DDR": "5.0 Gbps", "QDR": "10.0 Gbps"}
LANE_GBPS = {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100}
STATE = {"DOWN": "Down", "INIT": "Initialize", "ARMED": "Armed", "ACTIVE": "Active"}
PHYS_STATE = {"POLLING": "Polling", "LINK_UP": "LinkUp", "DISABLED": "Disabled", "SLEEP": "Sleep"}
NODE_TYPE = {"CA": "Channel Adapter", "SWITCH": "Switch", "ROUTER": "Router"}


def plain(name):
    return lambda fact: str(fact[name])


def hexadecimal(name, digits=0):
    def show(fact):
        value = fact[name]
        return f"0x{value if isinstance(value, int) else int(value, 16):0{digits}x}"
    return show


def widths(name):
    # libibmad lists 2X last
    order = ["1X", "4X", "8X", "12X", "2X"]
    return lambda fact: " or ".join(sorted(fact[name], key=order.index))


def speeds(name):
    return lambda fact: " or ".join(SPEED_GBPS[word] for word in fact[name] if word in SPEED_GBPS)


def extended_speeds(name, none="0"):
    words = {1: "14.0625 Gbps", 2: "25.78125 Gbps", 4: "53.125 Gbps", 8: "106.25 Gbps"}
    return lambda fact: " or ".join(word for bit, word in words.items() if fact[name] & bit) or none


def capitals(number):
    """As saquery writes: 0x8B."""
    return f"0x{number:X}"


def base_speed(fact):
    return SPEED_GBPS[{1: "SDR", 2: "DDR", 4: "QDR"}[fact["link_speed_active"]]]


def rate(fact):
    return f"{int(fact['width'].rstrip('X')) * LANE_GBPS[fact['speed']]:g}"


NOT_SHOWN = None  # the tool hides it, or shows what is none of the fabric's

NODE_INFO = {
    "BaseVers": plain("base_version"),
    "ClassVers": plain("class_version"),
    "NodeType": lambda fact: NODE_TYPE[fact["type"]],
    "NumPorts": plain("ports"),
    "SystemGuid": plain("system_image_guid"),
    "Guid": plain("node_guid"),
    "PortGuid": plain("port_guid"),
    "PartCap": plain("partition_cap"),
    "DevId": hexadecimal("device_id", 4),
    "Revision": hexadecimal("revision", 8),
    "LocalPort": plain("local_port"),
    "VendorId": hexadecimal("vendor_id", 6),
}

SWITCH_INFO = {
    "LinearFdbCap": plain("linear_fdb_cap"),
    "RandomFdbCap": plain("random_fdb_cap"),
    "McastFdbCap": plain("multicast_fdb_cap"),
    "LinearFdbTop": plain("linear_fdb_top"),
    "DefPort": plain("default_port"),
    "DefMcastPrimPort": plain("default_multicast_primary_port"),
    "DefMcastNotPrimPort": plain("default_multicast_not_primary_port"),
    "LifeTime": plain("life_time"),
    "StateChange": plain("port_state_change"),
    "OptSLtoVLMapping": plain("optimized_sl_to_vl_mapping"),
    "LidsPerPort": plain("lids_per_port"),
    "PartEnforceCap": plain("partition_enforcement_cap"),
    "InboundPartEnf": plain("inbound_enforcement_cap"),
    "OutboundPartEnf": plain("outbound_enforcement_cap"),
    "FilterRawInbound": plain("filter_raw_inbound_cap"),
    "FilterRawOutbound": plain("filter_raw_outbound_cap"),
    "EnhancedPort0": plain("enhanced_port0"),
    "MulticastFDBTop": hexadecimal("multicast_fdb_top", 4),
}

PORT_INFO = {
    "Mkey": NOT_SHOWN,
    "GidPrefix": hexadecimal("gid_prefix", 16),
    "Lid": plain("lid"),
    "SMLid": plain("sm_lid"),
    "CapMask": hexadecimal("cap_mask"),
    "DiagCode": hexadecimal("diag_code", 4),
    "MkeyLeasePeriod": plain("mkey_lease_period"),
    "LocalPort": plain("local_port"),
    "LinkWidthEnabled": widths("widths_enabled"),
    "LinkWidthSupported": widths("widths_supported"),
    "LinkWidthActive": plain("width"),
    "LinkSpeedSupported": speeds("speeds_supported"),
    "LinkState": lambda fact: STATE[fact["state"]],
    "PhysLinkState": lambda fact: PHYS_STATE[fact["phys_state"]],
    "LinkDownDefState": lambda fact: PHYS_STATE[fact["link_down_default"]],
    "ProtectBits": plain("mkey_protect"),
    "LMC": plain("lmc"),
    "LinkSpeedActive": base_speed,
    "LinkSpeedEnabled": speeds("speeds_enabled"),
    "NeighborMTU": plain("neighbor_mtu"),
    "SMSL": plain("sm_sl"),
    "VLCap": plain("vl_cap"),
    "InitType": hexadecimal("init_type", 2),
    "VLHighLimit": plain("vl_high_limit"),
    "VLArbHighCap": plain("vl_arbitration_high_cap"),
    "VLArbLowCap": plain("vl_arbitration_low_cap"),
    "InitReply": hexadecimal("init_type_reply", 2),
    "MtuCap": plain("mtu_cap"),
    "VLStallCount": plain("vl_stall_count"),
    "HoqLife": plain("hoq_life"),
    "OperVLs": plain("oper_vls"),
    "PartEnforceInb": plain("partition_enforcement_inbound"),
    "PartEnforceOutb": plain("partition_enforcement_outbound"),
    "FilterRawInb": plain("filter_raw_inbound"),
    "FilterRawOutb": plain("filter_raw_outbound"),
    "MkeyViolations": plain("mkey_violations"),
    "PkeyViolations": plain("pkey_violations"),
    "QkeyViolations": plain("qkey_violations"),
    "GuidCap": plain("guid_cap"),
    "ClientReregister": plain("client_reregister"),
    "McastPkeyTrapSuppressionEnabled": plain("multicast_pkey_trap_suppression"),
    "SubnetTimeout": plain("subnet_timeout"),
    "RespTimeVal": plain("resp_time_value"),
    "LocalPhysErr": plain("local_phys_errors"),
    "OverrunErr": plain("overrun_errors"),
    "MaxCreditHint": plain("max_credit_hint"),
    "RoundTrip": plain("link_round_trip_latency"),
    "CapabilityMask2": hexadecimal("cap_mask2"),
    "LinkSpeedExtActive": extended_speeds("link_speed_ext_active", none="No Extended Speed"),
    "LinkSpeedExtSupported": extended_speeds("link_speed_ext_supported"),
    "LinkSpeedExtEnabled": extended_speeds("link_speed_ext_enabled"),
}

PORT_COUNTERS = {
    "PortSelect": plain("port_select"),
    "CounterSelect": hexadecimal("counter_select", 4),
    "SymbolErrorCounter": plain("symbol_error"),
    "LinkErrorRecoveryCounter": plain("link_error_recovery"),
    "LinkDownedCounter": plain("link_downed"),
    "PortRcvErrors": plain("port_rcv_errors"),
    "PortRcvRemotePhysicalErrors": plain("port_rcv_remote_physical_errors"),
    "PortRcvSwitchRelayErrors": plain("port_rcv_switch_relay_errors"),
    "PortXmitDiscards": plain("port_xmit_discards"),
    "PortXmitConstraintErrors": plain("port_xmit_constraint_errors"),
    "PortRcvConstraintErrors": plain("port_rcv_constraint_errors"),
    "CounterSelect2": hexadecimal("counter_select2", 2),
    "LocalLinkIntegrityErrors": plain("local_link_integrity_errors"),
    "ExcessiveBufferOverrunErrors": plain("excessive_buffer_overrun_errors"),
    "QP1Dropped": plain("vl15_dropped"),  # libibmad reads VL15Dropped's octets there
    "VL15Dropped": plain("vl15_dropped"),
    "PortXmitWait": plain("port_xmit_wait"),
}
# These grow with every MAD that asks for them: ours lies between what the tool says before and after.
GROWING_COUNTERS = {
    "PortXmitData": "port_xmit_data",
    "PortRcvData": "port_rcv_data",
    "PortXmitPkts": "port_xmit_packets",
    "PortRcvPkts": "port_rcv_packets",
}
EXTENDED_COUNTERS = {
    "PortSelect": plain("port_select"),
    "CounterSelect": hexadecimal("counter_select", 4),
    "PortUnicastXmitPkts": plain("unicast_xmit_packets"),
    "PortUnicastRcvPkts": plain("unicast_rcv_packets"),
    "PortMulticastXmitPkts": plain("multicast_xmit_packets"),
    "PortMulticastRcvPkts": plain("multicast_rcv_packets"),
}

PATH_RECORD = {
    "service_id": hexadecimal("service_id", 16),
    "dgid": lambda fact: short_gid(fact["dgid"]),
    "sgid": lambda fact: short_gid(fact["sgid"]),
    "dlid": plain("dlid"),
    "slid": plain("slid"),
    "hop_flow_raw": lambda fact: capitals(fact["raw_traffic"] << 31 | fact["flow_label"] << 8 | fact["hop_limit"]),
    "tclass": lambda fact: capitals(fact["traffic_class"]),
    "num_path_revers": lambda fact: capitals(fact["reversible"] << 7 | fact["numb_path"]),
    "pkey": lambda fact: capitals(int(fact["pkey"], 16)),
    "qos_class": lambda fact: capitals(fact["qos_class"]),
    "sl": hexadecimal("sl"),
    "mtu": lambda fact: capitals(fact["mtu_selector"] << 6 | fact["mtu_code"]),
    "rate": lambda fact: capitals(fact["rate_selector"] << 6 | fact["rate_code"]),
    "pkt_life": lambda fact: capitals(fact["packet_life_time_selector"] << 6 | fact["packet_life_time"]),
    "preference": hexadecimal("preference"),
    "resv2": NOT_SHOWN,
}
MC_GROUP = {
    "MGID": lambda fact: short_gid(fact["mgid"]),
    "Mlid": lambda fact: capitals(fact["mlid"]),
    "Mtu": lambda fact: capitals(fact["mtu_selector"] << 6 | fact["mtu_code"]),
    "pkey": lambda fact: capitals(int(fact["pkey"], 16)),
    "Rate": lambda fact: capitals(fact["rate_selector"] << 6 | fact["rate_code"]),
    "SL": hexadecimal("sl"),
}
MC_MEMBER = {
    "MGID": lambda fact: short_gid(fact["mgid"]),
    "Mlid": lambda fact: capitals(fact["mlid"]),
    "PortGid": lambda fact: short_gid(fact["port_gid"]),
    "ScopeState": lambda fact: capitals(fact["scope"] << 4 | fact["join_state"]),
    "ProxyJoin": hexadecimal("proxy_join"),
    "NodeDescription": NOT_SHOWN,  # of the member, which an untrusted requester does not get
}
SMINFO = re.compile(r"sminfo: sm lid (?P<lid>\d+) sm guid (?P<guid>0x[0-9a-f]+), activity count (?P<activity>\d+) "
                    r"priority (?P<priority>\d+) state (?P<state_code>\d+) SMINFO_(?P<state>\w+)$")

IBSTAT_CA = {
    "CA type": NOT_SHOWN,  # sysfs, not the fabric
    "Number of ports": NOT_SHOWN,  # umad2sim shows one of two
    "Firmware version": NOT_SHOWN,
    "Hardware version": lambda port: f"{port['node']['revision']:x}",
    "Node GUID": lambda port: port["node"]["node_guid"],
    "System image GUID": lambda port: port["node"]["system_image_guid"],
}
IBSTAT_PORT = {
    "State": lambda port: STATE[port["info"]["state"]],
    "Physical state": lambda port: PHYS_STATE[port["info"]["phys_state"]],
    "Rate": lambda port: rate(port["info"]),
    "Base lid": lambda port: str(port["info"]["lid"]),
    "LMC": lambda port: str(port["info"]["lmc"]),
    "SM lid": lambda port: str(port["info"]["sm_lid"]),
    "Capability mask": lambda port: f"0x{port['info']['cap_mask']:08x}",
    "Port GUID": lambda port: port["node"]["port_guid"],
    "Link layer": NOT_SHOWN,  # sysfs
}


def short_gid(text):
    return str(ipaddress.IPv6Address(text))


# --- reading the tools ------------------------------------------------------------------------------------------------
def dotted(output, indented=False):
    """{"Lid": "5"} from "Lid:......5", or from saquery's indented "dlid....4"."""
    pattern = r"^\t+(\w+?)\.{2,}(.*)$" if indented else r"^(\w+):\.*(.*)$"
    found = {}
    for line in output.splitlines():
        if match := re.match(pattern, line):
            found.setdefault(match[1], match[2].strip())
    return found


def coloned(output):
    return dict(re.findall(r"^\s*([A-Za-z ]+): (.+)$", output, re.MULTILINE))


class LabTest(unittest.TestCase):
    maxDiff = None

    def tool(self, host, *command):
        done = self.lab.run(host, command)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def ask(self, host, *words, status=0):
        done = self.lab.run(host, [PROGRAM, "fabric", *words, "--json"])
        self.assertEqual(done.returncode, status, f"fabric {words}: {done.stdout}{done.stderr}")
        reply = json.loads(done.stdout)
        self.assertEqual(reply["ok"], status == 0)
        return reply["fabric"] if status == 0 else reply["error"]

    def compare(self, what, said, table, fact, ignoring=()):
        self.assertTrue(said, f"{what}: the tool said nothing")
        unknown = set(said) - set(table) - set(ignoring)
        self.assertFalse(unknown, f"{what}: fields that this test does not know")
        missing = {name for name, show in table.items() if show and name not in said}
        self.assertFalse(missing, f"{what}: fields that the tool did not print")
        ours = {name: show(fact) for name, show in table.items() if show}
        self.assertEqual({name: said[name] for name in ours}, ours, what)


class ManagedFabric(LabTest):
    """Two subnet managers; S1 caps the MTU at 2048 where hosts and S2 do 4096."""

    @classmethod
    def setUpClass(cls):
        cls.lab = cls.enterClassContext(IbsimLab(NET4, mtu=NET4_MTU))
        cls.lab.start_sm("pve1", priority=10, partitions=PARTITIONS_4K)
        cls.lab.start_sm("pve2", priority=5)
        walk = json.loads(cls.lab.run("pve3", [PROGRAM, "fabric", "walk", "--json"]).stdout)["fabric"]
        cls.lids = {(node["description"], port["number"]): port["lid"]
                    for node in walk["nodes"] for port in node["ports"] if port["lid"]}

    def targets(self):
        """(LID, port number or None) of each HCA port and of a few ports of both switches."""
        for (description, number), lid in sorted(self.lids.items()):
            if number:
                yield lid, None
            else:
                yield from ((lid, port) for port in (0, 1, 4, 7, 35))

    def port(self, lid, number):
        return self.ask("pve3", "port", str(lid) if number is None else f"{lid}:{number}")

    def test_portinfo_nodeinfo_nodedesc_pkeys(self):
        self.assertEqual(len(list(self.targets())), 8 + 2 * 5)
        for lid, number in self.targets():
            with self.subTest(lid=lid, port=number):
                port = self.port(lid, number)
                where = [str(lid)] + ([str(number)] if number is not None else [])
                self.compare("portinfo", dotted(self.tool("pve3", "smpquery", "portinfo", *where)), PORT_INFO,
                             port["info"])
                self.compare("nodeinfo", dotted(self.tool("pve3", "smpquery", "nodeinfo", str(lid))), NODE_INFO,
                             port["node"])
                description = re.match(r"Node Description:\.*(.*)\n", self.tool("pve3", "smpquery", "nodedesc", str(lid)))
                self.assertEqual(description[1], port["description"])
                self.compare_pkeys(self.tool("pve3", "smpquery", "pkeys", *where), port["pkeys"])

    def compare_pkeys(self, said, ours):
        rows = re.findall(r"^ *\d+: (.*)$", said, re.MULTILINE)
        theirs = [pkey for row in rows for pkey in row.split()]
        self.assertEqual(ours["entries"] + ["0x0000"] * (len(theirs) - len(ours["entries"])), theirs)
        self.assertEqual(re.search(r"(\d+) pkeys capacity", said)[1], str(ours["capacity"]))

    def test_switchinfo(self):
        for (description, number), lid in self.lids.items():
            if number == 0:
                self.compare(description, dotted(self.tool("pve3", "smpquery", "switchinfo", str(lid))), SWITCH_INFO,
                             self.port(lid, 0)["switch_info"])

    def test_perfquery(self):
        self.lab.console('PerformanceSet "S1"[3] PortCounters.SymbolErrorCounter=1234')
        self.lab.console('PerformanceSet "S1"[3] PortCounters.VL15Dropped=7')
        s1 = self.lids["old-qdr-switch", 0]
        for lid, number in ((s1, 3), (self.lids["pve4 mlx4_0", 1], 1)):
            for flags, name, table in (([], "counters", PORT_COUNTERS), (["-x"], "counters_extended", EXTENDED_COUNTERS)):
                with self.subTest(lid=lid, port=number, table=name):
                    command = ["perfquery", *flags, str(lid), str(number)]
                    before = dotted(self.tool("pve3", *command))
                    ours = self.port(lid, number)[name]
                    after = dotted(self.tool("pve3", *command))
                    self.compare(name, before, table, ours, ignoring=GROWING_COUNTERS)
                    for field, own in GROWING_COUNTERS.items():
                        self.assertLessEqual(int(before[field]), ours[own], field)
                        self.assertLessEqual(ours[own], int(after[field]), field)
        self.assertEqual(self.port(s1, 3)["counters"]["symbol_error"], 1234)

    def test_sminfo_of_both_managers(self):
        both = {self.lids["pve1 mlx4_0", 1], self.lids["pve2 mlx4_0", 1]}
        # The master lists another manager once it has asked it.
        asked = lambda: (lambda reply: {sm["lid"] for sm in reply["known"]} == both and reply)(self.ask("pve3", "sm"))
        master = wait_for("the master knows both managers", asked)
        for said, ours, state in ((self.tool("pve3", "sminfo"), master["sm"], "MASTER"),
                                  (self.tool("pve3", "sminfo", str(self.lids["pve2 mlx4_0", 1])),
                                   self.port(self.lids["pve2 mlx4_0", 1], None)["sm"], "STANDBY")):
            with self.subTest(state=state):
                theirs = SMINFO.match(said.strip()).groupdict()
                self.assertEqual(ours["state"], state)
                self.assertEqual(theirs.pop("state"), ours["state"])
                self.assertEqual(int(theirs.pop("guid"), 16), int(ours["guid"], 16))
                theirs.pop("activity")  # counts on
                for name, value in theirs.items():
                    self.assertEqual(int(value), ours[name], name)

    def test_activity_count_lies_between_two_readings(self):
        count = lambda: int(SMINFO.match(self.tool("pve3", "sminfo").strip())["activity"])
        before = count()
        ours = self.ask("pve3", "sm")["sm"]["activity"]
        self.assertLessEqual(before, ours)
        self.assertLessEqual(ours, count())

    def test_saquery_path_records(self):
        pairs = [("pve3 mlx4_0", 1, "pve1 mlx4_0", 1, 2048), ("pve1 mlx4_0", 2, "pve3 mlx4_0", 2, 4096),
                 ("pve1 mlx4_0", 2, "pve2 mlx4_0", 1, 2048)]
        for a, a_port, b, b_port, mtu in pairs:
            with self.subTest(a=a, b=b):
                slid, dlid = str(self.lids[a, a_port]), str(self.lids[b, b_port])
                ours = self.ask("pve3", "path", slid, dlid)["path"]
                self.compare("PathRecord", dotted(self.tool("pve3", "saquery", "-p", "--slid", slid, "--dlid", dlid),
                                                  indented=True), PATH_RECORD, ours)
                self.assertEqual(ours["mtu"], mtu)

    def test_saquery_groups_and_members(self):
        groups = self.ask("pve3", "sm")["ipoib_groups"]
        self.assertEqual([one["pkey"] for one in groups], ["0xffff"])
        ours = groups[0]["group"]
        self.compare("group", dotted(self.tool("pve3", "saquery", "-g"), indented=True), MC_GROUP, ours)
        self.compare("member", dotted(self.tool("pve3", "saquery", "-m"), indented=True), MC_MEMBER, ours)
        self.assertEqual(ours["mtu"], 4096)

    def test_ibstat(self):
        for host in ("pve1", "pve3"):
            said = self.tool(host, "ibstat")
            head, _, body = said.partition("\tPort 1:")
            port = self.ask(host, "port", str(self.lids[f"{host} mlx4_0", 1]))
            self.compare("ibstat CA", coloned(head), IBSTAT_CA, port)
            self.compare("ibstat port", coloned(body), IBSTAT_PORT, port)

    def test_the_capped_mtu_is_named(self):
        walk = self.ask("pve3", "walk")
        capped = [text for link in walk["links"] for text in link["capped"] if text.startswith("MTU 2048")]
        self.assertEqual(len(capped), 4 + 2 + 1, capped)  # hosts on S1, S1 to S2, and pve4's own second port
        self.assertTrue(any("old-qdr-switch port 1 can no more" in text for text in capped), capped)


class Walks(LabTest):
    """No subnet manager, and what happens to a fabric."""

    def setUp(self):
        self.lab = self.enterContext(IbsimLab(NET4))

    def known_to_ibnetdiscover(self):
        said = self.tool("pve3", "ibnetdiscover")
        nodes = set(re.findall(r'^(?:Switch|Ca)\s+\d+ "[SH]-([0-9a-f]+)"', said, re.MULTILINE))
        links, owner = set(), None
        for line in said.splitlines():
            if match := re.match(r'(?:Switch|Ca)\s+\d+ "[SH]-([0-9a-f]+)"', line):
                owner = match[1]
            elif match := re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"[SH]-([0-9a-f]+)"\[(\d+)\]', line):
                links.add(frozenset([(owner, int(match[1])), (match[2], int(match[3]))]))
        return nodes, links

    def assert_same_map(self, nodes, links):
        walk = self.ask("pve3", "walk")
        guid = lambda end: walk["nodes"][end["node"]]["guid"][2:]
        ours = {frozenset([(guid(link["from"]), link["from"]["port"]), (guid(link["to"]), link["to"]["port"])])
                for link in walk["links"]}
        their_nodes, their_links = self.known_to_ibnetdiscover()
        self.assertEqual({node["guid"][2:] for node in walk["nodes"]}, their_nodes)
        self.assertEqual(ours, their_links)
        self.assertEqual((len(ours), len(walk["nodes"])), (links, nodes))
        self.assertTrue(walk["complete"])
        self.assertEqual(walk["errors"], [])
        return walk

    def test_the_map_is_that_of_ibnetdiscover(self):
        walk = self.assert_same_map(nodes=6, links=10)
        self.assertEqual(walk["sms"], [])

    def test_without_a_subnet_manager_sm_is_an_error_that_says_so(self):
        error = self.ask("pve3", "sm", status=3)
        self.assertIn("knows no subnet manager", error["message"])
        self.assertIn("opensm", error["hint"])

    def test_a_link_that_goes_down(self):
        self.lab.console('Unlink "pve4"[1]')
        walk = self.assert_same_map(nodes=6, links=9)
        switch = next(node for node in walk["nodes"] if node["description"] == "old-qdr-switch")
        self.assertEqual((switch["ports"][4]["state"], switch["ports"][4]["phys_state"]), ("DOWN", "POLLING"))
        error = self.ask("pve4", "walk", status=3)
        self.assertIn("ibsim0 port 1 is DOWN", error["message"])
        self.lab.console('ReLink "pve4"[1]')
        self.assert_same_map(nodes=6, links=10)

    def test_a_duplicate_guid_is_named(self):
        self.lab.console('Guid "pve2" 0x2c90300a1000')
        walk = self.ask("pve3", "walk")
        self.assertEqual((len(walk["nodes"]), len(walk["links"])), (6, 10))
        self.assertTrue(any("0x00002c90300a1000" in error["text"] for error in walk["errors"]), walk["errors"])

    def test_a_lost_portinfo_is_a_timeout_and_the_rest_is_there(self):
        self.lab.start_sm("pve1")
        lid = str(self.ask("pve3", "sm")["via"]["lid"])
        self.lab.console('Error "pve3"[1] 100 21')
        port = self.ask("pve1", "port", lid)
        self.assertEqual(port["node"]["type"], "CA")
        self.assertNotIn("info", port)
        unread = {one["what"]: one for one in port["unread"]}
        self.assertEqual(unread["info"]["error"], "ETIMEDOUT")

    def test_the_standby_takes_over_and_is_seen(self):
        self.lab.start_sm("pve1", priority=10)
        self.lab.start_sm("pve2", priority=5)
        self.assertEqual(self.ask("pve3", "sm")["sm"]["priority"], 10)
        self.lab.stop_sm("pve1")
        taken_over = lambda: self.ask("pve3", "walk")["sms"]
        sms = wait_for("pve2 is master", lambda: [sm for sm in taken_over() if sm["state"] == "MASTER" and
                                                  sm["priority"] == 5], 60)
        self.assertEqual(len(sms), 1)


if __name__ == "__main__":
    unittest.main()
