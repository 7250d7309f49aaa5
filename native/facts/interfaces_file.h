// What /etc/network/interfaces and the files it sources say, and what is wrong with them.
// Source: interfaces(5), read by eni/. One InterfacesFile for each file, in order of reading; the first is
// the main one.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct InterfacesOption {
    std::string name;  // as written: bridge-ports and bridge_ports are the same option
    std::optional<std::string>
        value;  // absent when it is a secret (wpa-psk ...), which never leaves the node
    int line = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("value", self.value);
        visit("line", self.line);
    }
    bool operator==(const InterfacesOption&) const = default;
};

// One stanza. Several of one name hold all their options together; where only one value can hold (mtu), the
// first one does under ifupdown2.
struct InterfacesStanza {
    std::string kind = "iface";  // iface, vlan, mapping, template
    std::string name;
    std::optional<std::string> family, method;  // inet, static; ifupdown2 does without them
    bool automatic = false;                     // an auto line names it, in whatever file ("auto" in JSON)
    std::vector<std::string> allow;             // classes of allow-CLASS lines: hotplug, ovs
    std::vector<std::string> inherits;
    int line = 0;
    std::vector<InterfacesOption> options;  // in order

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("kind", self.kind);
        visit("name", self.name);
        visit("family", self.family);
        visit("method", self.method);
        visit("auto", self.automatic);
        visit("allow", self.allow);
        visit("inherits", self.inherits);
        visit("line", self.line);
        visit("options", self.options);
    }
    bool operator==(const InterfacesStanza&) const = default;
};

// A source or source-directory line.
struct InterfacesSource {
    std::string pattern;
    bool directory = false;
    std::vector<std::string> files;  // that were read from it
    int line = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("pattern", self.pattern);
        visit("directory", self.directory);
        visit("files", self.files);
        visit("line", self.line);
    }
    bool operator==(const InterfacesSource&) const = default;
};

struct InterfacesDiagnostic {
    std::string id;        // "two-gateways"; the list is in eni/check_*.cpp
    std::string severity;  // info, warning, error
    int line = 0, column = 0;
    std::string message, hint;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("severity", self.severity);
        visit("line", self.line);
        visit("column", self.column);
        visit("message", self.message);
        visit("hint", self.hint);
    }
    bool operator==(const InterfacesDiagnostic&) const = default;
};

struct InterfacesFile {
    std::string path;
    std::optional<bool> pending;  // of the main file: whether a change of Proxmox's editor waits (PATH.new)
    std::vector<InterfacesStanza> stanzas;
    std::vector<std::string> automatic;  // names in its auto lines, also of interfaces without a stanza
    std::vector<InterfacesSource> sources;
    std::vector<InterfacesDiagnostic> diagnostics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("pending", self.pending);
        visit("stanzas", self.stanzas);
        visit("auto", self.automatic);
        visit("sources", self.sources);
        visit("diagnostics", self.diagnostics);
    }
    bool operator==(const InterfacesFile&) const = default;
};

}  // namespace pve_rdma
