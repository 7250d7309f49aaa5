"""ip(8) and bridge(8) in a guest against our links, addresses, routes and rules; the tables are compare_ip's."""
import compare_ip as tables
from guest_compare import run_json


def compare_ip(test, take_report):
    """Takes a report and returns it."""
    report = take_report()
    links = run_json("ip", "-j", "-d", "link")
    test.take(links, tables.compare_links(links, report))
    addresses = run_json("ip", "-j", "-d", "address")
    test.take([link["addr_info"] for link in addresses], tables.compare_addresses(addresses, report))
    for family, flag in (("inet", "-4"), ("inet6", "-6")):
        routes = run_json("ip", "-j", "-d", flag, "route", "show", "table", "all")
        test.take(routes, tables.compare_routes(routes, report, family))
        rules = run_json("ip", "-j", "-d", flag, "rule")
        test.take(rules, tables.compare_rules(rules, report, family))
    vlans = run_json("bridge", "-j", "vlan")
    test.take(vlans, tables.compare_bridge_vlans(vlans, report))
    return report
