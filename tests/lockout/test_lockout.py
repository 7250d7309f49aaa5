"""A change that locks its author out heals itself, whatever becomes of the program and of the connection."""
import contextlib
import os
import random
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import lockout_bed  # pylint: disable=wrong-import-position
from lockout_bed import BIN, INTERFACES, Lockout  # pylint: disable=wrong-import-position

# The way to the client's address leads elsewhere from then on: the session that asks for it is cut.
CUT = {"routes": [{"to": "192.0.2.2/32", "dev": "side0"}]}
HARMLESS = {"routes": [{"to": "203.0.113.0/24", "via": "198.51.100.9", "dev": "side0"}]}
WITHIN, GRACE = 5, 2


@unittest.skipIf(lockout_bed.can_run(), lockout_bed.can_run())
class LockoutTest(unittest.TestCase):
    def setUp(self):
        self.bed = self.enterContext(Lockout())
        self.before = self.bed.state()

    def unseen(self):
        """The client answers no probe: so no verification notices what happens to it."""
        self.bed.client.sysctl(net__ipv4__icmp_echo_ignore_all=1)

    def assert_heals(self, since):
        # Who died before anything was begun has nothing to heal: the next change clears that away.
        while not all(one["state"] == "restored" or one["state"] == "armed" and time.monotonic() - since > WITHIN
                      for one in self.bed.transactions()) or self.bed.state() != self.before:
            self.assertLess(time.monotonic() - since, WITHIN + GRACE,
                            f"now:\n{self.bed.state()}\n{self.bed.transactions()}")
            time.sleep(0.05)
        self.assertTrue(self.bed.answers())

    def test_a_session_that_is_cut_comes_back(self):
        self.unseen()
        session = self.bed.begin(CUT)
        self.bed.await_change(self.before)
        since = time.monotonic()
        self.assertFalse(self.bed.answers())
        self.assert_heals(since)
        session.kill()
        session.communicate()

    def test_what_cuts_the_caller_off_is_taken_back_at_once_where_it_is_seen(self):
        status, words = self.bed.over_ssh("apply", self.bed.document(CUT), "--confirm-within", "60")
        self.assertNotEqual(status, 0, words)
        self.assertEqual(self.bed.state(), self.before)

    def test_the_session_may_end_before_the_time_is_over(self):
        session = self.bed.begin(HARMLESS)
        self.bed.await_change(self.before)
        since = time.monotonic()
        session.kill()
        session.communicate()
        self.assert_heals(since)

    def test_killed_at_any_moment(self):
        self.unseen()
        chance = random.Random(1)
        moments = {}
        for _ in range(8):
            known = self.bed.stored()
            session = self.bed.begin(CUT)
            program = self.program()
            while self.bed.stored() == known:
                pass
            time.sleep(chance.uniform(0.003, 0.025))
            with contextlib.suppress(ProcessLookupError):  # it was quicker
                os.kill(program, signal.SIGKILL)
            since = time.monotonic()
            newest = self.bed.transactions()[0]
            with self.subTest(state=newest["state"]):
                moments[newest["state"]] = moments.get(newest["state"], 0) + 1
                self.assert_heals(since)
            session.kill()
            session.communicate()
        print(f"killed when it was {moments}", end=" ", flush=True)

    def test_a_program_that_is_stopped_does_not_stop_the_healing(self):
        self.unseen()
        session = self.bed.begin(CUT)
        program = self.program()
        while not self.bed.stored():
            pass
        os.kill(program, signal.SIGSTOP)
        # The locks are waited for before whoever holds them is ended.
        time.sleep(WITHIN + 10 + GRACE)
        self.assertEqual(self.bed.state(), self.before)
        self.assertTrue(self.bed.answers())
        session.kill()
        session.communicate()

    def program(self):
        """The number of the process that applies, as soon as there is one."""
        begun = time.monotonic()
        while time.monotonic() - begun < 10:
            for number in self.bed.node.processes():
                try:
                    words = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue  # it has ended
                if words[:2] == [f"{BIN}/pve-rdma".encode(), b"apply"]:
                    return number
        raise RuntimeError("nothing is applied")

    def test_confirmed_over_a_new_connection_it_stays(self):
        path = self.bed.document(HARMLESS)
        session = self.bed.client.run(*self.bed.ssh(
            f"{BIN}/pve-rdma apply {path} --confirm-within 5 >/dev/null; {BIN}/pve-rdma confirm"), check=False)
        self.assertEqual(session.returncode, 4, session.stdout + session.stderr)
        status, words = self.bed.over_ssh("confirm")
        self.assertEqual(status, 0, words)
        after = self.bed.state()
        self.assertNotEqual(after, self.before)
        time.sleep(WITHIN + GRACE)
        self.assertEqual(self.bed.state(), after)
        status, words = self.bed.over_ssh("rollback", self.bed.transactions()[0]["id"])
        self.assertEqual(status, 0, words)
        self.assertEqual(self.bed.state(), self.before)

    def test_another_one_waits_until_the_first_is_decided(self):
        session = self.bed.begin(HARMLESS, within=60)
        self.bed.await_change(self.before)
        other = {"sysctl": {"net.ipv4.conf.side0.rp_filter": 1}}
        begun = time.monotonic()
        while not self.bed.transactions() and time.monotonic() - begun < 5:
            time.sleep(0.05)
        status, words = self.bed.over_ssh("apply", self.bed.document(other, "/run/other.json"))
        self.assertEqual(status, 4, words)
        status, words = self.bed.over_ssh("rollback")
        self.assertEqual(status, 0, words)
        self.assertEqual(self.bed.state(), self.before)
        session.kill()
        session.communicate()

    def test_at_the_next_boot_the_files_are_those_of_before(self):
        session = self.bed.begin(HARMLESS, within=600)
        self.bed.await_change(self.before)
        begun = time.monotonic()
        while not any(one["state"] == "pending" for one in self.bed.transactions()):
            self.assertLess(time.monotonic() - begun, 10)
            time.sleep(0.05)
        changed = self.bed.node.run("grep", "-rs", ".", "/etc/network").stdout
        self.assertNotIn(changed, ("", lockout_bed.TEXT))
        # All processes end, and another boot has another id.
        self.bed.node.end_processes()
        self.bed.node.shell("echo another > /run/boot; mount --bind /run/boot /proc/sys/kernel/random/boot_id")
        self.bed.node.run(f"{BIN}/pve-rdma-recover", "boot")
        self.assertEqual(self.bed.node.run("cat", INTERFACES).stdout, lockout_bed.TEXT)
        self.assertEqual(self.bed.node.shell("ls /etc/network/interfaces.d").stdout, "")
        self.assertEqual(self.bed.transactions()[0]["state"], "restored")
        session.kill()
        session.communicate()


if __name__ == "__main__":
    unittest.main()
