"""Bundles that people could hand to `pve-rdma ofed check`: whole ones in each form, and hostile ones, which are refused
with the place named. PVE_RDMA_BUILD: the folder of the build."""
import gzip
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import bundles

REPO = Path(__file__).resolve().parents[2]
READER = Path(os.environ.get("PVE_RDMA_BUILD", REPO / "build/dev")) / "bin/pve-rdma-ofed-reader"


class Bundles(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pve-rdma-bundle-")))

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def ask(self, *paths, files=False):
        question = {"bundles": [str(path) for path in paths], "files": files}
        ran = subprocess.run([READER], input=json.dumps(question), capture_output=True, text=True, timeout=120,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def read(self, path, **options):
        answer = self.ask(path, **options)
        self.assertIsNone(answer.get("failure"), answer.get("failure"))
        return answer["bundles"][0]

    def refused(self, path, place, why, **options):
        before = sorted(self.folder.rglob("*"))
        failure = self.ask(path, **options).get("failure")
        self.assertIsNotNone(failure, "it was read")
        self.assertIn(place, failure["subject"])
        self.assertIn(why, failure["message"])
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was written")

    def unpacked(self, members):
        for name, content in members:
            self.file(f"unpacked/{name}", content)
        return self.folder / "unpacked" / members[0][0].split("/")[0]


class Whole(Bundles):
    def check(self, bundle, kind):
        self.assertEqual((bundle["kind"], bundle["release"], bundle["distro"], bundle["machine"]),
                         (kind, "24.10-2.1.8.0", "debian12.5", "x86_64"))
        self.assertEqual({package["name"]: package["version"] for package in bundle["packages"]},
                         {name: entry["version"] for name, entry in bundles.PACKAGES.items()})
        by_name = {package["name"]: package for package in bundle["packages"]}
        self.assertEqual(by_name["mlnx-ofed-kernel-dkms"]["dkms"][0]["modules"], list(bundles.CORE))
        self.assertEqual(by_name["mlnx-nvme-dkms"]["dkms"][0]["modules"], ["nvme_core", "nvme", "nvme_rdma"])
        self.assertTrue(by_name["mlnx-nvme-dkms"]["dkms"][0]["autoinstall"])
        self.assertEqual(bundle["installer"]["names"], ["libibverbs", "librdmacm", "ibverbs-providers", "rdma-core"])

    def test_a_tgz(self):
        self.check(self.read(self.file("bundle.tgz", bundles.tar(bundles.members()))), "tar")

    def test_an_unpacked_folder(self):
        self.check(self.read(self.unpacked(bundles.members())), "folder")

    def iso(self, name):
        path = self.folder / name
        words = ["xorriso", "-as", "mkisofs", "-quiet", "-R", "-J", "-no-pad", "-o", path]
        subprocess.run([*words, self.unpacked(bundles.members())], check=True, capture_output=True)
        return path

    def test_an_iso(self):
        self.check(self.read(self.iso("bundle.iso")), "iso")

    def test_an_iso_that_is_cut_off(self):
        octets = self.iso("whole.iso").read_bytes()
        self.refused(self.file("cut.iso", octets[:-8192]), "cut.iso", "cut off")

    def test_single_packages(self):
        path = self.file("libibverbs1.deb", bundles.deb("libibverbs1", "2410mlnx54", files=[("./usr/lib/x", "x")]))
        bundle = self.read(path, files=True)
        self.assertEqual((bundle["kind"], bundle["packages"][0]["files"]), ("deb", ["/usr/lib/x"]))

    def test_a_repository_by_its_index(self):
        self.file("repository/Packages", "Package: doca-ofed\nVersion: 2.9.1\nArchitecture: amd64\n"
                                         "Filename: ./doca-ofed.deb\n\nPackage: dkms\nVersion: 3.0\n")
        bundle = self.read(self.folder / "repository")
        self.assertEqual(bundle["kind"], "index")
        self.assertEqual([package["name"] for package in bundle["packages"]], ["doca-ofed", "dkms"])


class Hostile(Bundles):
    def tgz(self, members):
        return self.file("bundle.tgz", bundles.tar(members))

    def with_deb(self, octets):
        return self.tgz([*bundles.members(packages={}), ("X/DEBS/evil.deb", octets)])

    def test_paths_that_lead_out(self):
        for name, why in (("../../etc/cron.d/x", "leads out"), ("X/../../x", "leads out"), ("/etc/x", "absolute")):
            with self.subTest(name):
                self.refused(self.tgz([*bundles.members(), (name, "x")]), name, why)

    def test_paths_that_lead_out_inside_a_package(self):
        for name, why in (("../x", "leads out"), ("/etc/x", "absolute"), ("a/" * 70 + "x", "too deep")):
            with self.subTest(name):
                self.refused(self.with_deb(bundles.deb("mlnx-x-dkms", files=[(name, "x")])), "X/DEBS/evil.deb", why)

    def test_what_is_no_archive(self):
        for name, content, why in (("empty.tgz", b"", "empty"), ("empty.deb", b"", "empty"),
                                   ("text.tgz", b"#!/bin/sh\nrm -rf /\n" * 100, ""), ("text.deb", b"x" * 4096, ""),
                                   ("zeros.tgz", bytes(8192), ""), ("elf.iso", b"\x7fELF" + bytes(9000), "")):
            with self.subTest(name):
                self.refused(self.file(name, content), name, why)

    def test_a_package_that_is_none(self):
        for octets in (b"x" * 4096, b"!<arch>\n", bundles.ar([("debian-binary", b"2.0\n")]),
                       bundles.ar([("control.tar.gz", b"x")]),
                       bundles.ar([("debian-binary", b"2.0\n"), ("control.tar.gz", b"no tar")])):
            with self.subTest(octets[:40]):
                self.refused(self.with_deb(octets), "X/DEBS/evil.deb", "")

    def test_bundles_cut_off_at_any_place(self):
        whole = bundles.tar(bundles.members())
        for part in range(1, 20):
            with self.subTest(part):
                self.refused(self.file("cut.tgz", whole[:len(whole) * part // 20]), "cut.tgz", "")

    def test_control_files_that_break_their_form(self):
        for control, why in (("no field\n", "neither a field"), (" x\n", "continuation"), ("", ""),
                             ("Package: x\0y\n", "NUL"), ("Version: 1\n", "names no package"),
                             ("".join(f"F{i}: x\n" for i in range(600)), "more than"),
                             ("Package: x\nVersion: 1\nDescription: " + "x" * (5 << 20) + "\n", "limit")):
            with self.subTest(control[:20]):
                self.refused(self.with_deb(bundles.deb("x", control=control)), "X/DEBS/evil.deb", why)

    def test_bombs(self):
        # Zeros that pack into almost nothing, where a small text is looked for.
        zeros = bytes(64 << 20)
        path = self.tgz([("X/distro", zeros), *bundles.members()])
        self.refused(path, "X/distro", "limit")
        conf = ("usr/src/x-1/dkms.conf", bytes(8 << 20))
        self.refused(self.with_deb(bundles.deb("x-dkms", files=[conf])), "X/DEBS/evil.deb", "limit")

    def test_a_bomb_in_a_bomb_costs_no_memory(self):
        inner = bundles.bomb(1 << 30)
        path = self.with_deb(bundles.ar([("debian-binary", b"2.0\n"), ("control.tar.gz", inner)]))
        answer = self.ask(path)
        self.assertIsNotNone(answer.get("failure"))
        self.assertLess(answer["peak_memory_kib"], 100 << 10)

    def test_links_out_of_a_folder_and_in_circles(self):
        top = self.unpacked(bundles.members())
        (top / "DEBS/loop").symlink_to(top)
        (top / "a").symlink_to("b")
        (top / "b").symlink_to("a")
        self.assertEqual(len(self.read(top)["packages"]), len(bundles.PACKAGES))
        (top / "DEBS/c.deb").symlink_to("c.deb")
        self.assertIn("DEBS/c.deb", self.read(top)["skipped"][0])
        outside = self.file("outside.deb", bundles.deb("outside"))
        (top / "DEBS/outside.deb").symlink_to(outside)
        self.refused(top, "DEBS/outside.deb", "out of the folder")

    def test_links_of_an_archive_are_not_followed(self):
        path = self.tgz([*bundles.members(), ("X/distro", ("->", "/etc/passwd")), ("X/mlnx", ("=", "/etc/shadow")),
                         ("X/loop", ("->", "loop"))])
        self.assertEqual(self.read(path)["distro"], "debian12.5")

    def test_nothing_of_a_bundle_is_executed(self):
        evil = f"#!/bin/sh\ntouch {self.folder}/ran\n"
        conf = f"PACKAGE_NAME=x\nBUILT_MODULE_NAME[0]=$(touch {self.folder}/ran)\nMAKE=`touch {self.folder}/ran`\n"
        member = ("./usr/src/x-1/dkms.conf", conf)
        self.read(self.tgz([*bundles.members(installer=evil), ("X/x.deb", bundles.deb("x-dkms", files=[member]))]))
        self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    unittest.main()
