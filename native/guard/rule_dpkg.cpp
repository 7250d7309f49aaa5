// The hook of dpkg. It sees every run that changes packages, whoever starts it. What cannot be read is
// refused where packages could go, and let pass where they cannot.
#include <algorithm>

#include "guard/archive.h"
#include "guard/debian_version.h"
#include "guard/dpkg_call.h"
#include "guard/hooks.h"
#include "guard/node.h"
#include "guard/overwrites.h"
#include "guard/permit.h"
#include "guard/ruling.h"

namespace pve_rdma::guard {

namespace {

// No names: dpkg takes the marked ones, asked by --pending or by a line of its configuration.
std::vector<std::string> packages_to_remove(const DpkgCall& call, const Node& node) {
    if (!call.pending && !call.names.empty()) return call.names;
    std::vector<std::string> names;
    for (const Package& package : node.packages)
        if (package.to_be_removed())
            names.push_back(std::string(package.name) + ":" + std::string(package.architecture));
    return names;
}

Result<std::vector<Incoming>> packages_to_install(const DpkgCall& call, const Node& node, bool downgrades) {
    std::vector<std::string> files;
    for (const std::string& name : call.names) {
        if (!call.folders) {
            files.push_back(name);
            continue;
        }
        auto below = archives_below(name);
        if (!below) return std::unexpected(below.error());
        files.insert(files.end(), below->begin(), below->end());
    }
    std::vector<Incoming> incoming;
    for (const std::string& file : files) {
        auto coming = read_archive(file);
        if (!coming) return std::unexpected(coming.error());
        const bool skipped = !downgrades && std::ranges::any_of(node.packages, [&](const Package& one) {
            return one.present() && one.name == coming->name &&
                   compare_versions(coming->version, one.version) < 0;
        });
        if (!skipped) incoming.push_back(std::move(*coming));
    }
    return incoming;
}

// apt unpacks without -i; with force it could overwrite what it does not know of.
Result<std::vector<Loss>> losses_of(const DpkgCall& call, const std::string& action,
                                    const std::string& admindir, const std::string& force, bool approved) {
    const bool removal = action == "remove" || action == "purge";
    if (approved && (removal || !forces(force, "overwrite"))) return {};
    Node node;
    if (auto read = read_node(node, admindir); !read) return std::unexpected(read.error());
    if (removal) return judge(node.packages, node.kept, {.removed = packages_to_remove(call, node)});
    auto incoming = packages_to_install(call, node, forces(force, "downgrade"));
    if (!incoming) return std::unexpected(incoming.error());
    const Change change{.incoming = std::move(*incoming)};
    if (!approved)
        if (auto losses = judge(node.packages, node.kept, change); !losses.empty()) return losses;
    return overwrites(admindir, node.packages, node.kept, change.incoming, approved);
}

}  // namespace

Ruling rule_dpkg(const std::string& action, const std::string& root, const std::string& admindir,
                 const std::string& force) {
    const bool takes = action == "install" || action == "unpack" || action == "remove" || action == "purge";
    if (!takes) return {};
    if (!root.empty() && !same_file(root, "/")) return {};  // another system's packages
    Ruling ruling{"dpkg --" + action, {}};
    const auto unknown = [&](const Error& error) {
        ruling.losses.push_back({"not known", error.text()});
        return ruling;
    };
    const auto dpkg = find_caller(program);
    if (!dpkg) return unknown(dpkg.error());
    const auto call = read_dpkg_call(dpkg->words, action);
    if (!call) return unknown(call.error());
    ruling.call = dpkg->line();
    if (call->dry_run) return {};
    auto losses = losses_of(*call, action, admindir.empty() ? own_admindir : admindir, force,
                            plan_approved(dpkg->parent));
    if (!losses) return unknown(losses.error());
    ruling.losses = std::move(*losses);
    return ruling;
}

}  // namespace pve_rdma::guard
