#!/usr/bin/env python3
"""Our plans against those of apt-get -s, on the package index of the system that it runs on (Debian 12 or 13).

usage: compare_plans.py READER STATUS...

Each STATUS is a dpkg status file that stands for a node; a virtualization node is made of the first one and of what apt
would install for it. Every question is asked of both with the same lists: what is
installed, upgraded, downgraded and removed must be the same, and where apt refuses, so must we. Prints a line a plan.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# install, remove: in the manner of what the vendor's installer and its users ask for, and of what makes apt choose.
QUESTIONS = [
    ("install", "ifupdown"), ("install", "ifenslave"), ("install", "ifupdown ifenslave"), ("remove", "libibverbs1"),
    ("remove", "librdmacm1"), ("remove", "libibumad3"), ("remove", "rdma-core"), ("remove", "ibverbs-providers"),
    ("remove", "librados2"), ("remove", "libiscsi7"), ("remove", "qemu-server"), ("remove", "infiniband-diags"),
    ("remove", "infiniband-diags libibmad5 libibnetdisc5 libibumad3 libibverbs1 librdmacm1 ibverbs-providers rdma-core"),
    ("install", "dkms"), ("install", "perftest"), ("install", "opensm"), ("install", "mstflint"),
    ("install", "autoconf automake m4 debhelper chrpath swig graphviz libltdl-dev dpkg"),
    ("install", "pkg-config libnl-3-dev libgfortran5 flex m4 graphviz tcl libltdl-dev uuid-runtime libnl-route-3-dev "
                "swig bison autoconf quilt gfortran lsb-base autotools-dev debhelper chrpath automake tk"),
    ("install", "pkg-config libnl-3-dev flex m4 graphviz tcl ifupdown libltdl-dev uuid-runtime swig bison autoconf quilt"),
    ("install", "openvswitch-switch"), ("install", "ucx-utils"), ("install", "openmpi-bin"), ("install", "ibutils"),
    ("install", "systemd-sysv"), ("install", "libibverbs-dev librdmacm-dev"), ("install", "exim4"),
    ("install", "postfix"), ("remove", "postfix"), ("install", "network-manager"), ("install", "resolvconf"),
    ("install", "libibverbs1 librdmacm1 ibverbs-providers rdma-core"), ("install", "no-such-package"),
    ("install", "sysvinit-core"), ("remove", "python3"), ("remove", "perl-base"), ("install", "chrony"),
    ("install", "multipath-tools"), ("install", "libibumad3 infiniband-diags"), ("remove", "ifupdown2"),
]
LINE = re.compile(r"^(Inst|Remv|Purg) (\S+)(?: \[([^\]]*)\])?(?: \((\S+))?")


def by_apt(action, names, status, lists_options):
    """{name: (kind, version)}, or None when apt refuses."""
    words = ["apt-get", "-s", "-y", "-q", "-o", f"Dir::State::status={status}", "-o", "Debug::NoLocking=true",
             "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Get::Show-User-Simulation-Note=0",
             "--allow-change-held-packages", "--allow-downgrades", "--allow-remove-essential", *lists_options,
             action, *names]
    run = subprocess.run(words, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
    if run.returncode != 0:
        return None, run.stderr.strip().splitlines()[-1:]
    changes = {}
    for line in run.stdout.splitlines():
        found = LINE.match(line)
        if found:
            kind, name, _, version = found.groups()
            changes[name.split(":")[0]] = ("remove", None) if kind in ("Remv", "Purg") else ("install", version)
    return changes, []


def by_us(reader, status, questions):
    question = {"bundles": [], "status": status, "questions": [
        {"id": str(i), action: names.split()} for i, (action, names) in enumerate(questions)]}
    run = subprocess.run([reader], input=json.dumps(question), capture_output=True, text=True, check=True)
    answer = json.loads(run.stdout)
    if answer.get("failure"):
        sys.exit(f"the reader failed: {answer['failure']}")
    return answer


# What a node with guests, Ceph and InfiniBand has.
NODE = ["qemu-system-x86", "ceph-common", "python3-rados", "open-iscsi", "infiniband-diags", "ibverbs-providers",
        "rdma-core", "ifupdown2", "postfix", "dkms"]


def grow(status, names, path):
    """The status file of a node that has these packages too, with what they need."""
    changes, why = by_apt("install", names, status, [])
    if not changes:
        sys.exit(f"apt does not install {names}: {why}")
    wanted = [f"{name}={version}" for name, (kind, version) in changes.items() if kind == "install"]
    shown = subprocess.run(["apt-cache", "show", *wanted], capture_output=True, text=True, check=True).stdout
    with open(status, encoding="utf-8") as file:
        text = file.read()
    for stanza in shown.strip().split("\n\n"):
        text += stanza.replace("\n", "\nStatus: install ok installed\n", 1) + "\n\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def changes_of(plan):
    if not plan["solved"]:
        return None
    return {change["name"]: ("remove", None) if change["action"] == "remove" else ("install", change.get("to"))
            for change in plan["changes"]}


def main():
    reader, *statuses = sys.argv[1:]
    same = different = changing = 0
    with tempfile.TemporaryDirectory() as scratch:
        for status in [*statuses, grow(statuses[0], NODE, f"{scratch}/node")]:
            os.chmod(scratch, 0o755)  # the reader has no privileges
            answer = by_us(reader, status, QUESTIONS)
            print(f"{status}: libapt-pkg {answer['apt_version']}, {answer['index_packages']} versions looked at, "
                  f"{answer['peak_memory_kib'] // 1024} MB")
            for (action, names), plan in zip(QUESTIONS, answer["plans"]):
                theirs, why = by_apt(action, names.split(), status, [])
                ours = changes_of(plan)
                label = f"{action} {names if len(names) < 50 else names[:47] + '...'}"
                if ours == theirs:
                    same += 1
                    changing += bool(theirs)
                    print(f"  same       {label}: " + ("refused" if theirs is None else f"{len(theirs)} packages"))
                    continue
                different += 1
                print(f"  DIFFERENT  {label}")
                if ours is None or theirs is None:
                    print(f"    apt: {'refuses' if theirs is None else len(theirs)} {why}; ours: {plan['problems'][:3]}")
                    continue
                for name in sorted(ours.keys() | theirs.keys()):
                    if ours.get(name) != theirs.get(name):
                        print(f"    {name}: apt {theirs.get(name)}, ours {ours.get(name)}")
    print(f"{same} plans are the same ({changing} of them change something), {different} differ")
    # A comparison in which nothing happened would prove nothing.
    return different != 0 or changing < 30


if __name__ == "__main__":
    sys.exit(main())
