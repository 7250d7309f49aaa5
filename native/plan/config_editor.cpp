#include "plan/config_editor.h"

#include <algorithm>
#include <cerrno>

#include "eni/limits.h"
#include "plan/text_difference.h"

namespace pve_rdma {

Result<ConfigEditor> ConfigEditor::open(eni::FileReader& files, const std::string& main) {
    ConfigEditor editor(files, main);
    const auto text = files.read(main, eni::max_octets);
    if (!text) {
        if (text.error().errno_value != ENOENT) return std::unexpected(text.error());
        editor.first_[main] = std::nullopt;
        editor.texts_[main] = "";
    }
    if (auto read = editor.read(); !read) return std::unexpected(read.error());
    return editor;
}

Result<void> ConfigEditor::read() {
    eni::OverlayFiles files(*files_, texts_);
    auto view = eni::read_view(files, main_);
    if (!view) return std::unexpected(view.error());
    view_ = std::move(*view);
    return {};
}

std::string ConfigEditor::path_of(eni::Home home) const {
    return home == eni::Home::main_file ? main_ : std::string(eni::own_file);
}

const eni::Document* ConfigEditor::document(const std::string& path) const {
    const auto found = std::ranges::find(view_.files, path, &eni::Document::name);
    return found == view_.files.end() ? nullptr : &*found;
}

Result<void> ConfigEditor::apply(const std::string& path, Result<eni::Change> change) {
    if (!change) return std::unexpected(change.error());
    if (change->empty()) return {};
    const eni::Document* before = document(path);
    auto text = eni::changed_text(before->text(), *change);
    if (!text) return std::unexpected(text.error());
    first_.try_emplace(path, before->text());
    texts_[path] = std::move(*text);
    return read();
}

Result<void> ConfigEditor::add_stanza(const eni::NewStanza& stanza, eni::Home home) {
    const std::string path = path_of(home);
    if (!document(path)) {
        // Our own file is made, and sourced by the main one unless a pattern there names it already.
        first_.try_emplace(path, std::nullopt);
        texts_[path] = std::string(eni::own_file_header());
        if (auto done = read(); !done) return done;
        if (!document(path)) {
            if (auto done = apply(main_, eni::add_source(*document(main_), path)); !done) return done;
            if (!document(path))
                return std::unexpected(Error{.code = ErrorCode::malformed,
                                             .subject = path,
                                             .message = "the main file does not read it"});
        }
    }
    return apply(path, eni::add_stanza(*document(path), stanza));
}

Result<const eni::Stanza*> ConfigEditor::stanza_in(const std::string& interface, eni::Home home) {
    const std::string path = path_of(home);
    const auto find = [&]() -> const eni::Stanza* {
        const auto* known = view_.find(interface);
        if (!known) return nullptr;
        for (const auto index : known->stanzas)
            if (view_.files[view_.stanzas[index].place.file].name() == path) return &view_.stanzas[index];
        return nullptr;
    };
    if (const auto* found = find()) return found;
    // A stanza that only adds to one elsewhere does not say again that it comes up.
    const bool first = view_.find(interface) == nullptr;
    if (auto made = add_stanza({interface, "inet", "manual", {}, first}, home); !made)
        return std::unexpected(made.error());
    return find();
}

Result<void> ConfigEditor::set(const std::string& interface, const std::string& option,
                               const std::string& value, eni::Home home) {
    const auto* known = view_.find(interface);
    const eni::Option* there = known ? view_.option(*known, option) : nullptr;
    if (there) {
        if (there->value == value) return {};
        for (const auto index : known->stanzas) {
            const eni::Stanza& stanza = view_.stanzas[index];
            if (stanza.find(option) != there) continue;
            const eni::Document& document = view_.files[stanza.place.file];
            return apply(document.name(), eni::set_option(document, stanza.index, option, value));
        }
    }
    const auto stanza = stanza_in(interface, home);
    if (!stanza) return std::unexpected(stanza.error());
    const eni::Document& document = view_.files[(*stanza)->place.file];
    return apply(document.name(), eni::set_option(document, (*stanza)->index, option, value));
}

Result<void> ConfigEditor::add(const std::string& interface, const std::string& option,
                               const std::string& value, eni::Home home) {
    if (const auto* known = view_.find(interface))
        for (const auto* there : view_.options(*known, option))
            if (there->value == value) return {};
    const auto stanza = stanza_in(interface, home);
    if (!stanza) return std::unexpected(stanza.error());
    const eni::Document& document = view_.files[(*stanza)->place.file];
    return apply(document.name(), eni::add_option(document, (*stanza)->index, option, value));
}

Result<void> ConfigEditor::remove(const std::string& interface, const std::string& option,
                                  const std::optional<std::string>& value) {
    for (;;) {
        const auto* known = view_.find(interface);
        const eni::Stanza* holder = nullptr;
        if (known)
            for (const auto index : known->stanzas)
                for (const auto* there : view_.stanzas[index].all(option))
                    if (!holder && (!value || there->value == *value)) holder = &view_.stanzas[index];
        if (!holder) return {};
        const eni::Document& document = view_.files[holder->place.file];
        // What a stanza has several times goes line by line.
        const std::string first = value ? *value : holder->find(option)->value;
        if (auto done = apply(document.name(), eni::remove_option(document, holder->index, option, first));
            !done)
            return done;
    }
}

Result<void> ConfigEditor::remove_interface(const std::string& interface) {
    std::vector<std::string> paths;
    for (const auto& file : view_.files)
        paths.push_back(file.name());
    for (const auto& path : paths) {
        const auto change = eni::remove_interface(*document(path), interface);
        if (!change && change.error().code == ErrorCode::not_found) continue;
        if (auto done = apply(path, change); !done) return done;
    }
    return {};
}

Result<void> ConfigEditor::set_method(const eni::Stanza& stanza, const std::string& method) {
    const eni::Document& document = view_.files[stanza.place.file];
    return apply(document.name(), eni::set_method(document, stanza.index, method));
}

std::vector<FileChange> ConfigEditor::changes() const {
    std::vector<FileChange> changes;
    for (const auto& [path, text] : texts_) {
        const auto before = first_.at(path);
        if (before != text && !(!before && text.empty())) changes.push_back({path, before, text});
    }
    std::ranges::stable_partition(changes, [&](const FileChange& change) { return change.path != main_; });
    return changes;
}

std::string ConfigEditor::diff() const {
    std::string diff;
    for (const auto& change : changes()) {
        const std::string before = change.before.value_or("");
        diff += eni::unified_diff(before, text_difference(before, *change.after),
                                  change.before ? change.path : "/dev/null", change.path);
    }
    return diff;
}

}  // namespace pve_rdma
