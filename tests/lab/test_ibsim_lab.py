"""The simulated fabric itself: what the tests of the product rely on. Uses infiniband-diags only."""
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from ibsim_lab import NET4_MTU, PARTITIONS_4K, IbsimLab, wait_for  # noqa: E402

LAB = Path(__file__).with_name("ibsim_lab.py")


def field(text, name):
    return re.search(rf"^{name}:\.*(.*)$", text, re.M)[1]


def processes_of(socket):
    """Programs that carry this lab's name in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"IBSIM_SOCKNAME={socket}".encode() in environment.read_bytes():
                found.append(environment.parent.name)
        except OSError:
            continue
    return found


class Fabric(unittest.TestCase):
    def test_ports_wait_in_init_without_a_subnet_manager(self):
        with IbsimLab() as lab:
            self.assertIn("State: Initializing", lab.run("pve1", ["ibstat"]).stdout)

    def test_neighbor_mtu_follows_the_subnet_manager_and_the_weaker_end(self):
        with IbsimLab(mtu=NET4_MTU) as lab:
            lab.start_sm("pve1", partitions=PARTITIONS_4K)
            behind_2k = lab.run("pve1", ["smpquery", "portinfo", "5"]).stdout
            inside_4k = lab.run("pve1", ["smpquery", "portinfo", "7"]).stdout
            self.assertEqual(("4096", "2048"), (field(behind_2k, "MtuCap"), field(behind_2k, "NeighborMTU")))
            self.assertEqual(("4096", "4096"), (field(inside_4k, "MtuCap"), field(inside_4k, "NeighborMTU")))

    def test_a_standby_takes_over(self):
        with IbsimLab() as lab:
            lab.start_sm("pve1", priority=10)
            lab.start_sm("pve2", priority=5)
            self.assertIn("sm lid 1 ", lab.run("pve3", ["sminfo"]).stdout)
            lab.stop_sm("pve1")
            wait_for("takeover", lambda: "MASTER" in lab.run("pve3", ["sminfo", "4"]).stdout)

    def test_the_console_pulls_a_cable(self):
        with IbsimLab() as lab:
            lab.console('Unlink "pve4"[1]')
            self.assertIn("State: Down", lab.run("pve4", ["ibstat"]).stdout)
            self.assertIn("unknown", lab.console("NoSuchCommand"))

    def test_delay_slows_each_answer(self):
        def seconds(delay):
            with IbsimLab(delay_us=delay) as lab:
                start = time.monotonic()
                lab.run("pve1", ["smpquery", "-D", "nodeinfo", "0,1"], check=True)
                return time.monotonic() - start
        self.assertGreater(seconds(300_000), 0.3)

    def test_labs_side_by_side_do_not_meet(self):
        with IbsimLab() as one, IbsimLab() as other:
            one.console('Unlink "pve4"[1]')
            self.assertIn("State: Down", one.run("pve4", ["ibstat"]).stdout)
            self.assertIn("State: Initializing", other.run("pve4", ["ibstat"]).stdout)


class Cleaning(unittest.TestCase):
    def lab_killed_by(self, number):
        """Start a lab as a command, kill it once it is up, return what is left of it."""
        lab = subprocess.Popen([LAB, "--sm", "pve1", "--", "sh", "-c", "echo $IBSIM_SOCKNAME; echo $LAB_FOLDER; exec sleep 60"],
                               stdout=subprocess.PIPE, text=True)
        socket, folder = lab.stdout.readline().strip(), lab.stdout.readline().strip()
        self.assertTrue(processes_of(socket))
        lab.send_signal(number)
        lab.wait(20)
        lab.stdout.close()
        wait_for("its processes end", lambda: not processes_of(socket))
        return folder

    def test_an_ordinary_kill_leaves_nothing(self):
        self.assertFalse(os.path.exists(self.lab_killed_by(signal.SIGTERM)))

    def test_even_sigkill_leaves_no_process(self):
        subprocess.run(["rm", "-rf", self.lab_killed_by(signal.SIGKILL)], check=True)


if __name__ == "__main__":
    unittest.main()
