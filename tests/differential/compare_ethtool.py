"""Compares what ethtool(8) prints with Link.ethernet of a node report. Every line that the tool prints must be known
here; one that is not is a difference. Each function takes the tool's output and the report's `ethernet` object."""
import re


def sections(text):
    """Lines "Name: value"; lines indented deeper that have no name continue the value before them."""
    found, last = [], None
    for line in text.splitlines()[1:]:
        if re.search(r":(\s|$)", line):
            name, _, value = line.strip().partition(":")
            found.append([name.strip(), [value.strip()] if value.strip() else []])
            last = found[-1]
        elif line.strip() and last:
            last[1].append(line.strip())
    return [(name, " ".join(value)) for name, value in found]


def yes(value):
    return {"on": True, "off": False, "yes": True, "no": False, "Yes": True, "No": False}.get(value)


def is_mode(name):
    return name[:1].isdigit() and "base" in name


def word_list(value):
    return sorted(word for word in value.split() if is_mode(word))


# Name of a line of `ethtool X` -> what we say in the same words. None: not looked at, and why.
SETTINGS = {
    "Supported link modes": lambda e: sorted(mode for mode in e["supported"] if is_mode(mode)),
    "Advertised link modes": lambda e: sorted(mode for mode in e["advertised"] if is_mode(mode)),
    "Link partner advertised link modes": lambda e: sorted(mode for mode in e["peer"] if is_mode(mode)),
    "Supported ports": None,  # bits of the link modes, worded by the tool
    "Supported pause frame use": None,
    "Supports auto-negotiation": lambda e: "Autoneg" in e["supported"],
    "Supported FEC modes": None,
    "Advertised pause frame use": None,
    "Advertised auto-negotiation": lambda e: "Autoneg" in e["advertised"],
    "Advertised FEC modes": None,
    "Speed": lambda e: f"{e['speed']}Mb/s" if "speed" in e else "Unknown!",
    "Lanes": lambda e: str(e.get("lanes")),
    "Duplex": lambda e: e.get("duplex", "Unknown! (255)"),
    "Auto-negotiation": lambda e: e.get("autoneg"),
    "Port": lambda e: e.get("port"),
    "PHYAD": lambda e: str(e.get("phyaddr")),
    "Transceiver": lambda e: e.get("transceiver"),
    "MDI-X": lambda e: e.get("mdix", "Unknown"),
    "Link detected": lambda e: e.get("link"),
    "Supports Wake-on": None,  # letters; compared by name on hardware only
    "Wake-on": None,
    "Current message level": None,  # a debugging aid, not read
}


def compare_settings(text, ethernet):
    found = []
    for name, value in sections(text):
        if name not in SETTINGS:
            if "drv probe link" in name or name.startswith("0x"):
                continue
            found.append(f"the tool prints {name!r}, which no table knows")
            continue
        ours = SETTINGS[name]
        if ours is None:
            continue
        mine = ours(ethernet)
        if isinstance(mine, list):
            same = mine == word_list(value)
        elif isinstance(mine, bool):
            same = mine == (value.split()[0] in ("on", "yes", "Yes"))
        else:
            same = mine == value
        if not same:
            found.append(f"{name}: the tool says {value!r}, we say {mine!r}")
    return found


# Groups that ethtool -k adds up of several features under an old name; the parts are compared.
FEATURE_GROUPS = {"tx-checksumming", "scatter-gather", "tcp-segmentation-offload"}
FEATURE_NAMES = {  # the tool's old names
    "rx-checksumming": "rx-checksum", "generic-segmentation-offload": "tx-generic-segmentation",
    "generic-receive-offload": "rx-gro", "large-receive-offload": "rx-lro", "rx-vlan-offload": "rx-vlan-hw-parse",
    "tx-vlan-offload": "tx-vlan-hw-insert", "ntuple-filters": "rx-ntuple-filter", "receive-hashing": "rx-hashing",
}


def compare_features(text, ethernet):
    found, seen = [], 0
    for name, value in sections(text):
        if name in FEATURE_GROUPS:
            continue
        ours = ethernet["features"].get(FEATURE_NAMES.get(name, name))
        seen += 1
        if ours != value:
            found.append(f"feature {name}: the tool says {value!r}, we say {ours!r}")
    if seen < 40:
        found.append(f"only {seen} features were compared")
    return found


def two_blocks(text, table, ours):
    """Rings and channels: a block of maxima, then the current values under the same names."""
    found, suffix, seen = [], "_max", 0
    for name, value in sections(text):
        if name == "Pre-set maximums":
            suffix = "_max"
        elif name == "Current hardware settings":
            suffix = ""
        elif name not in table:
            found.append(f"the tool prints {name!r}, which no table knows")
        elif table[name]:
            seen += 1
            mine = ours.get(table[name] + suffix)
            if value != ("n/a" if mine is None else str(mine)):
                found.append(f"{name}{suffix}: the tool says {value}, we say {mine}")
    return found + ([] if seen else ["nothing was compared"])


def compare_rings(text, ethernet):
    return two_blocks(text, {"RX": "rx", "RX Mini": "rx_mini", "RX Jumbo": "rx_jumbo", "TX": "tx",
                             "RX Buf Len": "rx_buf_len", "CQE Size": "cqe_size", "TX Push": None,
                             "TCP data split": None}, ethernet.get("rings", {}))


def compare_channels(text, ethernet):
    return two_blocks(text, {"RX": "rx", "TX": "tx", "Other": "other", "Combined": "combined"},
                      ethernet.get("channels", {}))


def compare_coalesce(text, ethernet):
    found, ours, seen = [], ethernet["coalesce"], 0
    pairs = []
    for line in text.splitlines()[1:]:
        words = line.split()
        if line.startswith(("Adaptive RX:", "CQE mode RX:")):
            kind = "adaptive" if line.startswith("Adaptive") else "cqe-mode"
            pairs += [(f"{kind}-rx", words[-3]), (f"{kind}-tx", words[-1])]
        elif words:
            pairs.append((words[0].rstrip(":"), words[1]))
    for name, value in pairs:
        seen += 1
        mine = ours.get(name)
        text_of_mine = "n/a" if mine is None else ("on" if mine else "off") if value in ("on", "off") else str(mine)
        if text_of_mine != value:
            found.append(f"{name}: the tool says {value}, we say {mine}")
    return found + [f"{name}: the tool does not print it" for name in set(ours) - {name for name, _ in pairs}] + \
        ([] if seen >= 20 else [f"only {seen} values were compared"])


def compare_pause(text, ethernet):
    found, ours = [], ethernet.get("pause", {})
    for name, value in sections(text):
        field = {"Autonegotiate": "autoneg", "RX": "rx", "TX": "tx"}.get(name)
        if field and yes(value) != ours.get(field):
            found.append(f"{name}: the tool says {value}, we say {ours.get(field)}")
        if not field and name not in {"RX negotiated", "TX negotiated"}:
            found.append(f"the tool prints {name!r}, which no table knows")
    return found


DRIVER = {"driver": "driver", "version": "driver_version", "firmware-version": "firmware_version",
          "expansion-rom-version": "expansion_rom_version", "bus-info": "bus_info"}


def compare_driver(text, ethernet):
    found = []
    for line in text.splitlines():
        name, _, value = line.partition(":")
        value = value.strip()
        if name.startswith("supports-"):
            continue
        if name not in DRIVER:
            found.append(f"the tool prints {name!r}, which no table knows")
        elif ("" if value == "N/A" else value) != ethernet.get(DRIVER[name], ""):
            found.append(f"{name}: the tool says {value!r}, we say {ethernet.get(DRIVER[name])!r}")
    return found


COMPARISONS = {"": compare_settings, "-k": compare_features, "-g": compare_rings, "-l": compare_channels,
               "-c": compare_coalesce, "-a": compare_pause, "-i": compare_driver}
