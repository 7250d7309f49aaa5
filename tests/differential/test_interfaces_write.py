"""`config edit` on /etc/network/interfaces of a private mount namespace: locks, waiting changes, full and read-only
file systems. Needs root."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "tests/differential"))
import ifupdown2  # noqa: E402

PROGRAM = os.environ.get("PVE_RDMA", str(REPO / "build/dev/bin/pve-rdma"))
FILE = "# mine\nauto eth0\niface eth0 inet static\n    address 192.0.2.5/24\n    mtu 1500\n"


def inside(script, options="size=1m"):
    """Runs a shell script where /etc/network and /run are empty file systems of its own."""
    prepare = f"""
        set -eu
        mount -t tmpfs -o {options} none /etc/network
        mount -t tmpfs none /run
        printf '%s' "$FILE" > /etc/network/interfaces
        edit() {{ status=0; "$PROGRAM" config edit --iface eth0 "$@" > /run/out 2>&1 || status=$?; }}
    """
    return subprocess.run(["unshare", "-m", "--propagation", "private", "bash", "-c",
                           textwrap.dedent(prepare) + textwrap.dedent(script)], capture_output=True, text=True,
                          check=False, env={**os.environ, "FILE": FILE, "PROGRAM": PROGRAM})


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class Write(unittest.TestCase):
    def run_inside(self, script, **options):
        result = inside(script, **options)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_one_line_changes_and_nothing_stays_behind(self):
        out = self.run_inside("""
            chmod 640 /etc/network/interfaces; chown 12:34 /etc/network/interfaces
            edit --set mtu=9000; [ $status = 0 ]; cat /run/out
            stat -c '%a %u %g' /etc/network/interfaces; ls -A /etc/network
            diff <(printf '%s' "$FILE") /etc/network/interfaces || true
        """)
        self.assertIn("-    mtu 1500\n+    mtu 9000\n", out)
        self.assertIn("640 12 34\n.pve-interfaces.lock\ninterfaces\n", out)
        self.assertTrue(out.endswith("5c5\n<     mtu 1500\n---\n>     mtu 9000\n"), out)

    def test_a_link_is_followed(self):
        self.run_inside("""
            mkdir /etc/network/real; mv /etc/network/interfaces /etc/network/real/x
            ln -s real/x /etc/network/interfaces
            edit --set mtu=9000; [ $status = 0 ]; [ -L /etc/network/interfaces ]
            grep -q 'mtu 9000' /etc/network/real/x
        """)

    def test_a_change_of_proxmox_that_waits_is_a_conflict(self):
        self.run_inside("""
            touch /etc/network/interfaces.new
            edit --set mtu=9000; [ $status = 4 ]; grep -q pending_gui_change /run/out
            grep -q 'mtu 1500' /etc/network/interfaces
            edit --set mtu=9000 --dry-run; [ $status = 0 ]
        """)

    def test_a_lock_that_another_holds_is_a_conflict(self):
        self.run_inside("""
            exec 9> /etc/network/.pve-interfaces.lock; flock 9
            edit --set mtu=9000 9>&-; [ $status = 4 ]; grep -q 'holds this lock' /run/out
            flock -u 9; edit --set mtu=9000; [ $status = 0 ]
        """)

    def test_the_digest_of_other_files_is_a_conflict(self):
        self.run_inside("""
            digest=$("$PROGRAM" config show | sed -n 's/.*"digest": "\\(.*\\)",/\\1/p'); [ -n "$digest" ]
            edit --set mtu=9000 --digest "$digest"; [ $status = 0 ]
            edit --set mtu=1500 --digest "$digest"; [ $status = 4 ]; grep -q 'mtu 9000' /etc/network/interfaces
        """)

    def test_on_a_full_or_read_only_file_system_the_old_file_stays(self):
        self.run_inside("""
            head -c 200000 /dev/zero > /etc/network/fill 2>/dev/null || true; : > /etc/network/.pve-interfaces.lock
            cat /dev/zero >> /etc/network/fill 2>/dev/null || true
            edit --set mtu=9000; [ $status = 3 ]; cmp <(printf '%s' "$FILE") /etc/network/interfaces
            [ "$(ls -A /etc/network | wc -l)" = 3 ]; rm /etc/network/fill
            mount -o remount,ro /etc/network
            edit --set mtu=9000; [ $status != 0 ]; cmp <(printf '%s' "$FILE") /etc/network/interfaces
        """, options="size=64k")

    @unittest.skipUnless(os.path.exists("/dev/loop-control"), "no loop devices")
    def test_a_power_cut_or_a_kill_leaves_the_old_or_the_new_file(self):
        result = subprocess.run(["unshare", "-m", "--propagation", "private", sys.executable,
                                 REPO / "tests/differential/power_cut.py", PROGRAM], capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        numbers = dict(zip(result.stdout.split()[0::2], result.stdout.split()[1::2]))
        for what in ("calls", "disks", "killed-old", "killed-new"):
            self.assertGreater(int(numbers[what]), 1, result.stdout)

    def test_what_is_ours_goes_to_our_own_file(self):
        out = self.run_inside("""
            edit --set rdma-metric=5; [ $status = 2 ]; grep -q 'does not source it' /run/out
            cmp <(printf '%s' "$FILE") /etc/network/interfaces
            "$PROGRAM" config edit --source '/etc/network/interfaces.d/*'; mkdir /etc/network/interfaces.d
            cp /etc/network/interfaces /run/before
            edit --set rdma-metric=5; [ $status = 0 ]; cat /run/out
            edit --add 'rdma-route=198.51.100.0/24 via 192.0.2.1 metric 5'; [ $status = 0 ]; cat /run/out
            cmp /run/before /etc/network/interfaces
            stat -c %a /etc/network/interfaces.d/pve-rdma; grep -v '^#' /etc/network/interfaces.d/pve-rdma
            "$PROGRAM" config check | tee /run/check; grep -q '0 errors, 0 warnings' /run/check
        """)
        self.assertIn("--- /etc/network/interfaces.d/pve-rdma\n", out)
        self.assertIn("644\n\niface eth0 inet manual\n\trdma-metric 5\n\trdma-route 198.51.100.0/24 via", out)

    def test_stanzas_are_made_renamed_and_removed(self):
        self.run_inside("""
            edit --create manual; [ $status = 4 ]
            "$PROGRAM" config edit --iface vmbr0 --create static --with address=192.0.2.9/24 bridge-ports=eth0,eth1
            grep -q 'bridge-ports eth0,eth1' /etc/network/interfaces
            "$PROGRAM" config edit --iface vmbr0 --rename vmbr7; grep -q 'auto vmbr7' /etc/network/interfaces
            "$PROGRAM" config edit --iface vmbr7 --remove; cmp <(printf '%s' "$FILE") /etc/network/interfaces
            edit --set mtu=9000 --remove; [ $status = 2 ]; grep -q 'one edit at a time' /run/out
        """)

    def test_an_error_that_an_edit_would_bring_in_is_refused(self):
        self.run_inside("""
            edit --set address=192.0.2.5; [ $status = 2 ]; grep -q 'without a prefix' /run/out
            cmp <(printf '%s' "$FILE") /etc/network/interfaces
            edit --set address=192.0.2.5 --force; [ $status = 0 ]
        """)

    def test_ifquery_of_ifupdown2_is_asked_before_the_file_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = ifupdown2.unpack(os.environ.get("IFUPDOWN2_TREE", f"{folder}/ifupdown2"))
            if tree is None:
                self.skipTest("the package ifupdown2 cannot be downloaded")
            # Its programs look at the name that they are called by, and the package's links lead to a folder.
            wrapper = Path(folder) / "usr/sbin/ifquery"
            wrapper.parent.mkdir(parents=True)
            wrapper.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '/usr/share/ifupdown2')\n"
                               "sys.argv[0] = '/usr/sbin/ifquery'\nopen('/run/asked', 'a').write('asked\\n')\n"
                               "exec(compile(open('/usr/share/ifupdown2/__main__.py').read(), sys.argv[0], 'exec'))\n",
                               encoding="utf-8")
            wrapper.chmod(0o755)
            self.run_inside(f"""
                mount -t overlay overlay -o lowerdir={folder}/usr:{tree.parents[1]}:/usr /usr
                cp -r {tree.parents[2]}/etc/network/ifupdown2 /etc/network/
                mount -t tmpfs none /var/lib; mkdir -p /var/lib/ifupdown2 /run/network
                edit --set mtu=9000; [ $status = 0 ]; grep -q asked /run/asked; ! grep -q warning /run/out
                grep -q 'mtu 9000' /etc/network/interfaces
                rm /run/asked; edit --set "ib-mode=connected"; [ $status = 0 ]; grep -q asked /run/asked
            """)


if __name__ == "__main__":
    unittest.main()
