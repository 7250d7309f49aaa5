#!/usr/bin/env python3
"""In a guest: RoCE devices (rdma_rxe), bonds, VLANs and bridges; what the standard tools print of them equals ours.

Run by tests/lab/guest/run.
"""
import sys

from guest_compare import Comparison, batch, report, run, say, wait_for
from guest_ip import compare_ip
from guest_rdma import compare_devices

SETUP = """
link add veth0 type veth peer name veth1
link add dum0 type dummy
link add dum1 type dummy
link add dum2 type dummy
link set dev dum2 mtu 9000 alias storage txqueuelen 500
link add bond1 type bond mode active-backup miimon 100 updelay 200 downdelay 200
link set dum0 master bond1
link set dum1 master bond1
link add bond2 type bond mode 802.3ad lacp_rate fast xmit_hash_policy layer3+4
link add link veth0 name veth0.42 type vlan id 42 egress-qos-map 3:5 ingress-qos-map 1:2
link add vmbr1 type bridge vlan_filtering 1 vlan_default_pvid 1 stp_state 0
link set veth1 master vmbr1
link set veth0 up
link set veth1 up
link set veth0.42 up
link set dum2 up
link set bond1 up
link set vmbr1 up
address add 192.0.2.1/24 dev veth0 metric 100
address add 192.0.2.2/24 dev veth0
address add 198.51.100.1/31 dev bond1
address add 2001:db8::1/64 dev veth0.42 nodad
address add 203.0.113.1 peer 203.0.113.2 dev dum2
route add default via 192.0.2.254 dev veth0 metric 1000
route add 198.18.0.0/15 metric 7 mtu lock 1400 advmss 1360 nexthop via 192.0.2.253 dev veth0 weight 3 nexthop via 198.51.100.0 dev bond1
route add blackhole 233.252.0.0/24
route add 100.64.0.0/10 dev veth0 table 77 src 192.0.2.1
rule add from 192.0.2.0/24 lookup 77 priority 100
rule add fwmark 0x10/0xff iif veth0 lookup main priority 200
"""


def main():
    run("modprobe", "-a", "rdma_rxe", "bonding", "8021q", "bridge", "dummy", "ib_uverbs")
    say("modules loaded")
    batch(SETUP)
    run("bridge", "vlan", "add", "vid", "100-103", "dev", "veth1", "tagged")
    run("rdma", "link", "add", "rxe0", "type", "rxe", "netdev", "veth0")
    run("rdma", "link", "add", "rxe1", "type", "rxe", "netdev", "dum2")
    wait_for("bond1 has carrier", lambda: "state UP" in run("ip", "link", "show", "bond1"))
    # Duplicate address detection changes flags until it is over.
    wait_for("addresses are no longer tentative", lambda: "tentative" not in run("ip", "address"))
    say("set up")
    test = Comparison()
    ours = compare_ip(test, report)
    say("links, addresses, routes, rules")
    compare_devices(test, ours)
    return 0 if test.done(at_least=1000) else 1


if __name__ == "__main__":
    sys.exit(main())
