#!/usr/bin/env python3
"""Print an ibsim netlist of a two-level fat tree.

usage: gen_ft.py LEAVES HOSTS_PER_LEAF SPINES UPLINKS_PER_SPINE

`gen_ft.py 36 18 18 1` is a fabric of 648 hosts and 54 switches of 36 ports. Host number N is "hN".
"""
import sys

HOST_GUID = 0x2C903000000  # the port GUID is one more, the next host's is 0x10 more
LEAF_GUID = 0x2C900200000
SPINE_GUID = 0x2C900100000
SWITCH = 'vendid=0x2c9\ndevid=0xc738\nswitchguid={guid:#x}\nSwitch\t36 "{name}"  # "{description}" base port 0 lid 0 lmc 0'


def fat_tree(leaves, hosts_per_leaf, spines, uplinks):
    """Yield the netlist's lines. Leaf ports: the hosts first, then the uplinks by spine."""
    for spine in range(spines):
        yield SWITCH.format(guid=SPINE_GUID + spine, name=f"SP{spine}", description=f"spine{spine}")
        for leaf in range(leaves):
            for link in range(uplinks):
                leaf_port = hosts_per_leaf + spine * uplinks + link + 1
                yield f'[{leaf * uplinks + link + 1}]\t"LF{leaf}"[{leaf_port}]\t# "leaf{leaf}" lid 0 4xFDR'
        yield ""
    for leaf in range(leaves):
        yield SWITCH.format(guid=LEAF_GUID + leaf, name=f"LF{leaf}", description=f"leaf{leaf}")
        for slot in range(hosts_per_leaf):
            host = leaf * hosts_per_leaf + slot
            port_guid = HOST_GUID + host * 0x10 + 1
            yield f'[{slot + 1}]\t"h{host}"[1]({port_guid:x})\t# "host{host} mlx4_0" lid 0 4xFDR'
        for spine in range(spines):
            for link in range(uplinks):
                leaf_port = hosts_per_leaf + spine * uplinks + link + 1
                yield f'[{leaf_port}]\t"SP{spine}"[{leaf * uplinks + link + 1}]\t# "spine{spine}" lid 0 4xFDR'
        yield ""
    for host in range(leaves * hosts_per_leaf):
        leaf, slot = divmod(host, hosts_per_leaf)
        guid = HOST_GUID + host * 0x10
        yield f'vendid=0x2c9\ndevid=0x1003\ncaguid={guid:#x}\nCa\t1 "h{host}"  # "host{host} mlx4_0"'
        yield f'[1]({guid + 1:x})\t"LF{leaf}"[{slot + 1}]\t# lid 0 lmc 0 "leaf{leaf}" lid 0 4xFDR'
        yield ""


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    print("\n".join(fat_tree(*map(int, sys.argv[1:]))))
