"""What we read of links, addresses, routes, rules and bridge VLANs against ip(8) and bridge(8), in a namespace."""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare_ip  # noqa: E402
from netns_bed import Bed, program  # noqa: E402

# A tun device whose link type is that of InfiniBand: a link of that type without a card (TUNSETLINK).
FAKE_IPOIB = """
import fcntl, struct, sys
fd = open('/dev/net/tun', 'r+b', buffering=0)
fcntl.ioctl(fd, 0x400454ca, struct.pack('16sH', b'fakeib0', 0x1002))  # TUNSETIFF, IFF_TAP | IFF_NO_PI
fcntl.ioctl(fd, 0x400454cd, 32)  # TUNSETLINK, ARPHRD_INFINIBAND
fcntl.ioctl(fd, 0x400454cb, 1)   # TUNSETPERSIST
"""

LINKS = """
link add veth-a type veth peer name veth-b
link add veth-c mtu 9000 type veth peer name veth-d numtxqueues 4 numrxqueues 4
link set veth-a address 52:54:00:00:00:01 alias "to the switch" up
link set veth-b up
link set veth-c up
link property add dev veth-a altname a-long-name-of-this-link altname uplink
link add bridge0 type bridge priority 4096 group_fwd_mask 8
link add bridge1 type bridge stp_state 1 forward_delay 400 mcast_snooping 0 ageing_time 100
link set bridge0 up
link set bridge1 up
link set veth-b master bridge0
link set veth-d master bridge1
link set veth-b type bridge_slave hairpin on cost 77 isolated on group_fwd_mask 16384
link set bridge0 group 7
link add macvlan0 link veth-a type macvlan mode private
link add macvlan1 link veth-a type macvlan mode source macaddr add 00:11:22:33:44:55
link add vxlan0 type vxlan id 42 dstport 4789 group 239.1.1.1 dev veth-a ttl 5 tos 0x10 ageing 200 srcport 1000 2000 nolearning
link add vxlan1 type vxlan id 43 dstport 8472 remote 2001:db8::9 local 2001:db8::8 udp6zerocsumtx
link add vxlan2 type vxlan external dstport 4790
link add ifb0 type ifb
link set ifb0 txqlen 1234 mtu 1400
link set lo mtu 60000
link set veth-c promisc on allmulticast on
tuntap add mode tun name tun0
tuntap add mode tap name tap0 multi_queue
""".strip().splitlines()

OPTIONAL_LINKS = {  # by the kind that the kernel must have
    "dummy": ["link add dummy0 type dummy"],
    "bond": ["link add bond0 type bond mode active-backup miimon 100", "link add bond1 type bond mode 802.3ad"],
    "vrf": ["link add vrf0 type vrf table 100", "link set veth-c master vrf0"],
}

VLANS = [("add", "veth-b", "10"), ("add", "veth-b", "20-29"), ("add", "veth-b", "50", "pvid", "untagged"),
         ("add", "bridge0", "100", "self")]

ADDRESSES = """
addr add 192.0.2.1/24 dev veth-a metric 77
addr add 192.0.2.2/24 dev veth-a
addr add 198.51.100.1 peer 198.51.100.2/32 dev veth-a scope link
addr add 203.0.113.1/28 broadcast 203.0.113.15 dev veth-c label veth-c:old valid_lft 5000 preferred_lft 4000
addr add 2001:db8:1::1/64 dev veth-a nodad
addr add 2001:db8:2::1/64 dev veth-c valid_lft 5000 preferred_lft 0 nodad noprefixroute
addr add 2001:db8:3::1 peer 2001:db8:3::2/128 dev veth-c nodad
addr add 10.9.8.7/32 dev lo
addr add 192.0.2.77/25 dev fakeib0
""".strip().splitlines() + [f"addr add 10.0.{n // 250}.{n % 250 + 1}/16 dev bridge1" for n in range(600)]

ROUTES = """
route add 10.1.0.0/16 via 192.0.2.254 dev veth-a metric 50 mtu 1400 advmss 1300 window 70000 rtt 500ms rttvar 200ms
route add 10.2.0.0/16 via 192.0.2.254 mtu lock 1300 initcwnd 20 initrwnd 30 hoplimit 9 quickack 1 congctl reno features ecn
route add 10.3.0.0/16 nexthop via 192.0.2.253 weight 3 nexthop via 192.0.2.200 dev veth-a weight 7 onlink
route add 10.4.0.0/16 dev veth-a src 192.0.2.2 scope link proto static
route add default via 192.0.2.254 proto dhcp metric 100
route add default dev veth-c metric 4294967295 proto 201
route add blackhole 10.5.0.0/16
route add unreachable 10.6.0.0/16 metric 9
route add prohibit 10.7.0.0/16 table 7
route add throw 10.8.0.0/16 table 1000000
route add 10.9.0.0/16 via inet6 2001:db8:1::77 dev veth-a
route add 10.10.0.0/16 via 192.0.2.254 tos 0x10
route add 10.11.0.0/16 via 8.8.8.8 dev veth-a onlink
route add 10.12.0.1 dev veth-a realm 5/6 table 8
-6 route add 2001:db8:a::/48 via 2001:db8:1::fe dev veth-a metric 5 mtu 1280
-6 route add 2001:db8:b::/48 nexthop via 2001:db8:1::fd weight 2 nexthop via 2001:db8:1::fc
-6 route add default via fe80::1 dev veth-a pref high
-6 route add unreachable 2001:db8:c::/48
-6 route add 2001:db8:d::/48 dev veth-c table 9 proto ra expires 600
-6 route add 2001:db8:e::/48 from 2001:db8:1::/64 dev veth-a
""".strip().splitlines()

NEXTHOPS = ["nexthop add id 1 via 192.0.2.252 dev veth-a", "route add 10.20.0.0/16 nhid 1"]

RULES = """
rule add from 192.0.2.0/24 lookup 7 priority 100
rule add to 10.0.0.0/8 iif veth-a lookup 1000000 priority 101
rule add fwmark 0x10/0xff lookup main priority 102
rule add fwmark 5 table 7 priority 103
rule add not from 10.0.0.1 oif nowhere0 prohibit priority 104
rule add from all tos 0x10 blackhole priority 105
rule add ipproto tcp dport 80 sport 1000-2000 lookup 8 priority 106
rule add uidrange 1000-2000 lookup 8 priority 107
rule add from all lookup main suppress_prefixlength 0 priority 108
rule add from all goto 200 priority 109
rule add from all nop priority 110 protocol 99
-6 rule add from 2001:db8::/32 lookup 7 priority 100
-6 rule add to 2001:db8::1 unreachable priority 101
""".strip().splitlines()


class NamespaceAgainstIp(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise unittest.SkipTest("network namespaces need root")
        if not os.access(program(), os.X_OK):
            raise AssertionError(f"{program()} is not built (set PVE_RDMA)")
        cls.bed = Bed().__enter__()
        cls.addClassCleanup(cls.bed.__exit__)
        cls.bed.run("python3", "-c", FAKE_IPOIB)
        cls.bed.batch(LINKS)
        cls.kinds = [kind for kind in OPTIONAL_LINKS if cls.bed.has_kind(kind)]
        for kind in cls.kinds:
            cls.bed.batch(OPTIONAL_LINKS[kind])
        cls.bed.run("ip", "link", "set", "fakeib0", "up")
        filtering = "ip link set bridge0 type bridge vlan_filtering 1 vlan_default_pvid 1"
        cls.filters = cls.bed.run(*filtering.split(), check=False).returncode == 0
        for verb, link, *vlan in VLANS if cls.filters else []:
            cls.bed.run("bridge", "vlan", verb, "dev", link, "vid", *vlan)
        cls.bed.batch(ADDRESSES)
        for line in ROUTES + NEXTHOPS + RULES:
            cls.bed.run("ip", *line.split())
        cls.report = cls.bed.report()

    def equal(self, differences):
        self.assertEqual([], differences)

    def test_nothing_is_unread(self):
        self.assertEqual({"unread": []}, self.report["sources"]["rtnetlink"])

    def test_links(self):
        links = self.bed.json("ip", "-j", "-d", "link")
        self.assertGreaterEqual(len(links), 16)
        self.equal(compare_ip.compare_links(links, self.report))

    def test_a_link_of_type_infiniband(self):
        link = next(link for link in self.report["links"] if link["ifname"] == "fakeib0")
        self.assertEqual("infiniband", link["link_type"])

    def test_addresses(self):
        theirs = self.bed.json("ip", "-j", "-d", "address")
        self.assertGreater(sum(len(link["addr_info"]) for link in theirs), 600)
        self.equal(compare_ip.compare_addresses(theirs, self.report))

    def test_routes_of_ipv4(self):
        theirs = self.bed.json("ip", "-4", "-j", "-d", "route", "show", "table", "all")
        self.assertGreater(len(theirs), 20)
        self.equal(compare_ip.compare_routes(theirs, self.report, "inet"))

    def test_routes_of_ipv6(self):
        theirs = self.bed.json("ip", "-6", "-j", "-d", "route", "show", "table", "all")
        self.assertGreater(len(theirs), 8)
        self.equal(compare_ip.compare_routes(theirs, self.report, "inet6"))

    def test_the_table_local_is_left_out(self):
        self.assertNotIn("local", {route["table"] for route in self.report["routes"]})

    def test_rules(self):
        for family, option in (("inet", "-4"), ("inet6", "-6")):
            with self.subTest(family):
                theirs = self.bed.json("ip", option, "-j", "-d", "rule")
                self.assertGreater(len(theirs), 3)
                self.equal(compare_ip.compare_rules(theirs, self.report, family))

    def test_bridge_vlans(self):
        if not self.filters:
            self.skipTest("this kernel has no VLAN filtering in bridges (CONFIG_BRIDGE_VLAN_FILTERING)")
        # -c: as ranges, which is how we ask the kernel.
        theirs = self.bed.json("bridge", "-c", "-j", "vlan")
        self.assertGreater(len(theirs), 1)
        self.equal(compare_ip.compare_bridge_vlans(theirs, self.report))

    def test_a_changed_value_is_a_difference(self):
        """The comparison itself: what it does not know, or finds changed, it tells."""
        links = self.bed.json("ip", "-j", "-d", "link")
        links[0]["mtu"] += 1
        links[1]["a_new_field"] = 5
        told = compare_ip.compare_links(links, self.report)
        self.assertEqual(2, len(told), told)


class OtherNamespaces(unittest.TestCase):
    def test_a_veth_whose_peer_is_elsewhere(self):
        if os.geteuid() != 0:
            self.skipTest("network namespaces need root")
        with Bed() as here, Bed() as there:
            here.run("ip", "link", "add", "inside0", "type", "veth", "peer", "name", "outside0")
            here.run("ip", "link", "set", "outside0", "netns", str(there.keeper.pid))
            theirs = here.json("ip", "-j", "-d", "link")
            self.assertIn("link_netnsid", theirs[-1])
            self.assertEqual([], compare_ip.compare_links(theirs, here.report()))


if __name__ == "__main__":
    unittest.main()
