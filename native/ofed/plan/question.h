// What is asked of the reader's process, and what it answers: JSON on its standard input and output.
//
// The process is the only one that opens a bundle or loads libapt-pkg: what others wrote is parsed there,
// without privileges and with limits (native/ofed_reader).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "ofed/bundle/contents.h"

namespace pve_rdma::ofed {

// What apt shall be asked: as words after `apt-get install` and `apt-get remove`.
struct AptQuestion {
    std::string id;
    std::vector<std::string> install, remove;
    bool with_bundle = false;  // the bundle's packages count as one more source

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("install", self.install);
        visit("remove", self.remove);
        visit("with_bundle", self.with_bundle);
    }
    bool operator==(const AptQuestion&) const = default;
};

// One package that apt would change.
struct AptChange {
    std::string name, arch;
    std::string action;  // install, upgrade, downgrade, reinstall, remove
    std::optional<std::string> from, to;
    std::vector<std::string> chain;  // why, in sentences, from what was asked to this package

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("arch", self.arch);
        visit("action", self.action);
        visit("from", self.from);
        visit("to", self.to);
        visit("chain", self.chain);
    }
    bool operator==(const AptChange&) const = default;
};

struct AptPlan {
    std::string id;
    bool solved = false;                // otherwise apt refuses and changes nothing
    std::vector<std::string> problems;  // names that apt does not know, dependencies that it cannot meet
    std::vector<AptChange> changes;     // by name
    std::vector<std::string> held;      // of these, what is on hold: apt-get -y refuses

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("solved", self.solved);
        visit("problems", self.problems);
        visit("changes", self.changes);
        visit("held", self.held);
    }
    bool operator==(const AptPlan&) const = default;
};

struct ReaderQuestion {
    std::vector<std::string> bundles;   // paths
    bool files = false;                 // the names of all their files too
    std::string debian;                 // the node's release: "12.9"
    std::string root = "/";             // whose dpkg status and apt lists count
    std::optional<std::string> status;  // another status file
    std::vector<AptQuestion> questions;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("bundles", self.bundles);
        visit("files", self.files);
        visit("debian", self.debian);
        visit("root", self.root);
        visit("status", self.status);
        visit("questions", self.questions);
    }
    bool operator==(const ReaderQuestion&) const = default;
};

// Why there is no answer, as the process says it.
struct ReaderFailure {
    std::string code, subject, message, hint;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("code", self.code);
        visit("subject", self.subject);
        visit("message", self.message);
        visit("hint", self.hint);
    }
    bool operator==(const ReaderFailure&) const = default;
};

struct ReaderAnswer {
    std::vector<Bundle> bundles;             // in the order asked
    std::vector<AptPlan> plans;              // likewise
    std::optional<std::string> apt_version;  // of libapt-pkg: "6.0"
    std::uint64_t index_packages = 0;        // that the plans chose from, beside the installed ones
    std::uint64_t peak_memory_kib = 0;       // of the process
    std::optional<ReaderFailure> failure;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("bundles", self.bundles);
        visit("plans", self.plans);
        visit("apt_version", self.apt_version);
        visit("index_packages", self.index_packages);
        visit("peak_memory_kib", self.peak_memory_kib);
        visit("failure", self.failure);
    }
    bool operator==(const ReaderAnswer&) const = default;
};

}  // namespace pve_rdma::ofed
