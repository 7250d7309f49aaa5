#!/usr/bin/env python3
"""`pve-rdma diagnose` on a simulated fabric: the troubles that people take for bad cables, made on purpose.

PVE_RDMA names the program (default: build/dev/bin/pve-rdma).
"""
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lab"))
from ibsim_lab import IbsimLab, NET4, NET4_MTU, PARTITIONS_2K, PARTITIONS_4K, wait_for  # noqa: E402

PROGRAM = os.environ.get("PVE_RDMA", str(ROOT / "build" / "dev" / "bin" / "pve-rdma"))


def diagnose(lab, host, *words):
    """The findings, and the whole reply."""
    run = lab.run(host, [PROGRAM, "diagnose", "--json", *words])
    if run.returncode not in (0, 1):
        raise AssertionError(f"exit code {run.returncode}: {run.stderr}{run.stdout}")
    reply = json.loads(run.stdout)
    assert reply["ok"] == (run.returncode == 0)
    return reply["findings"], reply


def of_rule(findings, rule):
    return [finding for finding in findings if finding["rule"] == rule]


class Fabric(unittest.TestCase):
    def test_a_group_of_4k_over_a_switch_of_2k(self):
        with IbsimLab(mtu=NET4_MTU) as lab:
            lab.start_sm("pve1", partitions=PARTITIONS_4K)
            findings, _ = diagnose(lab, "pve3")
            joins = {finding["subject"]: finding for finding in of_rule(findings, "MTU-01")}
            self.assertEqual(set(joins), {"old-qdr-switch port 1", "sx6036 port 4"})
            message = joins["old-qdr-switch port 1"]["message"]
            for port in range(1, 5):
                self.assertIn(f"port {port} (pve{port} mlx4_0 port 1)", message)
            self.assertIn("4096", message)
            self.assertIn("2048", message)
            self.assertEqual(joins["old-qdr-switch port 1"]["severity"], "error")
            (switch,) = [one for one in of_rule(findings, "MTU-02") if one["severity"] == "warning"]
            self.assertIn("The switch old-qdr-switch can MTU 2048 (ports 1, 2, 3, 4, 35, 36)", switch["message"])
            self.assertEqual(of_rule(findings, "SM-02"), [])

    def test_the_same_fabric_with_a_group_of_2k_lets_all_join(self):
        with IbsimLab(mtu=NET4_MTU) as lab:
            lab.start_sm("pve1", partitions=PARTITIONS_2K)
            findings, _ = diagnose(lab, "pve3")
            self.assertEqual(of_rule(findings, "MTU-01"), [])
            self.assertTrue(of_rule(findings, "MTU-02"))

    def test_a_dead_master_that_sysfs_still_names(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1")
            findings, _ = diagnose(lab, "pve3")
            self.assertEqual(of_rule(findings, "SM-02"), [])
            self.assertEqual(len(of_rule(findings, "SM-04")), 1)
            lab.stop_sm("pve1")
            findings, _ = diagnose(lab, "pve3")
            (dead,) = of_rule(findings, "SM-02")
            self.assertEqual(dead["severity"], "error")
            facts = {one["path"].rsplit("/", 1)[1]: one["value"] for one in dead["evidence"]}
            self.assertEqual(facts["sm_lid"], "1")
            self.assertEqual(facts["error"], "ETIMEDOUT")

    def test_no_subnet_manager_at_all(self):
        with IbsimLab() as lab:
            findings, _ = diagnose(lab, "pve3")
            (none,) = of_rule(findings, "SM-01")
            self.assertEqual(none["severity"], "error")
            self.assertEqual(of_rule(findings, "SM-02"), [])

    def test_two_managers(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1", priority=10)
            lab.start_sm("pve2", priority=5)
            findings, _ = diagnose(lab, "pve3")
            for rule in ("SM-03", "SM-04", "SM-05", "SM-06"):
                self.assertEqual(of_rule(findings, rule), [], rule)

    def test_a_link_on_one_lane(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1")
            (second,) = of_rule(diagnose(lab, "pve4")[0], "PHY-04")  # so the netlist says
            self.assertEqual(second["severity"], "error")
            self.assertIn("sx6036 port 3", second["message"])
            self.assertIn("pve3 mlx4_0 port 2", second["message"])
            self.assertIn("1 of 4 lanes", second["message"])
            # Port 3 of old-qdr-switch leads to pve3.
            walk = json.loads(lab.run("pve4", [PROGRAM, "fabric", "walk", "--json"], check=True).stdout)["fabric"]
            (switch,) = [node for node in walk["nodes"] if node["description"] == "old-qdr-switch"]
            lid = next(port["lid"] for port in switch["ports"] if port["number"] == 0)
            lab.run("pve1", ["ibportstate", str(lid), "3", "width", "1"], check=True)

            def first():
                found = of_rule(diagnose(lab, "pve4")[0], "PHY-04")
                return [one for one in found if "old-qdr-switch port 3" in one["message"]]

            (found,) = wait_for("the width is 1X", first)
            self.assertIn("pve3 mlx4_0 port 1", found["message"])
            self.assertIn("1 of 4 lanes", found["message"])

    def test_a_guid_twice(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1")
            lab.console('Guid "pve2" 0x2c90300a3000')
            findings, _ = diagnose(lab, "pve4")
            self.assertTrue(of_rule(findings, "GUID-01"))

    def test_a_record_with_the_fabric_is_judged_elsewhere(self):
        with IbsimLab(mtu=NET4_MTU) as lab, tempfile.TemporaryDirectory() as folder:
            lab.start_sm("pve1", partitions=PARTITIONS_4K)
            record = f"{folder}/pve3.json"
            sections = "system,devices,links,subnet,fabric"
            lab.run("pve3", [PROGRAM, "probe", "--sections", sections, "--record", record], check=True)
            # No lab here: the record is all there is.
            here = lab.run("pve3", ["env", "-u", "LD_PRELOAD", PROGRAM, "diagnose", "--json", record])
            self.assertEqual(here.returncode, 1)
            self.assertTrue(of_rule(json.loads(here.stdout)["findings"], "MTU-01"))

    def test_without_the_walk_it_says_what_it_cannot_judge(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1")
            findings, reply = diagnose(lab, "pve3", "--no-fabric")
            self.assertEqual(of_rule(findings, "SM-04"), [])
            walk = [one for one in reply["unjudged"] if one["reason"].startswith("walk of the fabric")]
            self.assertEqual(len(walk), 1)
            self.assertIn("SM-04", walk[0]["rules"])


if __name__ == "__main__":
    unittest.main()
