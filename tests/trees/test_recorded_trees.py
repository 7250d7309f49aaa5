#!/usr/bin/env python3
"""Recorded trees of real nodes through `pve-rdma probe --root`: what comes out is what the files hold.

The trees of other projects lie outside this repository, in $PVE_RDMA_SHARED (or ../shared beside it); without them
only the project's own trees are read. PVE_RDMA_BIN names the program.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import tree  # noqa: E402

REPO = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PVE_RDMA_SHARED", REPO.parent / "shared")) / "corpus/sysfs"
PROGRAM = os.environ.get("PVE_RDMA_BIN", str(REPO / "build/dev/bin/pve-rdma"))


def probe(root: Path) -> dict:
    run = subprocess.run([PROGRAM, "probe", "--root", str(root), "--json"], capture_output=True, timeout=60, check=False)
    if run.returncode:
        raise AssertionError(f"exit code {run.returncode}: {run.stderr.decode()}{run.stdout.decode()}")
    if run.stderr:
        raise AssertionError(f"standard error: {run.stderr.decode()}")
    return json.loads(run.stdout)["report"]


def diagnose(root: Path) -> list:
    """Findings above information, as (rule, severity, subject)."""
    run = subprocess.run([PROGRAM, "diagnose", "--root", str(root), "--severity", "warning", "--json"],
                         capture_output=True, timeout=60, check=False)
    reply = json.loads(run.stdout)
    worst = {finding["severity"] for finding in reply["findings"]}
    if run.returncode != ("error" in worst):
        raise AssertionError(f"exit code {run.returncode} with {worst}")
    return sorted((one["rule"], one["severity"], one["subject"]) for one in reply["findings"])


def unread(report: dict) -> list:
    return [(entry["what"], entry["error"]) for source in report["sources"].values() for entry in source["unread"]]


class Tree(unittest.TestCase):
    """One tree, probed and diagnosed once. `expected_unread` is the whole list of what may go unread, each with its
    reason; `expected_findings` all findings above information."""

    name = ""
    expected_unread: list = []
    expected_findings: list = []
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if not cls.name:
            raise unittest.SkipTest("not a tree")
        cls.scratch = tempfile.TemporaryDirectory(prefix="pve-rdma-tree-")
        scratch = Path(cls.scratch.name)
        if cls.name.endswith(".tree"):
            tree.unpack_text(REPO / "tests/fixtures" / cls.name, scratch)
            root = scratch
        else:
            if not (SHARED / cls.name).is_file():
                raise unittest.SkipTest(f"{SHARED / cls.name} is not here")
            root = tree.unpack(SHARED / cls.name, scratch)
        cls.report = probe(root)
        cls.findings = diagnose(root)
        cls.devices = {device["name"]: device for device in cls.report["devices"]}
        cls.links = {link["ifname"]: link for link in cls.report["links"]}
        cls.pci = {device["address"]: device for device in cls.report["pci"]}

    @classmethod
    def tearDownClass(cls):
        if hasattr(cls, "scratch"):
            cls.scratch.cleanup()

    def test_nothing_else_goes_unread(self):
        self.assertEqual(unread(self.report), self.expected_unread)

    def test_the_diagnosis_is_right(self):
        self.assertEqual(self.findings, self.expected_findings)

    def port(self, device: str, number: int = 1) -> dict:
        return next(port for port in self.devices[device]["ports"] if port["number"] == number)

    def holds(self, facts: dict, **expected):
        self.assertEqual({key: facts.get(key) for key in expected}, expected)


class ConnectX3(Tree):
    name = "32em64t-2n8c+dax+nvme+mic+dimms.tar.bz2"
    # The recorder kept the link of the coprocessor's device in the class folder, not what it leads to.
    expected_unread = [("/sys/class/infiniband/scif0", "not_found")]
    fields = {"pkeys": [{"index": 0, "pkey": "0xffff"}], "guid": "0x0002c90300f9bfa1"}
    expected_findings = [("FW-01", "warning", "mlx4_0"), ("MTU-05", "warning", "ib0")]

    def test_card(self):
        self.holds(self.devices["mlx4_0"], hca_type="MT4099", fw_ver="2.11.500", board_id="DEL0A30000019",
                   driver="mlx4_core", pci="0000:82:00.0", numa_node=1, node_type="CA", protocol="ib")

    def test_port(self):
        port = self.port("mlx4_0")
        self.holds(port, state="ACTIVE", phys_state="LINK_UP", link_layer="InfiniBand", lid=0x3A4, sm_lid=1,
                   active_width="4X", active_speed="FDR", rate_gbps=56, umad="umad0", issm="issm0",
                   pkey_table_length=128, gid_table_length=128, netdev="ib0", port_guid=self.fields["guid"])
        self.assertEqual(port["pkeys"], self.fields["pkeys"])
        self.assertEqual(port["counters"]["port_rcv_packets"], 7620680)

    def test_ipoib(self):
        self.holds(self.links["ib0"], mtu=2044, link_type="infiniband", info_kind="ipoib")
        self.holds(self.links["ib0"]["ipoib"], mode="connected", key="0xffff")
        self.assertEqual(len(self.links["ib0"]["address"].split(":")), 20)

    def test_pci(self):
        self.holds(self.pci["0000:82:00.0"], vendor_id=0x15B3, device_id=0x1003, port_types={"mlx4_port1": "ib"},
                   rdma_devices=["mlx4_0"])


class OwnConnectX3(ConnectX3):
    name = "connectx3.tree"
    expected_unread = []
    fields = {"pkeys": [{"index": 0, "pkey": "0xffff"}, {"index": 127, "pkey": "0x8001"}],
              "guid": "0x0002c90300f9bf01"}
    # It stands in a slot of four lanes.
    expected_findings = [("FW-01", "warning", "mlx4_0"), ("MTU-05", "warning", "ib0"),
                         ("PCI-01", "warning", "0000:82:00.0")]


class Qib(Tree):
    name = "40intel64-2g2n4c+pcilocality.tar.bz2"
    expected_findings = [("MTU-05", "warning", "ib0")]

    def test_port_is_active_at_qdr(self):
        self.holds(self.devices["qib0"], hca_type="InfiniPath_QLE7340", driver="ib_qib", pci="0000:43:00.0", numa_node=2)
        self.holds(self.port("qib0"), state="ACTIVE", rate="40 Gb/sec (4X QDR)", active_speed="QDR", lid=0x12A,
                   umad="umad0")
        self.holds(self.pci["0000:43:00.0"], class_code=0x0C0600, vendor_id=0x1077)


class QibElsewhere(Qib):
    name = "fakepcilocalities.tar.bz2"

    def test_port_is_active_at_qdr(self):
        self.holds(self.devices["qib0"], numa_node=1)
        self.holds(self.port("qib0"), state="ACTIVE", active_speed="QDR")


class ConnectX4WithoutDriver(Tree):
    name = "32intel64-2p8co2t+8ve.tar.bz2"
    expected_findings = [("MOD-01", "error", "0000:1a:00.0"), ("MOD-01", "error", "0000:3e:00.0")]

    def test_two_cards_and_no_device(self):
        cards = [device for device in self.report["pci"] if device["vendor_id"] == 0x15B3]
        self.assertEqual([card["address"] for card in cards], ["0000:1a:00.0", "0000:3e:00.0"])
        for card in cards:
            self.holds(card, device_id=0x1013, class_code=0x020700, driver="mlx5_core", rdma_devices=[])
            self.holds(card["links"][0], current_speed_gts=8, current_width=16, max_speed_gts=8, max_width=16,
                       bandwidth_gbps=126.03)
        self.assertEqual(self.report["devices"], [])
        self.assertEqual(self.report["sources"]["sysfs"]["unavailable"], "ENOENT")


class OwnConnectX4WithoutDriver(ConnectX4WithoutDriver):
    name = "connectx4-no-device.tree"


class Procfs(Tree):
    name = "procfs-infiniband.tar.bz2"
    # Their mlx5_0 trains, on one lane.
    expected_findings = [("FW-01", "warning", "mlx4_0"), ("PHY-03", "warning", "mlx5_0 port 1"),
                         ("PHY-04", "error", "mlx5_0 port 1")]

    def test_devices(self):
        self.holds(self.devices["mlx4_0"], hca_type="MT4099", fw_ver="2.31.5050", board_id="SM_1141000001000")
        for number in (1, 2):
            self.holds(self.port("mlx4_0", number), state="ACTIVE", active_speed="QDR", active_width="4X")
        self.holds(self.devices["mlx5_0"], hca_type="MT4118")
        self.assertEqual(self.port("mlx5_0")["hw_counters"]["out_of_sequence"], 1)
        self.assertNotIn("lifespan", self.port("mlx5_0")["hw_counters"])
        self.holds(self.port("hfi1_0"), rate_gbps=100, active_speed="EDR")


class OwnMixedCards(Procfs):
    name = "mixed-cards.tree"
    # as in the tree of an iWARP card: its driver has no port counters
    expected_unread = [("/sys/class/infiniband/i40iw0/ports/1/counters", "unavailable")]
    expected_findings = [("FW-01", "warning", "mlx4_0"), ("PHY-04", "error", "mlx5_0 port 1")]

    def test_iwarp(self):
        self.assertEqual(self.port("i40iw0")["counters"], {})


class H100(Tree):
    name = "gpud-h100-infiniband.tar.bz2"

    def test_eight_ndr_ports_and_a_bond(self):
        cards = [device for device in self.report["devices"] if device["hca_type"] == "MT4129"]
        self.assertEqual(len(cards), 8)
        for card in cards:
            self.holds(card, fw_ver="28.41.1000", board_id="MT_0000000838")
            self.holds(card["ports"][0], state="ACTIVE", rate_gbps=400, active_speed="NDR", link_layer="InfiniBand")
            self.assertNotIn("lid", card["ports"][0])
        self.holds(self.devices["mlx5_bond_0"], hca_type="MT41692")
        self.holds(self.port("mlx5_bond_0"), link_layer="Ethernet", rate_gbps=200, active_width="2X")


class OwnH100(H100):
    name = "h100.tree"


class NodeExporter(Tree):
    name = "node_exporter-sys.ttar.bz2"
    expected_findings = [("FW-01", "warning", "mlx4_0")]
    expected_unread = [("/sys/class/infiniband/i40iw0/ports/1/counters", "unavailable")]

    def test_iwarp_has_no_port_counters(self):
        self.holds(self.devices["i40iw0"], board_id="I40IW Board ID")
        self.holds(self.port("i40iw0"), state="ACTIVE", counters={})

    def test_two_ports(self):
        self.assertEqual([port["number"] for port in self.devices["mlx4_0"]["ports"]], [1, 2])
        self.assertIn("port_xmit_data_64", self.port("mlx4_0", 2)["counters"])

    def test_bond(self):
        self.holds(self.links["bond0"], info_kind="bond")
        self.assertNotIn("bonding_masters", self.links)


if __name__ == "__main__":
    unittest.main()
