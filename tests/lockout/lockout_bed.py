"""Two machines in network namespaces: a node with sshd and our programs, and a client. Each has folders of its own for
all that a transaction writes; nothing of the machine that runs the tests is touched.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "tests/differential"))
from netns_bed import Bed  # pylint: disable=wrong-import-position

BIN = Path(os.environ.get("PVE_RDMA_BIN", REPO / "build/dev/bin"))
SSHD = os.environ.get("SSHD", "/usr/sbin/sshd")
NODE, CLIENT = "192.0.2.1", "192.0.2.2"
INTERFACES = "/etc/network/interfaces"
TEXT = """# the node's own words
auto nic0
iface nic0 inet static
    address 192.0.2.1/24

auto side0
iface side0 inet static
    address 198.51.100.1/24
"""


def can_run():
    """What keeps the tests from running here; empty: nothing."""
    if not Path(SSHD).exists() or not shutil.which("ssh"):
        return "openssh-server and openssh-client are needed"
    return ""


class Machine(Bed):
    def shell(self, script, check=True):
        return self.run("bash", "-euc", script, check=check)

    def processes(self):
        """Numbers of all that runs in this namespace."""
        own = os.readlink(f"/proc/{self.keeper.pid}/ns/net")
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(entry / "ns/net") == own:
                    yield int(entry.name)
            except OSError:
                pass  # it has ended

    def end_processes(self):
        for number in self.processes():
            if number != self.keeper.pid:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def __exit__(self, *what):
        self.end_processes()
        super().__exit__(*what)


class Lockout:
    """`with Lockout() as bed`: bed.node, bed.client; ssh from the client to the node works."""

    def __enter__(self):
        self.node, self.client = Machine().__enter__(), Machine().__enter__()
        self.node.connect("nic0", self.client, "nic0")
        self.node.shell("ip link add side0 type veth peer name side1; ip link set side0 up; ip link set side1 up")
        self.node.address("nic0", f"{NODE}/24")
        self.node.address("side0", "198.51.100.1/24")
        self.client.address("nic0", f"{CLIENT}/24")
        self.prepare_node()
        self.client.shell("mount -t tmpfs none /run; mkdir /run/ssh")
        self.key = "/run/ssh/key"
        self.client.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        public = self.client.run("cat", self.key + ".pub").stdout
        self.start_sshd(public)
        return self

    def __exit__(self, *what):
        self.node.__exit__(*what)
        self.client.__exit__(*what)

    def prepare_node(self):
        self.node.shell(f"""
            for folder in /etc/network /run /var/lib /usr/libexec; do
                mkdir -p $folder; mount -t tmpfs none $folder
            done
            mkdir /var/lib/pve-rdma /run/sshd /run/ssh /usr/libexec/pve-rdma /etc/network/interfaces.d
            ln -s {BIN}/pve-rdma-recover /usr/libexec/pve-rdma/
            cp /etc/passwd /etc/shadow /run/ssh/
            grep -q ^sshd: /run/ssh/passwd || echo sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin >> /run/ssh/passwd
            sed -i 's/^root:[^:]*/root:*/' /run/ssh/shadow
            mount --bind /run/ssh/passwd /etc/passwd; mount --bind /run/ssh/shadow /etc/shadow
        """)
        self.node.run("tee", INTERFACES, input=TEXT)

    def start_sshd(self, public):
        self.node.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "/run/ssh/host")
        self.node.run("tee", "/run/ssh/authorized", input=public)
        self.node.run("tee", "/run/ssh/config", input=(
            "HostKey /run/ssh/host\nAuthorizedKeysFile /run/ssh/authorized\nStrictModes no\nUsePAM no\n"
            "PermitRootLogin prohibit-password\nPidFile none\nListenAddress 0.0.0.0\n"))
        self.node.run(SSHD, "-f", "/run/ssh/config", "-E", "/run/ssh/log")
        # ssh gives a connection 3 s; a busy machine needs more for the first keys.
        if not any(self.answers() for _ in range(10)):
            raise RuntimeError(self.node.shell("cat /run/ssh/log", check=False).stdout or "sshd does not answer")

    def ssh(self, *command):
        return ["ssh", "-F", "none", "-i", self.key, "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o",
                "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=3", f"root@{NODE}",
                *command]

    def answers(self):
        return self.client.run(*self.ssh("true"), check=False).returncode == 0

    def document(self, document, path="/run/wanted.json"):
        self.node.run("tee", path, input=json.dumps(document))
        return path

    def begin(self, document, within=5):
        """`pve-rdma apply` over a connection of its own, which stays."""
        path = self.document(document)
        return self.client.popen(*self.ssh(f"{BIN}/pve-rdma apply {path} --confirm-within {within} --json; sleep 60"),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def over_ssh(self, *words):
        """A command of ours over a new connection: exit status and words."""
        result = self.client.run(*self.ssh(f"{BIN}/pve-rdma {' '.join(words)}"), check=False)
        return result.returncode, result.stdout + result.stderr

    def state(self):
        """All that must be as it was: routes, addresses, files."""
        return self.node.shell("ip -4 address; ip -4 route; ip rule; sysctl net.ipv4.conf.side0.rp_filter; "
                               "cd /etc/network; grep -r . interfaces interfaces.d 2>/dev/null || true").stdout

    def transactions(self):
        return json.loads(self.node.run(f"{BIN}/pve-rdma", "transactions", "--json").stdout).get("transactions", [])

    def stored(self):
        """Names of what is in the store, without a process: for who waits for a moment."""
        try:
            return sorted(os.listdir(f"/proc/{self.node.keeper.pid}/root/var/lib/pve-rdma/tx"))
        except FileNotFoundError:
            return []

    def await_change(self, before, seconds=20):
        begin = time.monotonic()
        while self.state() == before:
            if time.monotonic() - begin > seconds:
                raise RuntimeError("nothing changes")
            time.sleep(0.02)
