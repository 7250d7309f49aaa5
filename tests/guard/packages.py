"""Empty packages with the names and relations that count on a Proxmox VE node, and a local repository of them."""
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

# name: what it depends on. Relations as in the public control files of Proxmox VE 8 and of Debian 12's Ceph.
NODE = {
    "proxmox-ve": "pve-manager, qemu-server, pve-qemu-kvm",
    "pve-manager": "libpve-guest-common-perl (>= 1), libpve-storage-perl, librados2-perl, pve-container, pve-ha-manager,"
                   " qemu-server (>= 1), ifupdown2 | ifenslave, pve-cluster, pve-firewall",
    "pve-cluster": "corosync",
    "pve-firewall": "",
    "corosync": "libknet1",
    "libknet1": "",
    "qemu-server": "libpve-guest-common-perl, libpve-storage-perl, pve-ha-manager, pve-qemu-kvm (>= 1)",
    "pve-container": "libpve-guest-common-perl, libpve-storage-perl, pve-ha-manager, lxc-pve",
    "pve-ha-manager": "pve-container, qemu-server",
    "lxc-pve": "lxcfs",
    "lxcfs": "",
    "pve-qemu-kvm": "ceph-common (>= 0.48), libiscsi4 (>= 1) | libiscsi7, librbd1, librados2",
    "libpve-guest-common-perl": "libpve-storage-perl",
    "libpve-storage-perl": "ceph-common, ceph-fuse, librados2-perl, nfs-common, cifs-utils",
    "librados2-perl": "librados2",
    "ceph-common": "librbd1 (= 1.0-1), librados2 (>= 1)",
    "ceph-fuse": "librados2",
    "librbd1": "librados2 (= 1.0-1)",
    "librados2": "libibverbs1 (>= 0.9), librdmacm1 (>= 0.9)",
    "libiscsi7": "libibverbs1, librdmacm1",
    "librdmacm1": "libibverbs1 (>= 0.9)",
    "libibverbs1": "libnl-test",
    "libnl-test": "",
    "ibverbs-providers": "libibverbs1",
    "libibumad3": "",
    "libibmad5": "libibumad3",
    "infiniband-diags": "libibmad5, libibumad3",
    "ifupdown2": "",
    "nfs-common": "",
    "cifs-utils": "",
    "openssh-server": "",
    "grub-pc": "",
    "harmless": "",
}
VERSIONS = {"openssh-server": "1:9.9-1"}  # libc6 breaks older ones
FIELDS = {
    "ifupdown2": "Provides: ifupdown\nConflicts: ifupdown\nReplaces: ifupdown\n",
}
FILES = {
    "libibverbs1": {"usr/lib/libibverbs.so.1.0": "the library", "usr/share/doc/libibverbs1/a": "x"},
    "librados2": {"usr/lib/librados.so.2": "the library"},
    "libnl-test": {"usr/lib/libnl-test.so": "the library"},
    "pve-manager": {"usr/share/pve-manager/index": "page", "etc/pve-manager.conf": "x"},
    "harmless": {"usr/share/harmless": "x"},
}


def build(folder, name, version="1.0-1", depends="", fields="", files=None, scripts=None):
    """A package of that name; its path."""
    tree = Path(tempfile.mkdtemp(dir=folder))  # stays: it goes with the scratch folder
    tree.chmod(0o755)
    (tree / "DEBIAN").mkdir(parents=True)
    control = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\n"
    if depends:
        control += f"Depends: {depends}\n"
    (tree / "DEBIAN/control").write_text(f"{control}{fields}Description: a test\n")
    for path, content in (files or {}).items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            (tree / path).write_text(content)
        else:
            shutil.copy(content, tree / path)
        (tree / path).chmod(0o755 if "bin/" in path or "lib" in path else 0o644)
    for script, content in (scripts or {}).items():
        (tree / "DEBIAN" / script).write_text(content)
        (tree / "DEBIAN" / script).chmod(0o755)
    deb = Path(folder) / f"{name}_{version.replace(':', '%3a')}_all.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", tree, deb], check=True,
                   capture_output=True)
    return deb


def build_node(folder):
    return [build(folder, name, VERSIONS.get(name, "1.0-1"), depends=depends, fields=FIELDS.get(name, ""), files=FILES.get(name))
            for name, depends in NODE.items()]


def index(folder):
    """Packages, for a line `deb [trusted=yes] file:FOLDER ./`."""
    text = ""
    for deb in sorted(Path(folder).glob("*.deb")):
        control = subprocess.run(["dpkg-deb", "-f", deb], check=True, capture_output=True, text=True).stdout
        content = deb.read_bytes()
        text += (f"{control}Filename: ./{deb.name}\nSize: {len(content)}\n"
                 f"SHA256: {hashlib.sha256(content).hexdigest()}\n\n")
    (Path(folder) / "Packages").write_text(text)
