"""The guard on throw-away nodes. GUARD_TARBALL: a bare Debian root with apt, as tests/suites/guard makes it."""
import json
import os
import signal
import subprocess
import time
import unittest

from node import ANSIBLE, GUARD, Base, Node, Scratch

BASE = None
FORCED = ("dpkg", "--purge", "--force-depends")


def setUpModule():
    global BASE
    scratch = Scratch()
    unittest.addModuleCleanup(scratch.close)
    BASE = Base(os.environ["GUARD_TARBALL"], scratch.path)


class Guarded(unittest.TestCase):
    def node(self, **options):
        return self.enterContext(Node(BASE, **options))

    def refused(self, node, *words, names=(), **options):
        """Not carried out, and the status file is what it was, octet for octet."""
        before = node.status()
        ran = node.run(*words, **options)
        said = ran.stdout + ran.stderr
        self.assertNotEqual(ran.returncode, 0, said)
        self.assertIn("pve-rdma guard: refused", said)
        for name in names:
            self.assertIn(f"  {name}: ", said)
        self.assertEqual(node.status(), before)
        return said

    def passes(self, node, *words, **options):
        ran = node.run(*words, **options)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertNotIn("refused", ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr


class Removal(Guarded):
    def test_without_the_guard_it_would_happen(self):
        node = self.node(guard=False)
        node.must("apt-get", "remove", "-y", "libibverbs1")
        self.assertNotEqual(node.installed("proxmox-ve"), "installed")
        node = self.node(guard=False)
        node.must(*FORCED, "pve-manager")
        self.assertNotEqual(node.installed("pve-manager"), "installed")

    def test_apt_is_refused_before_anything(self):
        node = self.node()
        for words in (("apt-get", "remove", "-y", "libibverbs1"), ("apt-get", "purge", "-y", "pve-manager"),
                      ("apt-get", "autoremove", "-y", "--purge", "librdmacm1"),
                      ("apt-get", "remove", "-y", "--allow-remove-essential", "-o", "Dpkg::Options::=--force-all",
                       "pve-qemu-kvm")):
            said = self.refused(node, *words, names=["proxmox-ve"])
            self.assertNotIn("Removing", said)
        self.assertIn("refused: apt-get remove -y libibverbs1", node.journal())

    def test_dpkg_is_refused_with_whatever_force(self):
        node = self.node()
        for words in ((*FORCED, "pve-manager"), ("dpkg", "-r", "--force-all", "proxmox-ve"),
                      ("dpkg", "-P", "proxmox-ve"), ("dpkg", "--force", "depends", "-r", "lxcfs", "harmless"),
                      ("sh", "-c", "dpkg -D1 --status-fd 9 --no-triggers --force-depends --abort-after=1 --remove"
                                   " proxmox-ve:all 9>/dev/null"),
                      ("dpkg", "--log", "/dev/null", "-r", "--", "proxmox-ve")):
            self.refused(node, *words)

    def test_nobody_need_listen(self):
        """dpkg closes the descriptor of --status-fd to its hooks, here standard error."""
        node = self.node()
        before = node.status()
        self.assertNotEqual(node.run("dpkg", "--status-fd", "2", "-P", "proxmox-ve").returncode, 0)
        self.assertEqual(node.status(), before)
        self.assertIn("refused: dpkg --status-fd 2 -P proxmox-ve", node.journal())

    def test_a_library_is_judged_by_its_dependents(self):
        node = self.node()
        said = self.refused(node, *FORCED, "libnl-test", names=["libibverbs1", "proxmox-ve", "pve-qemu-kvm"])
        self.assertIn("needs libnl-test, which would be removed", said)
        self.refused(node, *FORCED, "librados2", names=["ceph-common"])
        self.refused(node, *FORCED, "libpve-storage-perl", names=["qemu-server"])
        self.passes(node, "dpkg", "-P", "infiniband-diags")
        self.passes(node, *FORCED, "libibumad3")  # libibmad5 falls, and nobody protected with it

    def test_what_nobody_needs_goes(self):
        node = self.node()
        self.passes(node, "apt-get", "remove", "-y", "harmless")
        self.assertNotEqual(node.installed("harmless"), "installed")
        self.passes(node, "dpkg", "-P", "ibverbs-providers")
        self.passes(node, "dpkg", "-P", "harmless")  # its leftovers, if any

    def test_the_last_boot_loader_stays_and_one_of_two_goes(self):
        node = self.node()
        self.refused(node, "dpkg", "-P", "grub-pc", names=["grub-pc"])
        node.must("dpkg", "-i", node.package("systemd-boot"))
        self.passes(node, "apt-get", "remove", "-y", "systemd-boot")
        node.must("dpkg", "-i", node.package("systemd-boot"))
        self.passes(node, "dpkg", "-P", "grub-pc")

    def test_the_running_kernel_stays_and_others_go(self):
        node = self.node()
        running = f"proxmox-kernel-{os.uname().release}"
        node.must("dpkg", "-i", node.package(running), node.package("proxmox-kernel-5.15.1-1-pve"))
        self.refused(node, "apt-get", "remove", "-y", running, names=[running])
        self.passes(node, "apt-get", "purge", "-y", "proxmox-kernel-5.15.1-1-pve")

    def test_the_real_ifupdown_is_not_let_in(self):
        node = self.node()
        ifupdown = node.package("ifupdown")
        self.refused(node, "dpkg", "-i", "--force-all", ifupdown, names=["ifupdown2"])
        node.offer()
        self.refused(node, "apt-get", "install", "-y", "ifupdown", names=["ifupdown2"])

    def test_pending_removals_carry_no_names(self):
        node = self.node()
        node.must("sh", "-c", "echo pve-manager deinstall | dpkg --set-selections")
        self.refused(node, "dpkg", "-r", "--pending", "--force-depends", names=["pve-manager"])
        self.refused(node, "dpkg", "-Pa", "--force-depends", names=["pve-manager"])
        self.assertEqual(node.run("pve-rdma", "ofed", "guard", "status").returncode, 1)

    def test_the_nodes_own_list_counts(self):
        node = self.node()
        folder = node.root / "etc/pve-rdma/guard.d"
        folder.mkdir(parents=True)
        (folder / "mine").write_text("# ours\nharm*  # this\n")
        self.refused(node, "dpkg", "-P", "harmless", names=["harmless"])
        self.refused(node, "apt-get", "remove", "-y", "harmless", names=["harmless"])


class Callers(Guarded):
    def test_dpkg_under_other_names(self):
        node = self.node()
        node.must("ln", "-s", "/usr/bin/dpkg", "/root/tool")
        node.must("cp", "/usr/bin/dpkg", "/root/copy")
        self.refused(node, "/root/tool", "-P", "--force-depends", "pve-manager", names=["pve-manager"])
        self.refused(node, "/root/copy", "-P", "--force-depends", "pve-manager", names=["pve-manager"])
        self.refused(node, "bash", "-c", "exec -a apt-cache dpkg -P --force-depends pve-manager", names=["pve-manager"])
        self.passes(node, "/root/copy", "-P", "harmless")

    def test_apt_with_its_hooks_taken_away(self):
        node = self.node()
        for words, environment in ((("-o", "Dir::Etc::parts=/nowhere"), {}), ((), {"APT_CONFIG": "/dev/null"}),
                                   (("-o", "DPkg::Pre-Install-Pkgs::=", "-o", "Dpkg::Options::=--force-all"), {})):
            self.refused(node, "apt-get", "remove", "-y", *words, "libibverbs1", environment=environment)

    def test_dry_runs_pass(self):
        node = self.node()
        before = node.status()
        for flag in ("--dry-run", "--no-act", "--simulate"):
            ran = node.run("dpkg", "--purge", flag, "--force-depends", "libibverbs1")
            self.assertNotIn("refused", ran.stdout + ran.stderr)
            self.assertIn("Would remove", ran.stdout + ran.stderr)
        ran = node.must("apt-get", "-s", "remove", "libibverbs1")
        self.assertIn("Remv proxmox-ve", ran.stdout)
        self.assertEqual(node.status(), before)

    def test_another_root_is_none_of_its_business(self):
        node = self.node()
        other = node.root / "srv/other"
        (other / "var/lib").mkdir(parents=True)
        node.must("cp", "-a", "/var/lib/dpkg", "/srv/other/var/lib/")
        (other / "usr/share/pve-manager").mkdir(parents=True)
        for path in ("bin", "usr/bin", "usr/sbin", "etc"):
            (other / path).mkdir(parents=True, exist_ok=True)
        ran = node.run("dpkg", "--root=/srv/other", "--force-all", "-P", "pve-manager")
        self.assertNotIn("refused", ran.stdout + ran.stderr)
        # The same packages by another way are the node's.
        self.refused(node, "dpkg", "--root=/", "--force-depends", "-P", "pve-manager")
        self.refused(node, "dpkg", "--admindir=/var/lib/../lib/dpkg", "--force-depends", "-P", "pve-manager")
        node.must("cp", "-a", "/var/lib/dpkg", "/srv/other/var/lib/")
        self.refused(node, "dpkg", "--admindir=/srv/other/var/lib/dpkg", "--force-depends", "-P", "pve-manager")

    def test_without_proc_what_could_harm_is_refused(self):
        node = self.node(guard=False)
        node.must("pve-rdma", "ofed", "guard", "on")
        subprocess.run(["umount", "-l", node.root / "proc"], check=True)
        self.refused(node, *FORCED, "pve-manager", names=["not known"])
        self.refused(node, "dpkg", "-i", node.package("new"), names=["not known"])
        self.passes(node, "dpkg", "--configure", "-a")
        self.passes(node, "dpkg", "--triggers-only", "-a")
        node.must("pve-rdma", "ofed", "guard", "off", "--once")
        self.assertIn("allowed once", node.must("dpkg", "-P", "harmless").stderr)

    def test_questions_are_not_hindered(self):
        node = self.node()
        for words in (("dpkg", "-l"), ("dpkg", "--print-architecture"), ("dpkg", "--configure", "-a"),
                      ("dpkg", "--configure", "-a", "--force-all"), ("dpkg", "-s", "pve-manager"),
                      ("dpkg", "--compare-versions", "1", "lt", "2"), ("apt-get", "check"),
                      ("apt-get", "install", "-f", "-y")):
            self.passes(node, *words)


class Installation(Guarded):
    def test_a_conflicting_package_is_refused(self):
        node = self.node()
        conflicting = node.package("vendor-rdma", fields="Conflicts: librados2\nReplaces: librados2\n")
        for words in (("--auto-deconfigure", "--force-all"), (), ("--force-conflicts",)):
            self.refused(node, "dpkg", "-i", *words, conflicting, names=["ceph-common"])
            self.refused(node, "dpkg", "--unpack", *words, conflicting, names=["ceph-common"])
        node.must("mkdir", "/srv/folder")
        node.must("mv", conflicting, "/srv/folder/")
        self.refused(node, "dpkg", "-iR", "/srv/folder", names=["ceph-common"])

    def test_a_breaking_package_is_refused(self):
        node = self.node()
        self.refused(node, "dpkg", "-iB", node.package("breaker", fields="Breaks: qemu-server (<< 2)\n"),
                     names=["qemu-server"])
        self.passes(node, "dpkg", "-iB", node.package("polite", fields="Breaks: qemu-server (<< 1)\n"))

    def test_an_overwriting_package_is_refused(self):
        node = self.node()
        for number, path in enumerate(("usr/share/pve-manager/index", "usr/lib/libibverbs.so.1.0", "lib/librados.so.2",
                                       "usr/lib/libnl-test.so")):
            if path.startswith("lib/"):
                path = "usr/" + path
            one = node.package(f"over{number}", files={path: "other", "usr/share/other": "x"})
            self.refused(node, "dpkg", "-i", one)
            said = self.refused(node, "dpkg", "-i", "--force-overwrite", one)
            self.assertIn("would overwrite its /" + path, said)
        replacing = node.package("replacer", fields="Replaces: pve-manager\n",
                                 files={"usr/share/pve-manager/index": "other"})
        self.refused(node, "dpkg", "-i", replacing, names=["pve-manager"])
        self.passes(node, "dpkg", "-i", node.package("beside", files={"usr/share/pve-manager/beside": "x"}))

    def test_apt_with_force_overwrite_is_refused(self):
        node = self.node()
        node.package("over", files={"usr/share/pve-manager/index": "other"})
        node.offer()
        ran = node.run("apt-get", "install", "-y", "-o", "Dpkg::Options::=--force-overwrite", "over")
        self.assertIn("would overwrite its /usr/share/pve-manager/index", ran.stdout + ran.stderr)
        self.assertNotEqual(ran.returncode, 0)
        self.assertEqual((node.root / "usr/share/pve-manager/index").read_text(), "page")

    def test_an_older_build_is_refused_and_a_newer_one_passes(self):
        node = self.node()
        older = node.package("libibverbs1", version="0.9-41mlnx1", depends="libnl-test")
        self.refused(node, "dpkg", "-i", older, names=["libibverbs1"])
        self.refused(node, "dpkg", "-i", node.package("librados2", version="0.8-1"), names=["ceph-common"])
        self.passes(node, "dpkg", "-i", node.package("libibverbs1", version="2.0-1", depends="libnl-test"))
        self.passes(node, "dpkg", "-i", node.package("libibverbs1", version="2.0-1", depends="libnl-test"))
        self.passes(node, "dpkg", "-iGE", "/srv/libibverbs1_0.9-41mlnx1_all.deb")  # -G: dpkg leaves it out

    def test_a_package_that_cannot_be_read_is_refused(self):
        node = self.node()
        (node.root / "srv/broken.deb").write_bytes(b"!<arch>\ndebian-binary   1410122664  0     0     100644  4 ")
        self.refused(node, "dpkg", "-i", "/srv/broken.deb", names=["not known"])

    def test_a_deconfigured_node_is_repaired(self):
        """What is broken already does not count against a repair."""
        node = self.node(guard=False)
        node.must(*FORCED, "libibverbs1")
        node.must("pve-rdma", "ofed", "guard", "on")
        self.passes(node, "dpkg", "-P", "harmless")
        self.passes(node, "dpkg", "-i", node.package("libibverbs1", version="1.0-1", depends="libnl-test"))
        self.passes(node, "dpkg", "--configure", "-a")


class Upgrades(Guarded):
    def test_a_release_upgrade_passes(self):
        """All versions new, a library renamed, files moved from one package to another, a conflict on the way that
        makes apt remove a package for a moment."""
        node = self.node()
        from packages import NODE
        for name, depends in NODE.items():
            if name in ("libknet1", "openssh-server"):
                continue
            fields = ""
            files = {f"usr/share/{name}-new": "x"}
            if name == "qemu-server":
                fields = "Breaks: pve-manager (<< 2)\nReplaces: pve-manager (<< 2)\n"
                files["usr/share/pve-manager/index"] = "moved"
            if name == "pve-firewall":
                fields = "Conflicts: pve-cluster (<< 2)\n"
            if name == "ifupdown2":
                fields = "Provides: ifupdown\nConflicts: ifupdown\nReplaces: ifupdown\n"
            node.package(name, version="2.0-1", fields=fields, files=files,
                         depends=depends.replace("1.0-1", "2.0-1").replace("libknet1", "libknet2"))
        node.package("libknet2", version="2.0-1", fields="Conflicts: libknet1\n")
        node.offer()
        said = self.passes(node, "apt-get", "dist-upgrade", "-y")
        self.assertIn("Removing libknet1", said)
        self.assertEqual(node.must("dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", "proxmox-ve").stdout,
                         "2.0-1 installed")
        self.assertEqual((node.root / "usr/share/pve-manager/index").read_text(), "moved")

    def test_a_cut_off_installation_is_configured(self):
        node = self.node()
        deb = node.package("pve-manager", version="2.0-1", depends="pve-cluster",
                           scripts={"postinst": "#!/bin/sh\ntest -e /srv/repaired\n"})
        self.assertNotEqual(node.run("dpkg", "-i", deb).returncode, 0)
        self.assertEqual(node.installed("pve-manager"), "half-configured")
        node.must("touch", "/srv/repaired")
        self.passes(node, "dpkg", "--configure", "-a")
        self.assertEqual(node.installed("pve-manager"), "installed")

    def test_a_plan_of_apt_covers_that_apt_alone(self):
        node = self.node()
        note = node.root / "run/pve-rdma/guard-plan"
        self.passes(node, "apt-get", "remove", "-y", "harmless")
        self.assertTrue(note.exists())
        self.refused(node, *FORCED, "pve-manager")
        note.write_text("1 1\n")
        self.refused(node, *FORCED, "pve-manager")


class Switch(Guarded):
    def guard(self, node, *words, code=0, **options):
        ran = node.run("pve-rdma", "--json", "ofed", "guard", *words, **options)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return json.loads(ran.stdout)

    def test_twice_is_once(self):
        node = self.node(guard=False)
        self.assertEqual(self.guard(node, "status")["guard"]["state"], "off")
        for action, state in (("on", "on"), ("off", "off"), ("on", "on")):
            would = self.guard(node, action, "--dry-run")
            self.assertTrue(would["changed"])
            self.assertNotEqual(would["guard"]["state"], state)
            self.assertTrue(self.guard(node, action)["changed"])
            again = self.guard(node, action)
            self.assertFalse(again["changed"])
            self.assertEqual(again["guard"]["state"], state)
            self.assertEqual(again["guard"]["effective"], state == "on")
            self.assertTrue(again["ok"])
        status = self.guard(node, "status")["guard"]
        self.assertIn("proxmox-ve", [name for kept in status["guarded"] for name in kept["installed"]])
        self.assertIn("guard: on", node.must("pve-rdma", "ofed", "guard", "status").stdout)

    def test_ansible_says_in_check_mode_what_it_would_do(self):
        node = self.node(guard=False)
        for check, changed, state in ((True, True, "off"), (False, True, "on"), (False, False, "on"), (True, False, "on")):
            given = json.dumps({"_pve_rdma_module": "ofed_guard", "_ansible_check_mode": check, "action": "on"})
            reply = json.loads(node.must(f"/{ANSIBLE}", "-", given=given).stdout)
            self.assertEqual((reply["changed"], reply["guard"]["state"]), (changed, state))

    def test_an_ordinary_user_may_look(self):
        node = self.node()
        status = self.guard(node, "status", user="nobody")
        self.assertEqual((status["guard"]["state"], status["guard"]["effective"]), ("on", True))
        for action in (("on",), ("off",), ("off", "--once")):
            reply = self.guard(node, *action, user="nobody", code=3)
            self.assertEqual(reply["error"]["code"], "permission")
        self.guard(node, "on", "--once", code=2)

    def test_a_narrow_umask_does_not_hide_the_hooks(self):
        node = self.node(guard=False)
        node.must("sh", "-c", "umask 077; pve-rdma ofed guard on")
        self.assertEqual(node.must("dpkg", "-l", user="nobody", environment={"HOME": "/"}).stderr, "")
        self.passes(node, "dpkg", "--configure", "-a")

    def test_changed_hooks_are_seen_and_mended(self):
        node = self.node()
        hook = node.root / "etc/apt/apt.conf.d/50pve-rdma-guard"
        whole = hook.read_text()
        hook.write_text("// nothing\n")
        status = self.guard(node, "status", code=1)["guard"]
        self.assertEqual([hook["state"] for hook in status["hooks"]], ["intact", "changed"])
        self.assertEqual((status["state"], status["effective"]), ("partly", False))
        self.assertTrue(self.guard(node, "on")["changed"])
        self.assertEqual(hook.read_text(), whole)
        (node.root / "etc/apt/apt.conf.d/99clear").write_text("#clear DPkg::Pre-Install-Pkgs;\n")
        status = self.guard(node, "status", code=1)["guard"]
        self.assertEqual([hook["heeded"] for hook in status["hooks"]], [True, False])

    def test_a_program_that_does_not_run_hinders_nothing(self):
        node = self.node()
        program = node.root / GUARD[1:]
        program.chmod(0o644)
        self.assertFalse(self.guard(node, "status", code=1)["guard"]["effective"])
        self.passes(node, "dpkg", "-P", "harmless")
        self.passes(node, "apt-get", "remove", "-y", "ibverbs-providers")
        program.unlink()
        self.passes(node, "dpkg", "-P", "infiniband-diags")
        self.passes(node, "apt-get", "remove", "-y", "libibmad5")
        self.assertEqual(self.guard(node, "on", code=1)["guard"]["state"], "on")
        self.guard(node, "off")
        self.assertEqual(self.guard(node, "on", code=3)["error"]["code"], "unavailable")

    def test_a_broken_libstdcxx_does_not_stop_it(self):
        node = self.node()
        for path in node.root.glob("usr/lib/*/libstdc++.so.6*"):
            path.unlink()
        self.refused(node, *FORCED, "pve-manager", names=["pve-manager"])

    def test_killed_at_any_moment(self):
        """Each hook is whole or absent, dpkg works, and asking again completes the work."""
        node = self.node(guard=False)
        for step in range(24):
            action = "on" if step % 2 == 0 else "off"
            process = subprocess.Popen(node.words("pve-rdma", "ofed", "guard", action), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(0.002 * step)
            process.send_signal(signal.SIGKILL)
            process.wait()
            states = [hook["state"] for hook in
                      json.loads(node.run("pve-rdma", "--json", "ofed", "guard", "status").stdout)["guard"]["hooks"]]
            self.assertNotIn("changed", states)
            self.passes(node, "dpkg", "--configure", "-a")
            self.assertEqual(self.guard(node, action)["guard"]["state"], action)

    def test_one_refusal_is_waived_and_logged(self):
        node = self.node()
        reply = self.guard(node, "off", "--once")
        self.assertTrue(reply["guard"]["waiver"])
        self.assertEqual(reply["guard"]["state"], "on")
        self.assertFalse(self.guard(node, "off", "--once")["changed"])
        self.passes(node, "dpkg", "-P", "harmless")  # needs no waiver
        ran = node.must("dpkg", "-r", "--force-depends", "pve-firewall")
        self.assertIn("allowed once", ran.stderr)
        self.refused(node, "dpkg", "-r", "--force-depends", "lxcfs")
        self.assertIn("allowed once: dpkg -r --force-depends pve-firewall (proxmox-ve, ", node.journal())
        self.assertEqual(len(self.guard(node, "status")["guard"]["journal"]), 2)

    def test_a_waiver_covers_all_of_an_apt_run(self):
        node = self.node()
        self.guard(node, "off", "--once")
        node.must("apt-get", "remove", "-y", "libibverbs1")
        self.assertNotEqual(node.installed("proxmox-ve"), "installed")

    def test_a_waiver_ages(self):
        node = self.node()
        self.guard(node, "off", "--once")
        old = time.time() - 3600
        os.utime(node.root / "run/pve-rdma/guard-once", (old, old))
        self.refused(node, *FORCED, "pve-manager")
        self.guard(node, "off", "--once")
        self.guard(node, "on")
        self.refused(node, *FORCED, "pve-manager")

    def test_marks_of_a_killed_apt_are_taken_away(self):
        node = self.node()
        before = node.status()
        # What apt does before it calls dpkg; then it is killed.
        node.must("sh", "-c", "printf 'pve-manager deinstall\\nproxmox-ve purge\\n' | dpkg --set-selections")
        self.assertNotEqual(node.status(), before)
        status = self.guard(node, "status", code=1)["guard"]
        self.assertEqual(sorted(status["marked"]), ["proxmox-ve", "pve-manager"])
        reply = self.guard(node, "on")
        self.assertTrue(reply["changed"])
        self.assertEqual(reply["guard"]["marked"], [])
        self.assertEqual(node.status(), before)
        self.assertFalse(self.guard(node, "on")["changed"])


class OwnPackage(Guarded):
    HOOKS = ("etc/dpkg/dpkg.cfg.d/pve-rdma-guard", "etc/apt/apt.conf.d/50pve-rdma-guard")

    def test_it_is_off_when_installed_and_stays_on_through_an_upgrade(self):
        node = self.node(guard=False)
        self.assertFalse(any((node.root / path).exists() for path in self.HOOKS))
        node.must("pve-rdma", "ofed", "guard", "on")
        before = node.status()
        node.must("dpkg", "-i", self.own(node))
        self.assertEqual(len(node.status()), len(before))
        self.assertTrue(all((node.root / path).exists() for path in self.HOOKS))
        self.refused(node, *FORCED, "pve-manager")

    def own(self, node):
        name = "pve-rdma_1.0-1_all.deb"
        (node.root / "srv" / name).write_bytes((BASE.repository / name).read_bytes())
        return f"/srv/{name}"

    def test_it_can_be_removed_and_purged_while_on(self):
        for words in (("dpkg", "-P"), ("apt-get", "purge", "-y"), ("dpkg", "-r"), ("apt-get", "remove", "-y")):
            node = self.node()
            self.refused(node, *FORCED, "pve-manager")
            self.passes(node, *words, "pve-rdma")
            self.assertFalse(any((node.root / path).exists() for path in self.HOOKS), words)
            node.must("dpkg", "-P", "harmless")
            node.must("dpkg", "-P", "pve-rdma")
            for folder, pattern in (("etc", "**/*pve-rdma*"), ("var/log", "*pve-rdma*"), ("run", "pve-rdma"),
                                    ("usr", "**/*pve-rdma*")):
                self.assertEqual(list((node.root / folder).glob(pattern)), [])

    def test_files_that_outlive_the_program_hinder_nothing(self):
        node = self.node()
        hooks = [(path, (node.root / path).read_text()) for path in self.HOOKS]
        node.must("dpkg", "-P", "pve-rdma")
        for path, text in hooks:
            (node.root / path).write_text(text)
        self.passes(node, "dpkg", "-P", "harmless")
        self.passes(node, "apt-get", "remove", "-y", "ibverbs-providers")


if __name__ == "__main__":
    unittest.main(verbosity=2)
