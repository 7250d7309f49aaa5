"""Story 1 by `pve-rdma apply`, in a namespace where a real ifupdown2 brought the node up: dry run, apply, verify,
confirm, again, ifreload, rollback; no packet is lost on the way. Needs root."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ifup_bed import FILE, Ifupdown2Bed  # noqa: E402
from netns_bed import REPO, Bed, program  # noqa: E402

STORY = REPO / "tests/stories/two_cards_one_network.json"
OWN_FILE = "/etc/network/interfaces.d/pve-rdma"
# As Proxmox's installer and a hand leave a node: one gateway, two cards in one network.
BEFORE = """auto lo
iface lo inet loopback

auto nic1
iface nic1 inet static
\taddress 192.0.2.5/24
\tgateway 192.0.2.1

# the fast card
auto nic40
iface nic40 inet static
\taddress 192.0.2.40/24

source /etc/network/interfaces.d/*
"""
WANTED = ["192.0.2.0/24 nic1 1000", "192.0.2.0/24 nic40 1", "default nic1 1 192.0.2.1", "default nic40 1000 192.0.2.1"]
RECOVER = os.environ.get("PVE_RDMA_RECOVER", str(REPO / "build/dev/bin/pve-rdma-recover"))

# Echo requests every 2 ms while something happens; prints sent and received.
FLOW = """
import socket, struct, sys, time, select
target, seconds = sys.argv[1], float(sys.argv[2])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setblocking(False); s.connect((target, 7))
sent = got = lost_sends = 0
end = time.monotonic() + seconds
print("ready", flush=True)
while time.monotonic() < end + 0.5:
    if time.monotonic() < end:
        try:
            s.send(struct.pack("!I", sent)); sent += 1
        except OSError:
            lost_sends += 1
    r, _, _ = select.select([s], [], [], 0.002)
    while r:
        try:
            s.recv(64); got += 1
        except OSError:
            break
print(sent, got, lost_sends)
"""
ECHO = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("", 7)); print("ready", flush=True)
while True:
    data, peer = s.recvfrom(64); s.sendto(data, peer)
"""


class Story(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.probe = Ifupdown2Bed(os.environ.get("IFUPDOWN_PACKAGES", cls.folder.name))
        if not cls.probe.tree:
            raise unittest.SkipTest("Debian's package ifupdown2 cannot be downloaded")

    def setUp(self):
        self.bed = Ifupdown2Bed(os.environ.get("IFUPDOWN_PACKAGES", self.folder.name))
        self.bed.__enter__()
        self.addCleanup(self.bed.__exit__)
        self.router = Bed()
        self.router.__enter__()
        self.addCleanup(self.router.__exit__)
        bed = self.bed
        # One network behind both cards: a bridge at the router, which is the gateway and answers echoes.
        self.router.run("ip", "link", "add", "lan", "type", "bridge")
        for name in ("nic1", "nic40"):
            bed.connect(name, self.router, "p-" + name)
            self.router.run("ip", "link", "set", "p-" + name, "master", "lan")
        self.router.run("ip", "link", "set", "lan", "up")
        self.router.address("lan", "192.0.2.1/24")
        bed.shell(f"""mount -t tmpfs none /etc/sysctl.d; mount -t tmpfs none /usr/libexec; mkdir /usr/libexec/pve-rdma
                      ln -s {RECOVER} /usr/libexec/pve-rdma/pve-rdma-recover""")
        bed.file(BEFORE)
        bed.tool("ifup", "-a")

    def change(self, *arguments, status=0):
        result = self.bed.run(program(), *arguments, "--json", check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def state(self):
        """What the kernel and the disk hold: what a rollback must bring back."""
        texts = [self.bed.run("ip", *words).stdout for words in (
            ["-4", "route"], ["-6", "route"], ["rule"], ["-o", "address"], ["-o", "link"])]
        files = self.bed.run("sh", "-c", "head -c -0 /etc/network/interfaces /etc/network/interfaces.d/* 2>/dev/null",
                             check=False).stdout
        sysctl = self.bed.run("sysctl", "net.ipv4.conf.all.rp_filter").stdout
        # Duplicate address detection takes its time.
        return ["\n".join(sorted(text.replace(" tentative", "").splitlines())) for text in texts], files, sysctl

    def test_the_metric_split(self):
        bed = self.bed
        before = self.state()
        planned = self.change("plan", str(STORY))
        self.assertEqual(self.state(), before, "a plan changed something")
        self.assertIn("rdma-metric 1", planned["diff"])
        self.assertTrue(any("leave through nic40" in note for note in planned["warnings"]), planned["warnings"])

        echo = self.router.popen("python3", "-c", ECHO, stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (echo.kill(), echo.wait(), echo.stdout.close()))
        echo.stdout.readline()
        flow = bed.popen("python3", "-c", FLOW, "192.0.2.1", "4", stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (flow.wait(), flow.stdout.close()))
        flow.stdout.readline()
        time.sleep(0.5)
        applied = self.change("apply", str(STORY), "--confirm-within", "60")
        self.assertEqual(applied["transaction"]["state"], "pending")
        self.assertEqual([step["text"] for step in applied["plan"]], [step["text"] for step in planned["plan"]])
        sent, received, refused = map(int, flow.stdout.read().split())
        print(f"a flow of {sent} datagrams while it was applied: {sent - received} lost, {refused} refused")
        self.assertGreater(sent, 500)
        self.assertEqual((sent - received, refused), (0, 0), "datagrams were lost")
        self.assertEqual(bed.routes(), WANTED)

        second = self.change("apply", str(STORY), status=4)
        self.assertIn(applied["transaction"]["id"], json.dumps(second["error"]))
        self.assertEqual(self.change("confirm")["transaction"]["state"], "confirmed")
        again = self.change("apply", str(STORY))
        self.assertFalse(again["changed"], again)

        after = self.state()
        words = bed.tool("ifreload", "-a")
        self.assertEqual(bed.routes(), WANTED, words)
        self.assertEqual(self.state(), after, f"ifreload changed something: {words}")
        self.assertFalse(self.change("apply", str(STORY))["changed"])

        # From the files alone, as at boot.
        bed.tool("ifdown", "-a", check=False)
        bed.tool("ifup", "-a")
        self.assertEqual(bed.routes(), WANTED)
        self.assertFalse(self.change("apply", str(STORY))["changed"])

        restored = self.change("rollback", applied["transaction"]["id"])
        self.assertEqual(restored["transaction"]["state"], "restored", restored)
        self.assertEqual(self.state(), before)

    def test_it_heals_when_nobody_confirms(self):
        before = self.state()
        applied = self.change("apply", str(STORY), "--confirm-within", "5")
        self.assertNotEqual(self.state(), before)
        begin = time.monotonic()
        while self.state() != before and time.monotonic() < begin + 9:
            time.sleep(0.2)
        waited = time.monotonic() - begin
        self.assertEqual(self.state(), before)
        print(f"healed after {waited:.1f} s of 5")
        self.assertLess(waited, 7)
        views = self.change("transactions")["transactions"]
        self.assertEqual((views[0]["id"], views[0]["state"]), (applied["transaction"]["id"], "restored"), views[0])
        self.change("confirm", status=3)

    def test_it_heals_when_a_node_of_the_cluster_is_cut_off(self):
        """Nobody named that node: corosync's configuration does."""
        bed = self.bed
        bed.shell("""mkdir /run/keep /run/upper /run/work; mount --bind /etc/network /run/keep
                     mount -t overlay none -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc
                     mount --bind /run/keep /etc/network; mkdir -p /etc/corosync""")
        bed.file("nodelist {\n  node {\n    name: pve2\n    ring0_addr: 203.0.113.2\n  }\n}\n", "/etc/corosync/corosync.conf")
        self.router.address("lan", "203.0.113.2/32")
        bed.run("ip", "route", "add", "203.0.113.0/24", "via", "192.0.2.1", "dev", "nic1")
        before = self.state()
        wrong = {"routes": [{"to": "203.0.113.0/24", "via": "192.0.2.77", "dev": "nic1"}]}
        refused = self.change("apply", "--document", json.dumps(wrong), status=3)
        print(refused["error"]["message"])
        self.assertIn("corosync's node pve2 (203.0.113.2)", refused["error"]["subject"])
        self.assertIn("all is as it was before", refused["error"]["message"])
        self.assertEqual(self.state(), before)

    def test_what_holds_it_back_is_named(self):
        before = self.state()
        self.bed.file("changed by the panel\n", FILE + ".new")
        waiting = self.change("apply", str(STORY), status=4)
        self.assertIn("interfaces.new", waiting["error"]["subject"])
        self.bed.run("rm", FILE + ".new")
        stale = self.change("apply", str(STORY), "--digest", "sha256:00", status=4)
        self.assertEqual(stale["error"]["code"], "conflict")
        holder = self.bed.popen("flock", "/etc/network/.pve-interfaces.lock", "sleep", "30")
        try:
            time.sleep(0.3)
            locked = self.change("apply", str(STORY), status=4)
            self.assertIn(".pve-interfaces.lock", json.dumps(locked["error"]))
        finally:
            holder.kill()
            holder.wait()
        self.assertEqual(self.state(), before)


if __name__ == "__main__":
    unittest.main()
