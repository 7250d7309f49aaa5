"""What we read of links' Ethernet side against ethtool(8): virtual links in a namespace, and, only looked at, the
cards of this machine."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare_ethtool import COMPARISONS  # noqa: E402
from netns_bed import Bed, program  # noqa: E402

LINKS = """
link add veth-a numtxqueues 4 numrxqueues 4 type veth peer name veth-b
link set veth-a up
link set veth-b up
link add bridge0 type bridge
link set bridge0 up
link add macvlan0 link veth-a type macvlan
link add vxlan0 type vxlan id 5 dstport 4789 remote 192.0.2.1
link add ifb0 type ifb
tuntap add mode tap name tap0 multi_queue
""".strip().splitlines()

GUEST_KINDS = {"tun", "veth"}  # whose features are left out


def compare(link, ethtool):
    """Differences of one link, and how many of the tool's views it has."""
    differences, views = [], 0
    for option, comparison in COMPARISONS.items():
        if option == "-k" and link.get("info_kind") in GUEST_KINDS:
            continue
        if option == "-i" and "info_kind" in link:
            continue  # the driver of a virtual link is its kind
        result = ethtool(option, link["ifname"])
        if result.returncode:
            continue
        views += 1
        differences += [f"ethtool {option} {link['ifname']}: {one}"
                        for one in comparison(result.stdout, link.get("ethernet", {"coalesce": {}, "features": {}}))]
    return differences, views


def arguments(option, name):
    return ["ethtool", *([option] if option else []), name]


class NamespaceAgainstEthtool(unittest.TestCase):
    maxDiff = None

    def test_virtual_links(self):
        if os.geteuid() != 0:
            self.skipTest("network namespaces need root")
        with Bed() as bed:
            bed.batch(LINKS)
            bed.run("ethtool", "-L", "veth-a", "rx", "2", "tx", "3")
            bed.run("ethtool", "-C", "tap0", "rx-frames", "9", check=False)
            report = bed.report()
            self.assertEqual({"unread": []}, report["sources"]["ethtool"])
            differences, views = [], 0
            for link in report["links"]:
                told, seen = compare(link, lambda *a: bed.run(*arguments(*a), check=False))
                differences += told
                views += seen
            self.assertEqual([], differences)
            self.assertGreater(views, 12)


class MachineAgainstEthtool(unittest.TestCase):
    maxDiff = None

    def test_cards(self):
        """Reads only."""
        import json
        result = subprocess.run([program(), "probe", "--json"], capture_output=True, text=True, check=False)
        links = [link for link in json.loads(result.stdout)["report"]["links"] if "parentbus" in link]
        if not links:
            self.skipTest("this machine has no network card")
        for link in links:
            with self.subTest(link["ifname"]):
                differences, views = compare(
                    link, lambda *a: subprocess.run(arguments(*a), capture_output=True, text=True, check=False))
                self.assertEqual([], differences)
                self.assertGreater(views, 3)


if __name__ == "__main__":
    unittest.main()
