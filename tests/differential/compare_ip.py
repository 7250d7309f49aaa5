"""Compares what ip(8), bridge(8) and ethtool(8) print with a node report.

Every field that a tool prints must be known here, as data: a field that no table names is a difference. So is a
value that differs. Each function returns a list of sentences, empty when all is equal. Stdlib only; usable inside
guests. A field of ours that the tool does not print is no difference: we say more than the tools do.
"""

NEAR = {  # values that run while we look; how far apart they may be
    "gc_timer": 30, "hello_timer": 5, "tcn_timer": 5, "topology_change_timer": 40, "message_age_timer": 30,
    "forward_delay_timer": 30, "hold_timer": 5, "valid_life_time": 5, "preferred_life_time": 5, "expires": 5,
    "ageing_timer": 400, "carrier_changes": 0,
}


def names(text):
    return {name: name for name in text.split()}


# What `ip -j -d link` prints of a link, and where it stands in a report's link. A callable takes (ours, theirs).
LINK = names(
    "ifindex ifname link link_index link_netnsid flags mtu qdisc master operstate linkmode group txqlen link_type "
    "address link_pointtopoint broadcast permaddr proto_down promiscuity allmulti min_mtu max_mtu "
    "inet6_addr_gen_mode num_tx_queues num_rx_queues gso_max_size gso_max_segs tso_max_size tso_max_segs "
    "gro_max_size phys_port_name phys_port_id phys_switch_id parentbus parentdev ifalias altnames")

KIND_DATA = {  # info_data by kind
    "bond": names(
        "mode active_slave miimon updelay downdelay peer_notify_delay use_carrier arp_interval arp_missed_max "
        "arp_ip_target ns_ip6_target arp_validate arp_all_targets primary primary_reselect fail_over_mac "
        "xmit_hash_policy resend_igmp num_peer_notif all_slaves_active min_links lp_interval packets_per_slave "
        "ad_lacp_active ad_lacp_rate ad_select ad_info ad_actor_sys_prio ad_user_port_key ad_actor_system "
        "tlb_dynamic_lb"),
    "bridge": names(
        "forward_delay hello_time max_age ageing_time stp_state priority vlan_filtering vlan_protocol bridge_id "
        "root_id root_port root_path_cost topology_change topology_change_detected hello_timer tcn_timer "
        "topology_change_timer gc_timer vlan_default_pvid vlan_stats_enabled vlan_stats_per_port group_fwd_mask "
        "group_addr mcast_snooping no_linklocal_learn mcast_vlan_snooping mst_enabled mcast_router "
        "mcast_query_use_ifaddr mcast_querier mcast_hash_elasticity mcast_hash_max mcast_last_member_cnt "
        "mcast_startup_query_cnt mcast_last_member_intvl mcast_membership_intvl mcast_querier_intvl "
        "mcast_query_intvl mcast_query_response_intvl mcast_startup_query_intvl mcast_stats_enabled "
        "mcast_igmp_version mcast_mld_version nf_call_iptables nf_call_ip6tables nf_call_arptables"),
    "vlan": names("protocol id flags ingress_qos egress_qos"),
    "ipoib": names("key mode umcast"),
    "vxlan": names(
        "id group group6 remote remote6 local local6 link port_range port tos ttl df label ageing limit learning "
        "proxy rsc l2miss l3miss external udp_csum udp_zero_csum6_tx udp_zero_csum6_rx remcsum_tx remcsum_rx "
        "vnifilter"),
    "macvlan": names("mode nopromisc nodst bcqueuelen usedbcqueuelen macaddr_count macaddr_data"),
    "vrf": names("table"),
    # A user and a group are printed by name.
    "tun": names("type pi vnet_hdr multi_queue numqueues numdisabled persist"),
}
KIND_DATA["macvtap"] = KIND_DATA["macvlan"]
REPORT_NAME = {"macvtap": "macvlan"}  # kinds whose data stands under another name

PORT_DATA = {  # info_slave_data by kind
    "bond": names(
        "state mii_status link_failure_count perm_hwaddr queue_id prio ad_aggregator_id ad_actor_oper_port_state "
        "ad_actor_oper_port_state_str ad_partner_oper_port_state ad_partner_oper_port_state_str"),
    "bridge": names(
        "state priority cost hairpin guard root_block fastleave learning flood id no designated_port "
        "designated_cost bridge_id root_id hold_timer message_age_timer forward_delay_timer topology_change_ack "
        "config_pending proxy_arp proxy_arp_wifi multicast_router mcast_flood bcast_flood mcast_to_unicast "
        "neigh_suppress group_fwd_mask group_fwd_mask_str vlan_tunnel isolated locked backup_port"),
    "vrf": names("table"),
}

VF = dict(names("vf link_type address broadcast vlan_list vlan qos tx_rate rate spoofchk link_state trust "
                "query_rss_en"), **{"node guid": "node_guid", "port guid": "port_guid"})

ADDRESS = names(
    "family local address prefixlen metric broadcast anycast multicast scope secondary temporary nodad optimistic "
    "dadfailed home deprecated tentative dynamic mngtmpaddr noprefixroute autojoin stable-privacy ifa_flags "
    "protocol label valid_life_time preferred_life_time")

ROUTE = names(
    "type dst from nhid tos gateway via dev table protocol scope prefsrc metric flags mark flow uid expires error "
    "iif pref encap")
ROUTE_METRICS = names("mtu window rtt rttvar ssthresh cwnd advmss reordering hoplimit initcwnd features rto_min "
                      "initrwnd quickack congestion fastopen_no_cookie")
NEXTHOP = names("gateway via flow dev weight flags encap")

RULE = names(
    "priority src srclen dst dstlen tos fwmark fwmask iif oif uid_start uid_end ipproto sport sport_start "
    "sport_end dport dport_start dport_end tun_id table suppress_prefixlen suppress_ifgroup goto action protocol "
    "flow_from flow_to")
# ip(8) prints these as null: being there is the value.
RULE_WORDS = {"not": "not", "iif_detached": "iif_detached", "oif_detached": "oif_detached", "l3mdev": "l3mdev",
              "unresolved": "unresolved", "nop": "nop"}


def equal(field, theirs, ours):
    if theirs == ours:
        return True
    if field in NEAR and isinstance(ours, (int, float)):
        return abs(float(theirs) - ours) <= NEAR[field]
    return False


def fields(place, theirs, ours, table, skip=()):
    """Every field of theirs must stand in the table, and have our value."""
    found = []
    for field, value in theirs.items():
        if field in skip:
            continue
        if field not in table:
            found.append(f"{place}: the tool prints {field}={value!r}, which no table knows")
        elif not equal(field, value, ours.get(table[field])):
            found.append(f"{place}: {field}: the tool says {value!r}, we say {ours.get(table[field])!r}")
    return found


def compare_kind(place, theirs, ours, kind_field, data_field, tables, suffix):
    kind = theirs.get(kind_field)
    found = [] if kind == ours.get(kind_field) else [
        f"{place}: {kind_field}: the tool says {kind!r}, we say {ours.get(kind_field)!r}"]
    data = theirs.get(data_field)
    if not data:
        return found
    if kind not in tables:
        return found + [f"{place}: the tool prints {data_field} of kind {kind!r}, which no table knows"]
    name = REPORT_NAME.get(kind, kind) + suffix
    skip = {"user", "group"} if kind == "tun" else {"mcast_querier_state"} if kind == "bridge" else set()
    data = dict(data)
    mine = ours.get(name, {})
    if kind == "bond" and data.get("arp_validate", "") is None:
        data["arp_validate"] = "none"  # printed as null
    for word in ("gbp", "gpe", "remcsum_nopartial"):
        if kind == "vxlan" and word in data:
            if mine.get(word) is not True:
                found.append(f"{place}: {word} is missing")
            del data[word]
    return found + fields(f"{place} {name}", data, mine, tables[kind], skip)


def compare_links(theirs, report):
    """theirs: `ip -j -d link`."""
    ours = {link["ifindex"]: link for link in report["links"]}
    found = []
    if sorted(ours) != sorted(link["ifindex"] for link in theirs):
        found.append(f"the tool has links {sorted(link['ifindex'] for link in theirs)}, we have {sorted(ours)}")
    for link in theirs:
        mine = ours.get(link["ifindex"])
        if mine is None:
            continue
        place = f"link {link['ifname']}"
        link = dict(link)
        if "link" in link and link["link"] is None:  # none below
            del link["link"]
            if mine.get("link_index") != 0:
                found.append(f"{place}: the tool says it has no link below")
        if "xdp" in link:
            del link["xdp"]
            if "xdp" not in mine:
                found.append(f"{place}: an XDP program is attached")
        found += fields(place, link, mine, LINK, {"linkinfo", "vfinfo_list"})
        info = link.get("linkinfo", {})
        found += [f"{place}: the tool prints linkinfo {field}, which no table knows" for field in info
                  if field not in {"info_kind", "info_data", "info_slave_kind", "info_slave_data"}]
        found += compare_kind(place, info, mine, "info_kind", "info_data", KIND_DATA, "")
        found += compare_kind(place, info, mine, "info_slave_kind", "info_slave_data", PORT_DATA, "_port")
        for number, vf in enumerate(link.get("vfinfo_list", [])):
            if number >= len(mine["vfinfo_list"]):
                found.append(f"{place}: virtual function {number} is missing")
            else:
                found += fields(f"{place} vf {number}", vf, mine["vfinfo_list"][number], VF)
    return found


def compare_addresses(theirs, report):
    """theirs: `ip -j -d address`."""
    found = []
    for link in theirs:
        mine = [address for address in report["addresses"] if address["ifindex"] == link["ifindex"]]
        rest = list(mine)
        for address in link["addr_info"]:
            if not address:
                continue
            place = f"address {address.get('local')} of {link['ifname']}"
            same = [ours for ours in rest if ours.get("local") == address.get("local")
                    and ours["prefixlen"] == address["prefixlen"] and ours.get("address") == address.get("address")]
            if not same:
                found.append(f"{place}: we have none")
                continue
            rest.remove(same[0])
            found += fields(place, address, same[0], ADDRESS)
            if same[0]["ifname"] != link["ifname"]:
                found.append(f"{place}: we say it is on {same[0]['ifname']}")
        found += [f"link {link['ifname']}: the tool lacks our address {ours.get('local')}" for ours in rest]
    return found


def compare_nexthops(place, theirs, ours):
    if len(theirs) != len(ours):
        return [f"{place}: {len(theirs)} nexthops of the tool, {len(ours)} of ours"]
    found = []
    for number, (hop, mine) in enumerate(zip(theirs, ours)):
        found += fields(f"{place} nexthop {number}", hop, mine, NEXTHOP)
    return found


def compare_route(route, mine):
    place = f"route {route.get('type', 'unicast')} {route['dst']} table {route.get('table', 'main')}"
    found = fields(place, route, mine, ROUTE, {"metrics", "nexthops", "nh_info"})
    for metrics in route.get("metrics", []):
        metrics = dict(metrics)
        ours = mine.get("metrics", {})
        if "ecn" in metrics:  # printed as null
            del metrics["ecn"]
            if ours.get("ecn") is not True:
                found.append(f"{place}: ecn is missing")
        found += fields(f"{place} metrics", metrics, ours, ROUTE_METRICS)
    found += compare_nexthops(place, route.get("nexthops", []), mine.get("nexthops", []))
    return found


def compare_routes(theirs, report, family):
    """theirs: `ip -j -d route show table all` of one family; the table local is left out of both."""
    theirs = [route for route in theirs if route.get("table") != "local"]
    ours = [route for route in report["routes"] if route["family"] == family]
    found = []
    if len(theirs) != len(ours):
        found.append(f"{family}: the tool has {len(theirs)} routes, we have {len(ours)}")
    rest = list(ours)
    for route in theirs:
        def distance(mine, route=route):
            return sum(mine.get(key) != route.get(key) for key in
                       ("dst", "type", "table", "dev", "gateway", "metric", "tos", "prefsrc"))
        nearest = min(rest, key=distance, default=None)
        if nearest is None or nearest["dst"] != route["dst"]:
            found.append(f"{family}: we lack the route {route}")
            continue
        rest.remove(nearest)
        found += compare_route(route, nearest)
    return found + [f"{family}: the tool lacks our route {mine}" for mine in rest]


def compare_rules(theirs, report, family):
    """theirs: `ip -j -d rule` of one family; the order counts."""
    ours = [rule for rule in report["rules"] if rule["family"] == family]
    if len(theirs) != len(ours):
        return [f"{family}: the tool has {len(theirs)} rules, we have {len(ours)}"]
    found = []
    for rule, mine in zip(theirs, ours):
        place = f"{family} rule {rule['priority']}"
        rule = dict(rule)
        for word, name in RULE_WORDS.items():
            if word in rule:
                del rule[word]
                if mine.get(name) is not True:
                    found.append(f"{place}: {word} is missing")
        found += fields(place, rule, mine, RULE)
    return found


def one_by_one(vlans):
    """Ranges as the VLANs in them: whether `bridge -j vlan` writes ranges depends on its version."""
    return [{"vlan": vlan, "flags": entry.get("flags", [])} for entry in vlans
            for vlan in range(entry["vlan"], entry.get("vlanEnd", entry["vlan"]) + 1)]


def compare_bridge_vlans(theirs, report):
    """theirs: `bridge -j vlan`."""
    ours = {link["ifname"]: one_by_one(link["bridge_vlans"]) for link in report["links"] if link["bridge_vlans"]}
    found = []
    for entry in theirs:
        vlans, mine = one_by_one(entry["vlans"]), ours.pop(entry["ifname"], None)
        if mine != vlans:
            found.append(f"bridge vlans of {entry['ifname']}: the tool says {vlans}, we say {mine}")
    return found + [f"bridge vlans of {name}: the tool lacks ours: {vlans}" for name, vlans in ours.items()]
