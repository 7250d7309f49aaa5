"""Throw-away nodes: a bare Debian root with the packages of packages.py and the guard's package, under an overlay.

Root is needed. The tests take a mount namespace of their own. Nothing of this machine is mounted into a node, and
nothing is deleted file by file: all lies on a tmpfs that goes with its mount. Deleting a tree that has a mount in it
would delete what is mounted there.
"""
import ctypes
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import packages

REPO = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PVE_RDMA_BUILD", REPO / "build/dev"))
GUARD = "/usr/libexec/pve-rdma/pve-rdma-guard"
ANSIBLE = "usr/libexec/pve-rdma/pve-rdma-ansible"
LIBRARIES = "usr/lib/pve-rdma-test"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive"}


NEW_MOUNTS = 0x20000  # CLONE_NEWNS
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


class Scratch:
    """A tmpfs of one's own. Closing it takes the mount and the empty folder away; rmdir deletes no content."""

    def __init__(self):
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS) != 0:
            raise OSError(ctypes.get_errno(), "cannot get a mount namespace of one's own")
        mount("--make-rprivate", "/")
        self.path = Path(tempfile.mkdtemp(prefix="pve-rdma-guard-"))
        mount("-t", "tmpfs", "none", self.path)

    def close(self):
        subprocess.run(["umount", "--lazy", self.path], check=True)
        self.path.rmdir()


def make_devices(folder):
    for name, numbers in DEVICES.items():
        os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(*numbers))
        (folder / name).chmod(0o666)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        (folder / name).symlink_to(target)


def own_package(folder):
    """The package pve-rdma as far as the guard is concerned: the programs of this build with their libraries, since
    the root has none, and the maintainer scripts of debian/."""
    programs = [BUILD / "bin/pve-rdma", BUILD / "bin/pve-rdma-ansible"]
    listed = subprocess.run(["ldd", *programs], check=True, capture_output=True, text=True).stdout
    libraries = [word for line in listed.splitlines() for word in line.split()
                 if word.startswith("/") and not word.endswith(":")]
    loader = next(path for path in libraries if "/ld-linux" in path)
    files = {f"{LIBRARIES}/{Path(path).name}": Path(path) for path in libraries}
    files[GUARD[1:]] = BUILD / "bin/pve-rdma-guard"
    for program, path in zip(programs, ("usr/sbin/pve-rdma", ANSIBLE)):
        stripped = Path(folder) / program.name
        subprocess.run(["strip", "-o", stripped, program], check=True)
        files[f"{LIBRARIES}/{program.name}"] = stripped
        files[path] = (f"#!/bin/sh\nexec /{LIBRARIES}/{Path(loader).name} --library-path /{LIBRARIES}"
                       f" /{LIBRARIES}/{program.name} \"$@\"\n")
    scripts = {kind: (REPO / f"debian/pve-rdma.{kind}").read_text().replace("#DEBHELPER#", "")
               for kind in ("preinst", "postinst", "prerm", "postrm") if (REPO / f"debian/pve-rdma.{kind}").exists()}
    return packages.build(folder, "pve-rdma", files=files, scripts=scripts)


class Base:
    """The root that all nodes of a release stand on: unpacked, with packages, the guard installed and off."""

    def __init__(self, tarball, folder):
        self.folder = folder
        self.root, self.repository = folder / "base", folder / "repository"
        self.root.mkdir()
        self.repository.mkdir()
        subprocess.run(["tar", "-xf", tarball, "-C", self.root, "--exclude=./dev/*"], check=True)
        make_devices(self.root / "dev")
        debs = [*packages.build_node(self.repository), own_package(self.repository)]
        for deb in debs:
            shutil.copy(deb, self.root / "root")
        chroot = ["chroot", self.root, "env", "-i", *(f"{k}={v}" for k, v in ENVIRONMENT.items())]
        ran = subprocess.run([*chroot, "dpkg", "-i", *(f"/root/{deb.name}" for deb in debs)], check=False,
                             capture_output=True, text=True)
        if ran.returncode:
            raise AssertionError(ran.stdout + ran.stderr)
        for deb in debs:
            (self.root / "root" / deb.name).unlink()
        for path in (self.root / "etc/apt/sources.list.d").glob("*"):
            path.unlink()
        (self.root / "etc/apt/sources.list").write_text("")


class Node:
    """A fresh node. The guard is on unless told otherwise."""
    count = 0

    def __init__(self, base, guard=True, proc=True):
        Node.count += 1
        self.folder = base.folder / f"node{Node.count}"
        self.root = self.folder / "root"
        self.folder.mkdir()
        mount("-t", "tmpfs", "none", self.folder)
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir()
        mount("-t", "overlay", "none", "-o",
              f"lowerdir={base.root},upperdir={self.folder}/upper,workdir={self.folder}/work", self.root)
        mount("-t", "tmpfs", "none", self.root / "run")
        if proc:
            mount("-t", "proc", "proc", self.root / "proc")
        self.shelf = self.root / "srv"  # packages of the test
        if guard:
            self.must("pve-rdma", "ofed", "guard", "on")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", self.folder], check=True)  # and all that is mounted below it
        self.folder.rmdir()

    def words(self, *words, environment=None, user=None):
        chroot = ["chroot", *([f"--userspec={user}"] if user else []), self.root]
        return [*map(str, chroot), "env", "-i", *(f"{k}={v}" for k, v in (ENVIRONMENT | (environment or {})).items()),
                *map(str, words)]

    def run(self, *words, environment=None, user=None, given=""):
        return subprocess.run(self.words(*words, environment=environment, user=user), capture_output=True, text=True,
                              input=given, check=False, timeout=120)

    def must(self, *words, **options):
        ran = self.run(*words, **options)
        if ran.returncode:
            raise AssertionError(f"{words}: {ran.returncode}\n{ran.stdout}{ran.stderr}")
        return ran

    def package(self, name, **properties):
        """A package on the node's shelf; its path there."""
        return f"/srv/{packages.build(self.shelf, name, **properties).name}"

    def offer(self):
        """A repository of the packages on the shelf."""
        packages.index(self.shelf)
        (self.root / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/srv ./\n")
        self.must("apt-get", "update")

    def installed(self, name):
        return self.run("dpkg-query", "-W", "-f", "${db:Status-Status}", name).stdout

    def status(self):
        return (self.root / "var/lib/dpkg/status").read_bytes()

    def journal(self):
        path = self.root / "var/log/pve-rdma-guard.log"
        return path.read_text() if path.exists() else ""
