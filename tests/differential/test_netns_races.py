"""Probes while links and routes come, go and change their names: a report belongs to one moment, or says what does
not."""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from netns_bed import Bed  # noqa: E402

PROBES = 12
# All that a change makes belongs together: pairN has its address and its route, or is not there. `ip -batch` does
# not make that one step, so the invariants are those that hold between any two of its steps.
CHANGES = """
link add pair{n} type veth peer name peer{n}
addr add 10.{n}.0.1/24 dev pair{n}
link set pair{n} up
link set peer{n} up
route add 172.16.{n}.0/24 via 10.{n}.0.2 dev pair{n} metric 7
link set peer{n} name renamed{n}
link set pair{n} mtu 1400
"""
REMOVAL = "link del pair{n}\n"
# The nap after they are made: without it nearly all of the time passes while the kernel tears them down, unseen.
CHURN = """
while true; do
    ip -force -batch - 2>/dev/null <<'END'
{changes}
END
    sleep 0.02
    ip -force -batch - 2>/dev/null <<'END'
{removal}
END
    {pause}
done
"""


def contradictions(report):
    """What cannot be true of one moment."""
    names = {link["ifindex"]: link["ifname"] for link in report["links"]}
    found = []
    if len(names) != len(report["links"]):
        found.append("two links have one ifindex")
    if len(set(names.values())) != len(names):
        found.append("two links have one name")
    for link in report["links"]:
        if "link" in link and link["link"] not in names.values():
            found.append(f"{link['ifname']} has a peer that is not there: {link['link']}")
    for address in report["addresses"]:
        if names.get(address["ifindex"]) != address["ifname"]:
            found.append(f"an address on {address['ifname']}, which is not there")
    for route in report["routes"]:
        if "dev" in route and route["dev"] not in names.values():
            found.append(f"a route over {route['dev']}, which is not there")
    return found


class Races(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("network namespaces need root")

    def probe_during(self, bed, pause, enough=lambda reports: True):
        """PROBES reports, and more until there are enough: on a busy machine the changes may come late."""
        changes, removal = ("".join(text.format(n=n) for n in range(1, 5)).strip() for text in (CHANGES, REMOVAL))
        churn = bed.popen("sh", "-c", CHURN.format(changes=changes, removal=removal, pause=pause))
        try:
            reports = []
            while len(reports) < PROBES or (not enough(reports) and len(reports) < 20 * PROBES):
                reports.append(bed.report())
            return reports
        finally:
            churn.kill()
            churn.wait()

    def test_a_report_is_of_one_moment_or_says_what_is_not(self):
        with Bed() as bed:
            def changing(seen):
                return any(len(report["links"]) > 1 for report in seen)

            reports = self.probe_during(bed, ":", changing)
        self.assertTrue(changing(reports), "nothing was seen changing")
        for report in reports:
            source = report["sources"]["rtnetlink"]
            self.assertNotIn("unavailable", source)
            for unread in source["unread"]:
                self.assertEqual("conflict", unread["error"], unread)
            if not source["unread"]:
                self.assertEqual([], contradictions(report))

    def test_between_changes_a_consistent_report_is_reached(self):
        with Bed() as bed:
            reports = self.probe_during(bed, "sleep 0.3")
        whole = [report for report in reports if not report["sources"]["rtnetlink"]["unread"]]
        self.assertGreater(len(whole), 0)
        for report in whole:
            self.assertEqual([], contradictions(report))

    def test_the_check_sees_a_contradiction(self):
        report = {"links": [{"ifindex": 1, "ifname": "lo"}], "addresses": [{"ifindex": 9, "ifname": "gone0"}],
                  "routes": [{"dev": "gone0"}]}
        self.assertEqual(2, len(contradictions(report)))


if __name__ == "__main__":
    unittest.main()
