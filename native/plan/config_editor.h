// Several edits of interfaces(5) one after the other: each sees what the earlier ones led to. Nothing is
// written; what comes out are the files' old and new contents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "eni/edit.h"
#include "eni/placement.h"
#include "network/file_change.h"

namespace pve_rdma {

class ConfigEditor {
  public:
    // `main` is /etc/network/interfaces. A main file that is not there begins empty.
    static Result<ConfigEditor> open(eni::FileReader&, const std::string& main);

    const eni::View& view() const { return view_; }

    // Each is idempotent. `home` says where a stanza is made when there is none; an option is set where it
    // stands already, else in a stanza of that interface in the home's file, which is made when need be.
    Result<void> set(const std::string& interface, const std::string& option, const std::string& value,
                     eni::Home);
    // One more line of an option that may stand several times.
    Result<void> add(const std::string& interface, const std::string& option, const std::string& value,
                     eni::Home);
    // With a value, the lines that have it; in whatever file.
    Result<void> remove(const std::string& interface, const std::string& option,
                        const std::optional<std::string>& value = {});
    Result<void> remove_interface(const std::string& interface);
    Result<void> add_stanza(const eni::NewStanza&, eni::Home);
    Result<void> set_method(const eni::Stanza&, const std::string& method);

    // What has changed, and is to be written in this order: what is sourced before what sources it.
    std::vector<FileChange> changes() const;
    std::string diff() const;  // unified, of all files

  private:
    ConfigEditor(eni::FileReader& files, std::string main) : files_(&files), main_(std::move(main)) {}
    Result<void> read();
    std::string path_of(eni::Home) const;
    Result<void> apply(const std::string& path, Result<eni::Change>);
    // The stanza of that interface in the home's file; made when there is none.
    Result<const eni::Stanza*> stanza_in(const std::string& interface, eni::Home);
    const eni::Document* document(const std::string& path) const;

    eni::FileReader* files_;
    std::string main_;
    eni::View view_{};
    std::map<std::string, std::string> texts_{};                 // of the files that were edited
    std::map<std::string, std::optional<std::string>> first_{};  // as they were
};

}  // namespace pve_rdma
