"""Vendor bundles in their real layout, built here; nothing of them is the vendor's. Their debs are made of octets
directly: dpkg-deb refuses to make what a hostile one is."""
import gzip
import io
import tarfile

CORE = ("mlx_compat", "ib_core", "ib_cm", "ib_uverbs", "rdma_cm", "mlx5_core", "mlx5_ib", "ib_ipoib")
VERSION = "24.10.OFED.24.10.2.1.8.1-1"
PACKAGES = {
    "mlnx-ofed-kernel-dkms": {"version": VERSION, "dkms": CORE},
    "mlnx-ofed-kernel-utils": {"version": VERSION},
    "mlnx-nvme-dkms": {"version": VERSION, "dkms": ("nvme-core", "nvme", "nvme-rdma")},
    "libibverbs1": {"version": "2410mlnx54-1.2410068"},
    "ibverbs-providers": {"version": "2410mlnx54-1.2410068", "depends": "libibverbs1"},
    "rdma-core": {"version": "2410mlnx54-1.2410068"},
}
INSTALLER = """#!/usr/bin/perl
my @remove_debs = qw(libibverbs librdmacm ibverbs-providers rdma-core);
"""


def tar(members, mode="w:gz"):
    """A tar archive of (name, content); content None: a folder, ("->", target): a link, ("=", target): a hard link."""
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode=mode, format=tarfile.GNU_FORMAT) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
            elif isinstance(content, tuple):
                info.type = tarfile.SYMTYPE if content[0] == "->" else tarfile.LNKTYPE
                info.linkname = content[1]
            else:
                content = content.encode() if isinstance(content, str) else content
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content) if info.size else None)
    return octets.getvalue()


def ar(members):
    octets = b"!<arch>\n"
    for name, content in members:
        octets += f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode() + content
        octets += b"\n" * (len(content) % 2)
    return octets


def deb(name, version="1", depends="", dkms=(), files=(), control=None):
    if control is None:
        control = f"Package: {name}\nVersion: {version}\nArchitecture: amd64\n"
        control += f"Depends: {depends}\n" if depends else ""
        control += "Maintainer: Nobody <nobody@example.org>\nDescription: a test\n"
    members = list(files)
    if dkms:
        text = f'PACKAGE_NAME="{name.removesuffix("-dkms")}"\nPACKAGE_VERSION="24.10"\nAUTOINSTALL="yes"\n'
        text += "".join(f"BUILT_MODULE_NAME[{i}]={module}\n" for i, module in enumerate(dkms))
        members.append((f"usr/src/{name.removesuffix('-dkms')}-24.10/dkms.conf", text))
    return ar([("debian-binary", b"2.0\n"), ("control.tar.gz", tar([("./control", control)])),
               ("data.tar.gz", tar(members))])


def members(packages=None, release="24.10-2.1.8.0", distro="debian12.5", installer=INSTALLER, more=()):
    """What an MLNX_OFED bundle has, as (name, content)."""
    top = f"MLNX_OFED_LINUX-{release}-{distro}-x86_64"
    listed = [(f"{top}/distro", f"{distro}\n"), (f"{top}/.mlnx", f"{release}\n"), (f"{top}/.arch", "x86_64\n"),
              (f"{top}/mlnxofedinstall", installer)]
    for name, properties in (PACKAGES if packages is None else packages).items():
        listed.append((f"{top}/DEBS/{name}_{properties['version']}_amd64.deb", deb(name, **properties)))
    return [*listed, *((f"{top}/{name}", content) for name, content in more)]


def many(count):
    """A bundle's packages, filled up to so many."""
    packages = dict(PACKAGES)
    for number in range(count - len(packages)):
        packages[f"mlnx-filler{number}"] = {"version": "24.10-1", "depends": "libc6"}
    return packages


def bomb(octets):
    """gzip of zeros; 1 MiB of it is 1 GiB."""
    return gzip.compress(bytes(octets), 9)
