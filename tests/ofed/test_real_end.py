"""What the removal step of a vendor's installer is said to take, against what it takes: it is carried out with real dpkg
and apt in throw-away roots. GUARD_TARBALL: a bare Debian root with apt, as tests/suites/guard makes it."""
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "guard"))
import bundles  # noqa: E402
from node import BUILD, Base, Node, Scratch  # noqa: E402

BASE = None
# Marks of the installers that remember whom they have asked already, and drop the architecture of a name.
REMEMBERS = """
sub get_requires {
    my $check_uninstall = shift;
    $name =~ s/:.*//g;
}
sub get_all_matching_installed_debs {
    $name =~ s/:.*//g;
}
"""
LISTS = (["libibverbs", "librdmacm", "ibverbs-providers", "rdma-core", "infiniband-diags"], ["librdmacm"], ["libibumad"],
         ["ibverbs-providers"], ["ceph"], ["no-such-name"])


def setUpModule():
    global BASE
    scratch = Scratch()
    unittest.addModuleCleanup(scratch.close)
    BASE = Base(os.environ["GUARD_TARBALL"], scratch.path)


def installed(node):
    listed = node.must("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").stdout
    return {line.split()[0] for line in listed.splitlines() if line.endswith(" installed")}


def dependents(node, name, found):
    """As the installer finds them: whom dpkg names, and whom it names for those."""
    said = node.run("dpkg", "--purge", "--dry-run", name).stderr
    for other in re.findall(r"^ (\S+) (?:pre-)?depends on ", said, re.MULTILINE):
        if other not in found:
            found.append(other)
            dependents(node, other, found)


def remove_as_the_installer(node, names):
    found = []
    for name in names:
        listed = node.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Package}\n", f"*{name}*").stdout
        for package in re.findall(r"^[rhi][iU] (\S+)$", listed, re.MULTILINE):
            if package not in found:
                found.append(package)
                dependents(node, package, found)
    if found:
        node.must("apt-get", "remove", "-y", *found)


class RealEnd(unittest.TestCase):
    def check(self, node, names):
        installer = f"my @remove_debs = qw({' '.join(names)});\n{REMEMBERS}"
        bundle = node.folder / "bundle.tgz"
        bundle.write_bytes(bundles.tar(bundles.members(installer=installer)))
        bundle.chmod(0o644)
        ran = subprocess.run([BUILD / "bin/pve-rdma", "ofed", "check", "--json", "--root", node.root, bundle, "--",
                              "--force"], capture_output=True, text=True, check=False)
        reply = json.loads(ran.stdout)
        self.assertIsNone(reply["error"])
        return reply["ofed"], ran.returncode

    def test_what_is_predicted_is_what_goes(self):
        taken = 0
        for names in LISTS:
            with self.subTest(names), Node(BASE, guard=False) as node:
                verdict, status = self.check(node, names)
                predicted = {one["name"] for one in verdict["removed"] if one["by"] == "installer"}
                before = installed(node)
                remove_as_the_installer(node, names)
                self.assertEqual(before - installed(node), predicted)
                self.assertEqual("proxmox-ve" in predicted, "proxmox-ve" in before - installed(node))
                if "proxmox-ve" in predicted:
                    self.assertEqual((verdict["level"], status), ("BLOCK", 1))
                taken += len(predicted)
                print(f"  {' '.join(names)}: {len(predicted)} packages, {verdict['level']}")
        self.assertGreater(taken, 40)  # a comparison in which nothing goes would prove nothing

    def test_with_the_guard_on_the_same_removal_does_nothing(self):
        with Node(BASE) as node:
            before = node.status()
            with self.assertRaises(AssertionError):
                remove_as_the_installer(node, LISTS[0])
            self.assertEqual(node.status(), before)


if __name__ == "__main__":
    unittest.main()
