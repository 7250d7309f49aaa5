"""Who changes a node's network over SSH and cuts that very connection gets the node back: a real sshd in one
namespace, a real ssh in another, and changes that cut what lies between them. Needs root."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import ifupdown2  # noqa: E402
from netns_bed import REPO, Bed, program  # noqa: E402

RECOVER = os.environ.get("PVE_RDMA_RECOVER", str(REPO / "build/dev/bin/pve-rdma-recover"))
DEADLINE = 5  # the least that apply takes
GRACE = 2
# Packets to the client's network meet a table in which they are thrown away. The routes of the table main stay, so
# the plan cannot know.
CUT = {"routes": [{"to": "default", "type": "blackhole", "table": "77"}],
       "rules": [{"to": "192.0.2.0/24", "priority": 50, "table": "77"}]}
# One that cuts nothing.
HARMLESS = {"routes": [{"to": "198.51.100.0/24", "via": "192.0.2.9", "dev": "nic1"}]}


class Lockout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        tree = ifupdown2.unpack_package("openssh-server", cls.folder / "sshd", ["usr/sbin/sshd"])
        if not tree:
            raise unittest.SkipTest("Debian's package openssh-server cannot be downloaded")
        cls.sshd = tree / "usr/sbin/sshd"
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", cls.folder / name], check=True)

    def setUp(self):
        self.node, self.client = Bed(), Bed()
        for bed in (self.node, self.client):
            bed.__enter__()
            self.addCleanup(bed.__exit__)
        node = self.node
        node.connect("nic1", self.client, "uplink")
        node.address("nic1", "192.0.2.5/24")
        self.client.address("uplink", "192.0.2.100/24")
        # The private user that sshd needs is not on every machine; nothing of this one is changed.
        node.run("bash", "-euc", f"""
            for folder in /var/lib /run /etc/network /etc/sysctl.d /usr/libexec; do mount -t tmpfs none $folder; done
            mkdir -p /run/sshd /etc/network/interfaces.d /usr/libexec/pve-rdma
            ln -s {RECOVER} /usr/libexec/pve-rdma/pve-rdma-recover
            grep -v ^sshd: /etc/passwd >/run/passwd; echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin' >>/run/passwd
            mount --bind /run/passwd /etc/passwd
            printf 'auto lo\\niface lo inet loopback\\n' >/etc/network/interfaces""")
        config = self.folder / "sshd_config"
        config.write_text(f"HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/user.pub\nUsePAM no\n"
                          "PermitRootLogin yes\nStrictModes no\nPidFile none\nListenAddress 192.0.2.5\n")
        daemon = node.popen(self.sshd, "-D", "-e", "-f", config, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (daemon.kill(), daemon.wait()))
        self.wait_until_reachable(10)

    def ssh(self, command, timeout=2, **keywords):
        return ["ssh", "-i", self.folder / "user", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={timeout}", "root@192.0.2.5", command]

    def reachable(self):
        return self.client.run(*self.ssh("true", 1), check=False).returncode == 0

    def wait_until_reachable(self, seconds):
        begin = time.monotonic()
        while not self.reachable():
            self.assertLess(time.monotonic() - begin, seconds, "the node cannot be reached")
            time.sleep(0.1)
        return time.monotonic() - begin

    def document(self, content):
        path = self.folder / "net.json"
        path.write_text(json.dumps(content))
        return path

    def apply(self, content):
        return f"{program()} apply {self.document(content)} --live-only --json --confirm-within {DEADLINE}"

    def state(self):
        return self.node.run("ip", "-4", "route", "show", "table", "all").stdout, self.node.run("ip", "rule").stdout

    def transactions(self):
        return self.node.json(program(), "transactions", "--json")["transactions"]

    def test_a_session_that_was_cut_comes_back(self):
        before = self.state()
        # A client that answers no echo cannot be missed: nothing but the deadline saves the node.
        self.client.sysctl(net__ipv4__icmp_echo_ignore_all=1)
        session = self.client.popen(*self.ssh(self.apply(CUT)), stdout=subprocess.PIPE, text=True)
        begin = time.monotonic()
        while self.state() == before:
            self.assertLess(time.monotonic() - begin, 10, "nothing was applied")
            time.sleep(0.02)
        begin = time.monotonic()
        self.assertFalse(self.reachable(), "the change did not cut the connection")
        while self.state() != before:
            self.assertLess(time.monotonic() - begin, DEADLINE + GRACE, "it has not healed")
            time.sleep(0.05)
        print(f"cut, and healed after {time.monotonic() - begin:.1f} s of {DEADLINE}")
        self.wait_until_reachable(5)
        self.assertEqual(json.loads(session.communicate(timeout=60)[0])["transaction"]["state"], "pending")
        self.assertEqual(self.transactions()[0]["state"], "restored")

    def test_a_client_that_answers_no_more_is_missed_at_once(self):
        before = self.state()
        begin = time.monotonic()
        session = self.client.run(*self.ssh(self.apply(CUT)), check=False)
        reply = json.loads(session.stdout)
        self.assertFalse(reply["ok"])
        self.assertIn("192.0.2.100", json.dumps(reply["error"]))
        self.assertEqual(self.state(), before)
        print(f"missed, and taken back after {time.monotonic() - begin:.1f} s")

    def test_killed_at_any_moment_it_heals(self):
        before = self.state()
        self.client.sysctl(net__ipv4__icmp_echo_ignore_all=1)
        # How long one takes, so that the moments lie within it.
        begin = time.monotonic()
        self.node.run("sh", "-c", self.apply(HARMLESS))
        whole = time.monotonic() - begin
        self.node.run(program(), "rollback")
        ends = {"before": 0, "after": 0}
        for moment in sorted(random.random() for _ in range(int(os.environ.get("LOCKOUT_KILLS", "8")))):
            victim = self.node.popen("sh", "-c", "exec " + self.apply(CUT), stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(moment * whole * 1.2)
            # The processes of the victim alone: nsenter's, and what it became.
            os.killpg(victim.pid, signal.SIGKILL)
            victim.wait()
            changed = self.state() != before
            ends["after" if changed else "before"] += 1
            begin = time.monotonic()
            # Killed before it began, it stays "armed": nothing has to heal, and the next change clears it away.
            settled = ("restored", "confirmed", "armed")
            while self.state() != before or any(one["state"] not in settled for one in self.transactions()):
                self.assertLess(time.monotonic() - begin, DEADLINE + GRACE, (moment, self.state(), self.transactions()))
                time.sleep(0.05)
            self.assertTrue(self.reachable())
        print(f"killed {sum(ends.values())} times, {ends['after']} times with something applied: healed each time")

    def test_confirming_takes_another_connection(self):
        same = self.client.run(*self.ssh(f"{self.apply(HARMLESS)}; {program()} confirm --json"), check=False)
        self.assertEqual(same.returncode, 4, same.stdout)
        self.assertIn("connection", same.stdout)
        other = self.client.run(*self.ssh(f"{program()} confirm --json"), check=False)
        self.assertEqual(json.loads(other.stdout)["transaction"]["state"], "confirmed", other.stdout)


if __name__ == "__main__":
    unittest.main()
