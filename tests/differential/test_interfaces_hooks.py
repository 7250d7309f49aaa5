"""Our options of interfaces(5) under real ifupdown2 and ifupdown, in namespaces: the 40G/1G metric split comes up from
the file alone, a reload changes nothing, a changed metric leaves nothing behind. Needs root."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ifup_bed import HOOK, Ifupdown2Bed, IfupdownBed  # noqa: E402

# The wanted table of the story: local traffic by the 40G card, the internet by the 1G one.
SPLIT = """auto lo
iface lo inet loopback

auto lan
iface lan inet static
    address 192.168.0.10/24
    rdma-metric 1000
    rdma-route default via 192.168.0.1 metric 1

auto fast
iface fast inet static
    address 192.168.0.40/24
    mtu 9000
    rdma-metric 1
    rdma-route default via 192.168.0.1 metric 1000
    rdma-rule from 192.168.0.40 priority 100 table 40
    rdma-route default via 192.168.0.1 table 40
"""
WANTED = ["192.168.0.0/24 fast 1", "192.168.0.0/24 lan 1000", "default fast 1000 192.168.0.1",
          "default lan 1 192.168.0.1"]
# The same, each thing where eni/placement.h keeps it.
OWN_FILE = "/etc/network/interfaces.d/pve-rdma"
MAIN = "\n".join(line for line in SPLIT.splitlines() if "rdma-" not in line) + "\nsource /etc/network/interfaces.d/*\n"
OWN = """iface lan inet manual
    rdma-metric 1000
    rdma-route default via 192.168.0.1 metric 1

iface fast inet manual
    rdma-metric 1
    rdma-route default via 192.168.0.1 metric 1000
"""
TWO_FAMILIES = """auto fast
iface fast inet static
    address 192.168.0.40/24
    rdma-metric 5
    rdma-route 198.51.100.0/24 via 192.168.0.1 metric 7

iface fast inet6 static
    address 2001:db8::40/64
    rdma-route 2001:db8:1::/48 via 2001:db8::1 metric 8
    rdma-rule from 2001:db8::40 priority 7 table 41
"""


PACKAGES = os.environ.get("IFUPDOWN_PACKAGES")


def setUpModule():
    global PACKAGES  # pylint: disable=global-statement
    if os.geteuid() != 0:
        raise unittest.SkipTest("network namespaces need root")
    if not os.access(HOOK, os.X_OK):
        raise AssertionError(f"{HOOK} is not built (set PVE_RDMA_IFUP)")
    if not PACKAGES:
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        unittest.addModuleCleanup(folder.cleanup)
        PACKAGES = folder.name


class Split:
    """The tests of both programs."""
    maxDiff = None
    bed_class = None

    def setUp(self):
        bed = self.bed_class(PACKAGES)
        if bed.tree is None:
            self.skipTest(f"the package {bed.name} cannot be downloaded")
        self.bed = bed.__enter__()
        self.addCleanup(bed.__exit__)
        for name in ("lan", "fast"):
            self.bed.run("ip", "link", "add", name, "mtu", "9000", "type", "veth", "peer", "name", f"{name}-far")
            self.bed.run("ip", "link", "set", f"{name}-far", "up")
        # The rules of the kernel's own tables and what others have made must stay.
        self.bed.run("ip", "rule", "add", "from", "203.0.113.1", "priority", "9", "table", "99")

    def state(self):
        return (self.bed.routes(), self.bed.routes("table", "40"), self.bed.rules(),
                self.bed.json("ip", "-j", "-4", "address"))

    def test_the_split_comes_up_from_the_file_alone_and_stays(self):
        self.bed.file(SPLIT)
        self.assertEqual(self.bed.tool("ifup", "-a"), "")
        self.assertEqual(self.bed.routes(), WANTED)
        self.assertEqual(self.bed.routes("table", "40"), ["default fast 0 192.168.0.1"])
        self.assertEqual(self.bed.rules(), ["100 192.168.0.40 40", "9 203.0.113.1 99"])
        before = self.state()
        self.assertEqual(self.bed.reload("lan", "fast"), "")
        self.assertEqual(self.state(), before)

    def test_a_reload_without_a_change_makes_no_event(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        monitor = self.bed.popen("ip", "monitor", "route", "rule", stdout=-1, text=True)
        self.bed.reload("lan", "fast")
        self.bed.run("sleep", "0.3")
        monitor.terminate()
        events = [line for line in monitor.communicate()[0].splitlines() if "fe80" not in line and "ff00" not in line]
        if self.bed.name == "ifupdown2":
            self.assertEqual(events, [])

    def test_a_changed_metric_leaves_no_old_route_behind(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        self.bed.run("ip", "route", "add", "203.0.113.0/24", "dev", "fast", "metric", "77")  # another's
        self.bed.file(SPLIT.replace("metric 1000\n", "metric 500\n").replace("table 40\n", "table 41\n"))
        self.assertEqual(self.bed.reload("lan", "fast"), "")
        # ifdown, which ifupdown's users need, sets the link down: the kernel drops all of its routes.
        others = ["203.0.113.0/24 fast 77"] if self.bed.name == "ifupdown2" else []
        self.assertEqual(self.bed.routes(), ["192.168.0.0/24 fast 1", "192.168.0.0/24 lan 500", *others,
                                             "default fast 500 192.168.0.1", "default lan 1 192.168.0.1"])
        self.assertEqual(self.bed.routes("table", "40"), [])
        self.assertEqual(self.bed.rules(), ["100 192.168.0.40 41", "9 203.0.113.1 99"])

    def test_removed_options_are_undone(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        self.bed.file("\n".join(line for line in SPLIT.splitlines() if "rdma-" not in line) + "\n")
        self.assertEqual(self.bed.reload("lan", "fast"), "")
        self.assertEqual(self.bed.routes(), ["192.168.0.0/24 fast 0", "192.168.0.0/24 lan 0"])
        self.assertEqual(self.bed.rules(), ["9 203.0.113.1 99"])

    def test_the_split_in_the_places_where_things_are_kept(self):
        self.bed.file(MAIN)
        self.bed.file(OWN, OWN_FILE)
        self.assertEqual(self.bed.tool("ifup", "-a"), "")
        self.assertEqual(self.bed.routes(), WANTED)
        before = self.state()
        self.bed.reload("lan", "fast")
        self.assertEqual(self.state(), before)
        self.bed.file(OWN.replace("metric 1000", "metric 500"), OWN_FILE)
        self.bed.reload("lan", "fast")
        self.assertEqual(self.bed.routes(), [line.replace("1000", "500") for line in WANTED])
        self.bed.run("rm", OWN_FILE)
        self.bed.reload("lan", "fast")
        self.assertEqual(self.bed.routes(), ["192.168.0.0/24 fast 0", "192.168.0.0/24 lan 0"])

    def test_half_a_file_takes_nothing_away(self):
        self.bed.file(MAIN)
        self.bed.file(OWN, OWN_FILE)
        self.bed.tool("ifup", "-a")
        self.bed.shell(f"rm {OWN_FILE}; ln -s {OWN_FILE} {OWN_FILE}")  # ELOOP
        hook = self.bed.run("env", "IFACE=lan", "MODE=start", "PHASE=up", HOOK, check=False)
        self.assertEqual((hook.returncode, "ELOOP" in hook.stderr), (0, True), hook.stderr)
        self.assertEqual(self.bed.routes(), WANTED)

    def test_ifdown_takes_all_that_is_ours(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        self.bed.tool("ifdown", "fast")
        self.assertEqual(self.bed.routes(), ["192.168.0.0/24 lan 1000", "default lan 1 192.168.0.1"])
        self.assertEqual(self.bed.rules(), ["9 203.0.113.1 99"])

    def test_both_families(self):
        self.bed.file(TWO_FAMILIES)
        self.assertEqual(self.bed.tool("ifup", "-a"), "")
        for _ in range(2):
            self.assertEqual(self.bed.routes(), sorted([
                "192.168.0.0/24 fast 5", "198.51.100.0/24 fast 7 192.168.0.1", "2001:db8::/64 fast 5",
                "2001:db8:1::/48 fast 8 2001:db8::1"]))
            self.assertIn("from 2001:db8::40 lookup 41", self.bed.run("ip", "-6", "rule").stdout)
            self.bed.reload("fast")

    def test_values_are_no_commands_and_errors_say_where(self):
        self.bed.file(SPLIT.replace("rdma-route default via 192.168.0.1 metric 1000",
                                    "rdma-route default via $(touch${IFS}/run/owned) ; touch /run/owned"))
        words = self.bed.tool("ifup", "-a", check=False)
        self.assertIn("/etc/network/interfaces:15:5: ", words)
        self.assertIn(";: is no word of rdma-route", words)
        self.assertFalse(self.bed.shell("ls /run").stdout.count("owned"))
        # All else is there.
        self.assertEqual(self.bed.routes(), [line for line in WANTED if line != "default fast 1000 192.168.0.1"])

    def test_what_the_kernel_refuses_is_said_in_its_words(self):
        self.bed.file(SPLIT.replace("via 192.168.0.1 metric 1000", "via 203.0.113.1 metric 1000"))
        words = self.bed.tool("ifup", "-a", check=False)
        self.assertIn("/etc/network/interfaces:15:5: ", words)
        self.assertIn("ENETUNREACH", words)
        self.assertIn("Nexthop has invalid gateway", words)

    def test_a_child_of_what_is_no_ipoib_port_is_refused_and_all_else_comes_up(self):
        self.bed.file("auto kid\niface kid inet manual\n    ib-parent lan\n    ib-pkey 0x8001\n\n" + SPLIT)
        words = self.bed.tool("ifup", "-a", check=False)
        self.assertIn("/etc/network/interfaces:3:5: kid: its parent lan is no IPoIB port", words)
        self.assertEqual(self.bed.routes(), WANTED)


class UnderIfupdown2(Split, unittest.TestCase):
    bed_class = Ifupdown2Bed

    def test_a_removed_interface_leaves_nothing(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        self.bed.file(SPLIT[:SPLIT.index("auto fast")])
        self.bed.reload()
        self.assertEqual(self.bed.routes(), ["192.168.0.0/24 lan 1000", "default lan 1 192.168.0.1"])
        self.assertEqual(self.bed.rules(), ["9 203.0.113.1 99"])

    def test_the_new_route_is_there_before_the_old_one_goes(self):
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        monitor = self.bed.popen("ip", "-4", "monitor", "route", stdout=-1, text=True)
        self.bed.run("sleep", "0.3")
        self.bed.file(SPLIT.replace("metric 1000\n", "metric 500\n"))
        self.bed.reload()
        self.bed.run("sleep", "0.3")
        monitor.terminate()
        events = [line for line in monitor.communicate()[0].splitlines() if "metric" in line]
        for route, link in (("192.168.0.0/24 dev lan", "lan"), ("default via 192.168.0.1 dev fast", "fast")):
            order = [line.startswith("Deleted") for line in events if f"{route} " in line]
            self.assertEqual(order, [False, True], f"{link}: {events}")

    def test_the_check_of_ifupdown2_takes_our_own_file(self):
        self.bed.file(MAIN)
        self.bed.file(OWN, OWN_FILE)
        self.bed.tool("ifup", "-a")
        self.assertNotIn("fail", self.bed.tool("ifquery", "-a", "-c"))

    def test_only_the_first_value_of_an_option_is_in_the_environment(self):
        """So the hook reads the file."""
        self.bed.shell("printf '#!/bin/sh\\nenv > /run/env-$IFACE\\n' > /etc/network/if-up.d/env; "
                       "chmod +x /etc/network/if-up.d/env")
        self.bed.file(SPLIT)
        self.bed.tool("ifup", "-a")
        environment = self.bed.run("cat", "/run/env-fast").stdout
        self.assertIn("IF_RDMA_ROUTE=default via 192.168.0.1 metric 1000\n", environment)
        self.assertNotIn("table 40\nIF", environment.replace("IF_RDMA_RULE", ""))


class UnderIfupdown(Split, unittest.TestCase):
    bed_class = IfupdownBed


if __name__ == "__main__":
    unittest.main()
