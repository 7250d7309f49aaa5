"""Our reader of interfaces(5) against ifupdown2's own, on every file of the corpus, before and after our edits.

They must agree on every stanza and option of a file that ifupdown2 takes without an error; where they do not, `config
check` must have said why. IFUPDOWN2_TREE: a folder for the unpacked package.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "tests/differential"))
import ifupdown2  # noqa: E402

PROGRAM = os.environ.get("PVE_RDMA", str(REPO / "build/dev/bin/pve-rdma"))
SHARED = Path(os.environ.get("PVE_RDMA_SHARED", str(REPO.parent / "shared"))) / "corpus/interfaces"

# Findings that say: ifupdown2 reads something else here.
TRAPS = {"comment-continues", "backslash-dropped", "blank-after-backslash", "continues-over-blank", "backslash-at-end",
         "carriage-return", "control-space", "no-ascii-space", "unknown-to-ifupdown2", "byte-order-mark", "not-utf8",
         "nul-octet", "stray-line", "no-name", "source-without-path"}
RELATED = {"scope", "netmask", "broadcast", "preferred-lifetime"}  # kept beside the address before them
EDITS = (["--set", "mtu=1492"], ["--set", "ib-mode=connected"], ["--unset", "mtu"], ["--unset", "gateway"])


def corpus():
    own = [path for path in (REPO / "tests/corpus/interfaces").iterdir()
           if path.suffix == "" and not path.name.startswith(".")]
    return sorted(own) + sorted(SHARED.glob("*.txt"))


def ours(path):
    result = subprocess.run([PROGRAM, "config", "show", "--json", str(path)], capture_output=True, text=True,
                            check=False)
    reply = json.loads(result.stdout)
    if reply["error"]:
        raise AssertionError(f"{path}: {reply['error']}")
    return reply["config"]["files"]


def as_ifupdown2(files):
    """Our stanzas in the shape in which ifupdown2 holds them."""
    found = []
    for stanza in (one for file in files for one in file["stanzas"] if one["kind"] in ("iface", "vlan")):
        config = {}
        for option in stanza["options"]:
            name, value = option["name"].replace("_", "-"), option.get("value")
            if value == "" or (name in RELATED and "address" not in config):
                continue  # it drops both
            if value is not None:
                value = value.replace("$IFACE", stanza["name"])
            config.setdefault(name, []).append(value)
        method = stanza.get("method") or ("static" if stanza.get("family") else None)
        found.append({"name": stanza["name"].split(":")[0], "family": stanza.get("family"), "method": method,
                      "auto": stanza["auto"], "config": config})
    return found


def normal(stanzas, secrets):
    """Without what cannot be compared: padding, secrets (we hold none), and auto (it depends on the order there)."""
    result = []
    for one in stanzas:
        config = {}
        for name, values in one["config"].items():
            values = [value for value in values if value != ""]
            config[name] = [None] * len(values) if (one["name"], name) in secrets else values
        result.append((one["name"], one["family"], one["method"], config))
    return result


def compare(module, path):
    """None when ifupdown2 does not take the file; else (agree, traps, text of the difference)."""
    files, theirs = ours(path), ifupdown2.read(module, path)
    if theirs.dropped or theirs.errors:
        return None
    mine = as_ifupdown2(files)
    secrets = {(one["name"], name) for one in mine for name, values in one["config"].items() if None in values}
    left, right = normal(mine, secrets), normal(theirs.stanzas, secrets)
    traps = {finding["id"] for file in files for finding in file["diagnostics"]} & TRAPS
    different = [pair for pair in zip(left, right) if pair[0] != pair[1]]
    return left == right, traps, f"{len(left)} and {len(right)} stanzas, first difference {different[:1]}"


class Interfaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        tree = ifupdown2.unpack(os.environ.get("IFUPDOWN2_TREE", str(cls.folder / "ifupdown2")))
        if tree is None:
            shutil.rmtree(cls.folder)
            raise unittest.SkipTest("the package ifupdown2 cannot be downloaded")
        cls.module = ifupdown2.load(tree)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_every_file_that_ifupdown2_takes_is_read_alike(self):
        taken = trapped = 0
        for path in corpus():
            with self.subTest(file=path.name):
                outcome = compare(self.module, path)
                if outcome is None:
                    continue
                agree, traps, text = outcome
                taken += 1
                if not agree:
                    trapped += 1
                    self.assertTrue(traps, f"{path.name}: {text}")
        print(f"{taken} of {len(corpus())} files taken by ifupdown2; {taken - trapped} read alike, {trapped} differ "
              "where config check says so", file=sys.stderr)
        self.assertGreater(taken, 50)

    def test_what_ifupdown2_takes_with_an_error_is_an_error_of_ours_too(self):
        """Every file that it drops or complains about has a finding of ours."""
        silent = []
        for path in corpus():
            theirs = ifupdown2.read(self.module, path)
            if theirs.dropped or theirs.errors:
                if not any(finding["severity"] != "info" for file in ours(path) for finding in file["diagnostics"]):
                    silent.append(path.name)
        self.assertEqual(silent, [])

    def test_edits_are_read_alike_and_change_what_was_asked(self):
        made = 0
        for path in corpus():
            if compare(self.module, path) is None or not compare(self.module, path)[0]:
                continue
            before = ifupdown2.read(self.module, path)
            names = sorted({one["name"] for file in ours(path) for one in file["stanzas"] if one["kind"] == "iface"})
            for edit in EDITS:
                for name in names[:2]:
                    with self.subTest(file=path.name, edit=edit, name=name):
                        made += self.edit_once(path, before, edit, name)
        print(f"{made} edits", file=sys.stderr)
        self.assertGreater(made, 200)

    def edit_once(self, path, before, edit, name):
        copy = self.folder / "edited"
        shutil.copy(path, copy)
        done = subprocess.run([PROGRAM, "config", "edit", str(copy), "--iface", name, *edit, "--force"],
                              capture_output=True, check=False)
        if done.returncode:
            self.assertEqual(copy.read_bytes(), path.read_bytes())
            return 0
        agree, traps, text = compare(self.module, copy)
        self.assertTrue(agree or traps, text)
        after = ifupdown2.read(self.module, copy)
        option = re.split("=", edit[1])[0]
        changed = [(old, new) for old, new in zip(before.stanzas, after.stanzas) if old != new]
        self.assertEqual(len(before.stanzas), len(after.stanzas))
        self.assertLessEqual(len(changed), 1)
        for old, new in changed:
            keys = {key for key in old["config"].keys() | new["config"].keys()
                    if old["config"].get(key) != new["config"].get(key)}
            self.assertEqual(keys, {option})
        return 1


if __name__ == "__main__":
    unittest.main()
