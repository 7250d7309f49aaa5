"""What reaches a peer over real links, bridges and routers of the kernel: `pve-rdma mtu` in namespaces."""
import json
import os
import sys
import unittest
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from netns_bed import Bed, program  # noqa: E402

EVERY_GROUP = "0 2147483647"
NO_GROUP = "1 0"
AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")


def setUpModule():
    if os.geteuid() != 0:
        raise unittest.SkipTest("network namespaces need root")
    if not os.access(program(), os.X_OK):
        raise AssertionError(f"{program()} is not built (set PVE_RDMA)")


def mtu(bed, *peers, options=(), user=(), code=None):
    """The reply, and what the exit code says."""
    words = [word for peer in peers for word in ("--peer", peer)]
    result = bed.run(*user, program(), "mtu", "--json", *options, *words, check=False)
    if code is not None and result.returncode != code:
        raise AssertionError(f"exit code {result.returncode}, not {code}: {result.stdout[:3000]}{result.stderr}")
    return json.loads(result.stdout)


def probes(reply):
    return {peer["address"]: peer["probe"] for peer in reply["mtu"]["peers"]}


class Beds(unittest.TestCase):
    maxDiff = None
    names = ()

    @classmethod
    def setUpClass(cls):
        stack = ExitStack()
        cls.addClassCleanup(stack.close)
        for name in cls.names:
            setattr(cls, name, stack.enter_context(Bed()))
        cls.lay_out()

    def text(self, bed, *peers):
        words = [word for peer in peers for word in ("--peer", peer)]
        text = bed.run(program(), "mtu", *words, check=False).stdout
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        return " ".join(text.split())


class ThreeHostsOnABridge(Beds):
    """Hosts at 9000; the bridge between them has one port at 1500 and drops what is larger, without a word."""

    names = ("one", "two", "three", "switch")
    small = ("192.0.2.3", "2001:db8::3")
    large = ("192.0.2.2", "2001:db8::2")

    @classmethod
    def lay_out(cls):
        cls.switch.batch(["link add bridge0 type bridge mcast_snooping 0", "link set bridge0 up"])
        for number, host in enumerate((cls.one, cls.two, cls.three), 1):
            host.connect("nic0", cls.switch, f"port{number}", mtu=9000)
            cls.switch.run("ip", "link", "set", f"port{number}", "master", "bridge0")
            host.address("nic0", f"192.0.2.{number}/24", f"2001:db8::{number}/64")
        cls.switch.run("ip", "link", "set", "port3", "mtu", "1500")

    def in_both_ways(self, check):
        """Over datagram sockets and over raw ones."""
        for groups in (EVERY_GROUP, NO_GROUP):
            self.one.sysctl(net__ipv4__ping_group_range=groups)
            with self.subTest(ping_group_range=groups):
                check()

    def test_the_peer_behind_large_ports_is_reached_at_9000(self):
        def check():
            for probe in probes(mtu(self.one, *self.large, code=0)).values():
                self.assertEqual(("passes", 9000), (probe["verdict"], probe["reached"]))
        self.in_both_ways(check)

    def test_the_peer_behind_the_small_port_is_a_blackhole_above_1500(self):
        def check():
            for probe in probes(mtu(self.one, *self.small, code=1)).values():
                self.assertEqual(("blackhole", 1500, 1501), (probe["verdict"], probe["reached"], probe["fails_at"]))
                self.assertNotIn("router", probe)
        self.in_both_ways(check)

    def test_the_text_says_so(self):
        text = self.text(self.one, *self.small)
        self.assertEqual(2, text.count("blackhole above 1500: larger packets vanish, and nobody says so"), text)

    def test_the_bridges_own_chain_names_its_small_port(self):
        self.switch.address("bridge0", "192.0.2.9/24")
        self.addCleanup(self.switch.run, "ip", "address", "del", "192.0.2.9/24", "dev", "bridge0")
        self.switch.run("ip", "link", "set", "bridge0", "mtu", "9000")
        chains = {chain["link"]: chain for chain in mtu(self.switch, code=0)["mtu"]["chains"]}
        chain = chains["bridge0"]
        self.assertEqual(("port3", 1500, 9000), (chain["smallest"], chain["mtu"], chain["sent"]))
        self.assertEqual({"bridge0", "port1", "port2", "port3"}, {hop["name"] for hop in chain["hops"]})
        text = self.text(self.switch, "192.0.2.3")
        self.assertIn("port3 (port of bridge0) carries no more than 1500", text)
        # Not exactly 1500: a port lets the four octets of a VLAN tag pass on top.
        self.assertRegex(text, "blackhole above 150[0-4]: larger packets vanish, and nobody says so. port3 on this node")

    def test_a_peer_that_drops_icmp_is_told_apart(self):
        self.three.sysctl(net__ipv4__icmp_echo_ignore_all=1, net__ipv6__icmp__echo_ignore_all=1)
        self.addCleanup(self.three.sysctl, net__ipv4__icmp_echo_ignore_all=0, net__ipv6__icmp__echo_ignore_all=0)
        reply = mtu(self.one, *self.small, *self.large, code=1)
        verdicts = {address: probe["verdict"] for address, probe in probes(reply).items()}
        self.assertEqual(dict.fromkeys(self.small, "no_answer") | dict.fromkeys(self.large, "passes"), verdicts)
        for address in self.small:
            self.assertNotIn("reached", probes(reply)[address])
        self.assertIn("This says nothing about the MTU", self.text(self.one, *self.small))

    def test_loss_is_not_taken_for_an_mtu(self):
        lossy = "tc qdisc add dev port2 root netem loss 20%".split()
        if self.switch.run(*lossy, check=False).returncode:
            self.skipTest("this kernel has no netem")
        self.addCleanup(self.switch.run, *"tc qdisc del dev port2 root".split())
        for _ in range(5):
            for probe in probes(mtu(self.one, *self.large)).values():
                if probe["verdict"] != "unsure":
                    self.assertEqual(("passes", 9000), (probe["verdict"], probe["reached"]))

    def test_an_ordinary_user_probes_where_it_may_ping(self):
        self.one.sysctl(net__ipv4__ping_group_range=EVERY_GROUP)
        self.addCleanup(self.one.sysctl, net__ipv4__ping_group_range=NO_GROUP)
        reply = mtu(self.one, *self.large, *self.small, user=AS_NOBODY, code=1)
        self.assertEqual(["passes", "passes", "blackhole", "blackhole"],
                         [probe["verdict"] for probe in probes(reply).values()])

    def test_an_ordinary_user_is_told_what_is_missing(self):
        self.one.sysctl(net__ipv4__ping_group_range=NO_GROUP)
        error = mtu(self.one, self.large[0], user=AS_NOBODY, code=3)["error"]
        self.assertEqual(("permission", "EPERM"), (error["code"], error["errno"]))
        self.assertIn("net.ipv4.ping_group_range", error["hint"])
        self.assertEqual([], mtu(self.one, user=AS_NOBODY, code=0)["mtu"]["peers"])

    def test_a_link_local_peer_is_named_with_its_link(self):
        addresses = self.two.json("ip", "-6", "-j", "address", "show", "dev", "nic0", "scope", "link")
        peer = next(info["local"] for link in addresses for info in link.get("addr_info", []) if info)
        reply = mtu(self.one, f"{peer}%nic0", code=0)
        self.assertEqual(9000, probes(reply)[f"{peer}%nic0"]["reached"])
        self.assertIn(f"{peer}%LINK", mtu(self.one, peer, code=2)["error"]["hint"])
        self.assertIn("no link nic9", mtu(self.one, f"{peer}%nic9", code=2)["error"]["message"])

    def test_own_addresses_go_over_lo(self):
        reply = mtu(self.one, "127.0.0.1", "::1", "192.0.2.1", "2001:db8::1", code=0)
        for peer in reply["mtu"]["peers"]:
            self.assertEqual("lo", peer["chain"]["link"], peer["address"])
            self.assertEqual(65535, peer["probe"]["reached"], peer["address"])

    def test_what_is_no_peer_is_refused(self):
        for wrong in ("localhost", "192.0.2.255", "192.0.2.0/24", "224.0.0.1", "ff02::1", "::", ""):
            with self.subTest(wrong):
                self.assertEqual("bad_request", mtu(self.one, wrong, code=2)["error"]["code"])

    def test_a_peer_without_a_route_does_not_stop_the_others(self):
        reply = mtu(self.one, "203.0.113.1", "2001:db8:ffff::1", self.large[0], code=1)
        found = probes(reply)
        self.assertEqual(["unreachable", "unreachable", "passes"], [probe["verdict"] for probe in found.values()])
        for address in ("203.0.113.1", "2001:db8:ffff::1"):
            self.assertEqual("ENETUNREACH", found[address]["refusal"]["error"], address)

    def test_a_peer_that_no_neighbour_has_is_away(self):
        reply = mtu(self.one, "192.0.2.77", "2001:db8::77", code=1)
        for peer in reply["mtu"]["peers"]:
            self.assertEqual("unreachable", peer["probe"]["verdict"])
            self.assertIn("nobody on nic0 has the address", peer["message"])

    def test_routes_that_refuse_say_how(self):
        kinds = {"blackhole": "EINVAL", "unreachable": "EHOSTUNREACH", "prohibit": "EACCES"}
        for number, (kind, errno) in enumerate(kinds.items(), 1):
            for route in (f"198.51.100.{number}", f"2001:db8:a::{number}"):
                self.one.run("ip", "route", "add", kind, route)
                self.addCleanup(self.one.run, "ip", "route", "del", kind, route)
                with self.subTest(route=f"{kind} {route}"):
                    probe = probes(mtu(self.one, route, code=1))[route]
                    self.assertEqual(("unreachable", errno), (probe["verdict"], probe["refusal"]["error"]))

    def test_the_mtu_of_a_route_is_what_is_sent(self):
        self.one.run(*"ip route add 192.0.2.3 dev nic0 mtu 1400".split())
        self.addCleanup(self.one.run, *"ip route del 192.0.2.3".split())
        peer = mtu(self.one, "192.0.2.3", code=0)["mtu"]["peers"][0]
        self.assertEqual((1400, "route"), (peer["chain"]["mtu"], peer["chain"]["smallest"]))
        self.assertEqual(1400, peer["probe"]["reached"])

    def test_a_peer_named_twice_is_asked_once(self):
        reply = mtu(self.one, "192.0.2.2", "192.0.2.2", "2001:db8::2", "2001:DB8:0::2", code=0)
        self.assertEqual(["192.0.2.2", "2001:db8::2"], list(probes(reply)))
        self.assertEqual(2, len(reply["warnings"]))

    def test_the_deadline_ends_it(self):
        reply = mtu(self.one, *self.small, options=("--deadline-ms", "100"), code=1)
        for probe in probes(reply).values():
            self.assertEqual("unsure", probe["verdict"])


class ARouterBetween(Beds):
    """The host at 9000, the router's far link at 1500: it answers "fragmentation needed", "packet too big"."""

    names = ("host", "router", "far")
    peers = ("198.51.100.2", "2001:db8:2::2")
    routers = ("192.0.2.254", "2001:db8:1::fe")

    @classmethod
    def lay_out(cls):
        cls.host.connect("nic0", cls.router, "near0", mtu=9000)
        cls.far.connect("nic0", cls.router, "far0", mtu=1500)
        cls.host.address("nic0", "192.0.2.1/24", "2001:db8:1::1/64")
        cls.router.address("near0", "192.0.2.254/24", "2001:db8:1::fe/64")
        cls.router.address("far0", "198.51.100.254/24", "2001:db8:2::fe/64")
        cls.far.address("nic0", "198.51.100.2/24", "2001:db8:2::2/64")
        cls.router.sysctl(net__ipv4__ip_forward=1, net__ipv6__conf__all__forwarding=1)
        for bed, v4, v6 in ((cls.host, *cls.routers), (cls.far, "198.51.100.254", "2001:db8:2::fe")):
            bed.run("ip", "route", "add", "default", "via", v4)
            bed.run("ip", "-6", "route", "add", "default", "via", v6)

    def named(self):
        found = probes(mtu(self.host, *self.peers, code=1))
        for peer, router in zip(self.peers, self.routers):
            probe = found[peer]
            self.assertEqual(("router", router, 1500, 1500),
                             (probe["verdict"], probe["router"], probe["router_mtu"], probe["reached"]))

    def test_it_is_named_with_its_address_and_mtu(self):
        for groups in (EVERY_GROUP, NO_GROUP):
            self.host.sysctl(net__ipv4__ping_group_range=groups)
            with self.subTest(ping_group_range=groups):
                self.named()

    def test_what_was_learned_does_not_hide_it(self):
        self.named()
        self.named()
        text = self.text(self.host, *self.peers)
        for router in self.routers:
            self.assertIn(f"9000 is too large: router {router} passes on no more than 1500", text)

    def test_an_mtu_that_was_raised_is_seen_although_the_old_one_is_kept(self):
        self.named()
        for bed, link in ((self.router, "far0"), (self.far, "nic0")):
            bed.run("ip", "link", "set", link, "mtu", "9000")
            self.addCleanup(bed.run, "ip", "link", "set", link, "mtu", "1500")
        reply = mtu(self.host, *self.peers, code=0)
        for peer in reply["mtu"]["peers"]:
            self.assertEqual(9000, peer["probe"]["reached"])
            self.assertEqual(9000, peer["chain"]["mtu"])
            self.assertIn("yet a router said 1500 earlier", peer["message"])

    def test_a_router_that_has_no_way_on_is_named(self):
        found = probes(mtu(self.host, "203.0.113.1", "2001:db8:3::1", code=1))
        for probe, router in zip(found.values(), self.routers):
            self.assertEqual(("unreachable", router), (probe["verdict"], probe["router"]))

    def test_a_thousand_peers(self):
        """Whole networks that the far host answers for, or throws away."""
        for kind, network in (("local", "10.1.0.0/16"), ("blackhole", "10.2.0.0/16")):
            self.far.run("ip", "route", "add", kind, network, *(["dev", "lo"] if kind == "local" else []))
            self.addCleanup(self.far.run, "ip", "route", "del", kind, network)
            self.router.run("ip", "route", "add", network, "via", "198.51.100.2")
            self.addCleanup(self.router.run, "ip", "route", "del", network)
        there = [f"10.1.{n // 200}.{n % 200 + 1}" for n in range(900)]
        away = [f"10.2.0.{n + 1}" for n in range(100)]
        options = ("--deadline-ms", "300000", "--peer", ",".join(there + away))
        found = probes(mtu(self.host, options=options, code=1))
        self.assertEqual(there + away, list(found))
        for peer in there:
            probe = found[peer]
            self.assertEqual(("router", 1500), (probe["verdict"], probe.get("reached")), peer)
        for peer in away:
            self.assertEqual("no_answer", found[peer]["verdict"], peer)


class ChainsOfTheKernel(Beds):
    """Chains under addresses on links that the kernel stacked."""

    names = ("node", "other")

    @classmethod
    def lay_out(cls):
        cls.node.connect("nic0", cls.other, "nic0", mtu=9000)
        cls.node.batch(["link add vxlan0 mtu 8950 type vxlan id 7 dstport 4789 dev nic0 remote 192.0.2.2",
                        "link add macvlan0 link nic0 type macvlan mode bridge",
                        "link add bridge0 type bridge", "link set vxlan0 master bridge0",
                        "link set vxlan0 up", "link set macvlan0 up", "link set bridge0 up"])
        cls.node.address("nic0", "192.0.2.1/24")
        cls.node.address("bridge0", "198.51.100.1/24")
        cls.node.address("macvlan0", "203.0.113.1/24")

    def chains(self):
        return {chain["link"]: chain for chain in mtu(self.node, code=0)["mtu"]["chains"]}

    def test_stacked_links_are_walked_down(self):
        chains = self.chains()
        self.assertEqual(["bridge0", "vxlan0", "nic0"], [hop["name"] for hop in chains["bridge0"]["hops"]])
        self.assertEqual([8950, 8950, 8950], [hop["limit"] for hop in chains["bridge0"]["hops"]])
        self.assertEqual(["macvlan0", "nic0"], [hop["name"] for hop in chains["macvlan0"]["hops"]])
        self.assertEqual(["198.51.100.1/24"], [a for a in chains["bridge0"]["addresses"] if ":" not in a])

    def test_a_tunnel_too_large_for_what_carries_it(self):
        self.node.run(*"ip link set nic0 mtu 1500".split())
        self.addCleanup(self.node.run, *"ip link set nic0 mtu 9000".split())
        chain = self.chains()["bridge0"]
        self.assertEqual(("nic0", 1450, 8950), (chain["smallest"], chain["mtu"], chain["sent"]))
        self.assertIn("less 50 octets of headers", chain["message"])

    def below(self, top, lines):
        if self.node.run(*f"ip {lines[0]}".split(), check=False).returncode:
            self.skipTest(f"this kernel does not: ip {lines[0]}")
        self.node.batch(lines[1:])
        return self.chains()[top]["hops"][1]["name"]

    def test_below_a_bond_is_its_port(self):
        self.assertEqual("pair0", self.below("bond0", [
            "link add bond0 type bond mode active-backup", "link add pair0 type veth peer name pair1",
            "link set pair0 master bond0", "link set bond0 up", "link set pair0 up", "address add 10.0.0.1/24 dev bond0"]))

    def test_below_a_vlan_is_its_link(self):
        self.assertEqual("nic0", self.below("vlan7", [
            "link add vlan7 link nic0 type vlan id 7", "link set vlan7 up", "address add 10.0.7.1/24 dev vlan7"]))


if __name__ == "__main__":
    unittest.main()
