// What dpkg says is installed: the text of its status file, and of the notes of a run that was cut off.
//
// Pure. The packages' texts lie in the text that was given, which must outlive them. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::guard {

struct Package {
    std::string_view name, architecture, version;
    std::string_view status;  // "install ok installed"
    std::string_view depends, pre_depends, provides, conflicts;

    std::string_view want() const {
        return status.substr(0, status.find(' '));
    }  // install, hold, deinstall, purge
    std::string_view state() const {
        return status.substr(status.rfind(' ') + 1);
    }  // installed, unpacked ...

    // Its files are there, whether it is configured or not.
    bool present() const {
        return !status.empty() && state() != "not-installed" && state() != "config-files";
    }
    // Somebody asked for its removal, which has not come: `dpkg --remove --pending` would take it.
    bool to_be_removed() const { return present() && (want() == "deinstall" || want() == "purge"); }
};

// `notes`: the files of the folder "updates" in their order, which hold what the status file does not say
// yet. Of two stanzas for one package and architecture the last one counts.
std::vector<Package> parse_database(std::string_view status, const std::vector<std::string>& notes = {});

}  // namespace pve_rdma::guard
