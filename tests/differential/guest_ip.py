"""ip(8) and bridge(8) against our links, addresses, routes and rules. Their JSON names are ours, so the tables are
lists of names; the data of a link's kind stands under the kind's name in our report."""
from guest_compare import run_json

LINK = set("""ifindex ifname link link_index link_netnsid flags mtu qdisc master operstate linkmode group txqlen
    link_type address broadcast link_pointtopoint permaddr promiscuity allmulti min_mtu max_mtu linkinfo
    inet6_addr_gen_mode num_tx_queues num_rx_queues gso_max_size gso_max_segs tso_max_size tso_max_segs gro_max_size
    phys_port_name phys_port_id phys_switch_id parentbus parentdev ifalias num_vf vfinfo_list altnames proto_down
    """.split())
KIND = {
    "dummy": set(),
    "veth": set(),
    "ipoib": {"key", "mode", "umcast"},
    "vlan": {"protocol", "id", "flags", "ingress_qos", "egress_qos"},
    "bond": set("""mode active_slave miimon updelay downdelay peer_notify_delay use_carrier arp_interval
        arp_missed_max arp_ip_target ns_ip6_target arp_validate arp_all_targets primary primary_reselect fail_over_mac
        xmit_hash_policy resend_igmp num_peer_notif all_slaves_active min_links lp_interval packets_per_slave
        ad_lacp_active ad_lacp_rate ad_select ad_info ad_actor_sys_prio ad_user_port_key ad_actor_system
        tlb_dynamic_lb""".split()),
    "bridge": set("""forward_delay hello_time max_age ageing_time stp_state priority vlan_filtering vlan_protocol
        bridge_id root_id root_port root_path_cost topology_change topology_change_detected hello_timer tcn_timer
        topology_change_timer gc_timer vlan_default_pvid vlan_stats_enabled vlan_stats_per_port group_fwd_mask
        group_addr mcast_snooping no_linklocal_learn mcast_vlan_snooping mcast_router mcast_query_use_ifaddr
        mcast_querier mcast_hash_elasticity mcast_hash_max mcast_last_member_cnt mcast_startup_query_cnt
        mcast_last_member_intvl mcast_membership_intvl mcast_querier_intvl mcast_query_intvl
        mcast_query_response_intvl mcast_startup_query_intvl mcast_stats_enabled mcast_igmp_version mcast_mld_version
        nf_call_iptables nf_call_ip6tables nf_call_arptables""".split()),
}
PORT = {
    "bond": set("""state mii_status link_failure_count perm_hwaddr queue_id prio ad_aggregator_id
        ad_actor_oper_port_state ad_actor_oper_port_state_str ad_partner_oper_port_state
        ad_partner_oper_port_state_str""".split()),
    "bridge": set("""state priority cost hairpin guard root_block fastleave learning flood id no designated_port
        designated_cost bridge_id root_id hold_timer message_age_timer forward_delay_timer topology_change_ack
        config_pending proxy_arp proxy_arp_wifi multicast_router mcast_flood bcast_flood mcast_to_unicast
        neigh_suppress group_fwd_mask group_fwd_mask_str vlan_tunnel isolated locked mab""".split()),
}
ADDRESS = set("""family local address prefixlen metric broadcast anycast scope secondary temporary nodad deprecated
    tentative dynamic mngtmpaddr noprefixroute protocol label valid_life_time preferred_life_time""".split())
ROUTE = set("""type dst gateway via dev table protocol scope prefsrc metric flags metrics pref nexthops from tos nhid
    """.split())
RULE = set("priority src srclen dst dstlen fwmark fwmask iif oif table action protocol tos l3mdev not".split())
MOVING = {"hello_timer", "tcn_timer", "topology_change_timer", "gc_timer", "hold_timer", "message_age_timer",
          "forward_delay_timer", "valid_life_time", "preferred_life_time"}


def flatten_link(link):
    """The shape of our report: {name: value} with linkinfo's data below "KIND." and "KIND_port."."""
    flat = {name: value for name, value in link.items() if name != "linkinfo"}
    info = link.get("linkinfo", {})
    for place, suffix in (("info", ""), ("info_slave", "_port")):
        if kind := info.get(f"{place}_kind"):
            flat[f"{place}_kind"] = kind
            for name, value in info.get(f"{place}_data", {}).items():
                flat[f"{kind}{suffix}.{name}"] = value
    return flat


def known_link_field(name):
    place, _, field = name.partition(".")
    if not field:
        return name in LINK or name in ("info_kind", "info_slave_kind")
    if place.endswith("_port"):
        return field in PORT.get(place.removesuffix("_port"), ())
    return field in KIND.get(place, ())


def look_up(ours, name):
    place, _, field = name.partition(".")
    return (ours.get(place) or {}).get(field) if field else ours.get(name)


def compare_fields(test, where, before, ours, after, known):
    for name, value in before.items():
        if not known(name):
            test.fault(where, f"ip prints {name!r} ({value!r}), which this test does not know")
        elif name.rpartition(".")[2] in MOVING:
            test.between(f"{where} {name}", value, look_up(ours, name), after.get(name, value))
        elif after.get(name) == value:
            test.equal(f"{where} {name}", value, look_up(ours, name))
        # else: it changed while we read; the next call of this comparison sees it at rest


def read_tools():
    return {
        "links": [flatten_link(link) for link in run_json("ip", "-j", "-d", "link")],
        "addresses": [{"ifname": link["ifname"], **entry} for link in run_json("ip", "-j", "-d", "address")
                      for entry in link["addr_info"]],
        "routes": [{"family": family, **route} for family, flag in (("inet", "-4"), ("inet6", "-6"))
                   for route in run_json("ip", "-j", "-d", flag, "route", "show", "table", "all")],
        "rules": [{"family": family, **rule} for family, flag in (("inet", "-4"), ("inet6", "-6"))
                  for rule in run_json("ip", "-j", "-d", flag, "rule")],
        "vlans": {port["ifname"]: port["vlans"] for port in run_json("bridge", "-j", "vlan")},
    }


# What names an entry of a list: the tool's and ours are matched by it.
KEYS = {
    "links": ("ifname",),
    "addresses": ("ifname", "local", "prefixlen"),
    "rules": ("family", "priority", "src", "table"),
}
KNOWN = {"links": known_link_field, "addresses": lambda name: name in ADDRESS | {"ifname"},
         "routes": lambda name: name in ROUTE | {"family"}, "rules": lambda name: name in RULE | {"family"}}


def compare_list(test, what, before, ours, after):
    key = lambda entry: tuple(str(entry.get(name)) for name in KEYS[what])
    ours_by_key, after_by_key = {key(entry): entry for entry in ours}, {key(entry): entry for entry in after}
    for entry in before:
        name = f"{what} {' '.join(key(entry))}"
        if key(entry) not in ours_by_key:
            test.fault(name, "we have none such")
        else:
            compare_fields(test, name, entry, ours_by_key[key(entry)], after_by_key.get(key(entry), {}), KNOWN[what])
    test.equal(f"number of {what}", len(before), len(ours))


def compare_routes(test, theirs, ours):
    """A route has no name: each of theirs must be, field by field, one of ours, and none of ours may be left."""
    left = list(ours)
    for route in theirs:
        for name in route:
            if not KNOWN["routes"](name):
                test.fault("routes", f"ip prints {name!r} ({route[name]!r}), which this test does not know")
        same = [mine for mine in left if all(mine.get(name, []) == value for name, value in route.items())]
        if same:
            left.remove(same[0])
            test.compared += len(route)
        else:
            test.fault("routes", f"none of ours is {route}")
    if left:
        test.fault("routes", f"ip does not print ours: {left}")


def compare_ip(test, take_report):
    """take_report() is called between two readings of the tools."""
    before = read_tools()
    ours = take_report()
    after = read_tools()
    for what in KEYS:
        compare_list(test, what, before[what], ours[what], after[what])
    compare_routes(test, before["routes"], ours["routes"])
    for link in ours["links"]:
        if vlans := before["vlans"].get(link["ifname"]):
            test.equal(f"vlans of {link['ifname']}", vlans, link.get("bridge_vlans"))
    return ours
