#include "operations/config_change.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "eni/edit.h"
#include "eni/link_roles.h"
#include "eni/placement.h"

namespace pve_rdma {

namespace {

bool holds(const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

class Change {
  public:
    Change(const eni::View& view, const AskedEdit& asked)
        : view_(view), asked_(asked), own_path_(eni::own_file_of(view.files.front().name())) {}

    Result<ConfigChange> make() {
        switch (asked_.kind) {
            case ConfigEdit::set:
            case ConfigEdit::add:
                return option();
            case ConfigEdit::unset:
                return without_option();
            case ConfigEdit::create:
                return new_stanza();
            case ConfigEdit::remove:
                return without_interface();
            case ConfigEdit::rename:
                return renamed();
            case ConfigEdit::source:
                return of(view_.files.front(), eni::add_source(view_.files.front(), *asked_.value));
        }
        return refused(ErrorCode::bad_request, "no edit is asked for");
    }

  private:
    std::unexpected<Error> refused(ErrorCode code, std::string message, std::string hint = {}) const {
        return std::unexpected(Error{.code = code,
                                     .subject = asked_.interface,
                                     .message = std::move(message),
                                     .hint = std::move(hint)});
    }

    // The interface's stanzas of the family that is asked for, in order of reading.
    std::vector<const eni::Stanza*> stanzas() const {
        std::vector<const eni::Stanza*> found;
        if (const auto* interface = view_.find(asked_.interface))
            for (const auto index : interface->stanzas)
                if (!asked_.family || view_.stanzas[index].family == *asked_.family)
                    found.push_back(&view_.stanzas[index]);
        return found;
    }

    const eni::Document& document_of(const eni::Stanza& stanza) const {
        return view_.files[stanza.place.file];
    }
    const eni::Document* own_document() const {
        const auto found = std::ranges::find(view_.files, own_path_, &eni::Document::name);
        return found == view_.files.end() ? nullptr : &*found;
    }

    // nullptr: there is none. Two would leave open which is meant.
    Result<const eni::Stanza*> stanza_with_option() const {
        const eni::Stanza* found = nullptr;
        for (const auto* stanza : stanzas()) {
            if (!stanza->find(asked_.option)) continue;
            if (found)
                return std::unexpected(Error{
                    .code = ErrorCode::conflict,
                    .subject = asked_.option,
                    .message = fmt::format("stands in two stanzas of {}, {}:{} and {}:{}", asked_.interface,
                                           document_of(*found).name(), found->place.number,
                                           document_of(*stanza).name(), stanza->place.number),
                    .hint = "name the stanza: --family inet or --family inet6"});
            found = stanza;
        }
        return found;
    }

    std::unexpected<Error> no_stanza() const {
        return refused(ErrorCode::not_found, asked_.family ? "there is no stanza of that name and family"
                                                           : "there is no stanza of that name");
    }

    Result<ConfigChange> option() {
        const auto has = stanza_with_option();
        if (!has && asked_.kind == ConfigEdit::set) return std::unexpected(has.error());
        const auto all = stanzas();
        if (all.empty()) return no_stanza();
        if (asked_.kind == ConfigEdit::set && *has) return in(**has);
        const bool one_more = asked_.kind == ConfigEdit::add && asked_.option == "address" &&
                              view_.option(*view_.find(asked_.interface), "address");
        const auto setting = one_more ? eni::Setting::further_address : eni::setting_of(asked_.option);
        if (eni::home_of(setting) == eni::Home::main_file) return in(*all.front());
        for (const auto* stanza : all)
            if (document_of(*stanza).name() == own_path_) return in(*stanza);
        return in_own_file({.name = asked_.interface,
                            .family = asked_.family.value_or("inet"),
                            .method = "manual",
                            .options = {{asked_.option, *asked_.value}},
                            .automatic = false});
    }

    Result<ConfigChange> in(const eni::Stanza& stanza) const {
        const auto& document = document_of(stanza);
        return of(document, asked_.kind == ConfigEdit::add
                                ? eni::add_option(document, stanza.index, asked_.option, *asked_.value)
                                : eni::set_option(document, stanza.index, asked_.option, *asked_.value));
    }

    Result<ConfigChange> without_option() const {
        const auto has = stanza_with_option();
        if (!has) return std::unexpected(has.error());
        const auto all = stanzas();
        if (all.empty()) return no_stanza();
        const eni::Stanza& stanza = *has ? **has : *all.front();
        const auto& document = document_of(stanza);
        return of(document, eni::remove_option(document, stanza.index, asked_.option, asked_.value));
    }

    Result<ConfigChange> new_stanza() const {
        const std::string family = asked_.family.value_or("inet");
        for (const auto* stanza : stanzas())
            if (stanza->family == family)
                return refused(ErrorCode::conflict,
                               fmt::format("there is an {} stanza of that name already, {}:{}", family,
                                           document_of(*stanza).name(), stanza->place.number));
        const eni::NewStanza stanza{
            .name = asked_.interface, .family = family, .method = *asked_.value, .options = asked_.options};
        const bool child = std::ranges::any_of(asked_.options, [](const auto& option) {
            return eni::setting_of(option.first) == eni::Setting::pkey_child;
        });
        const auto setting = child ? eni::Setting::pkey_child : eni::Setting::stanza;
        if (eni::home_of(setting, view_, asked_.interface) == eni::Home::own_file) return in_own_file(stanza);
        return of(view_.files.front(), eni::add_stanza(view_.files.front(), stanza));
    }

    Result<ConfigChange> in_own_file(const eni::NewStanza& stanza) const {
        if (const auto* own = own_document()) return of(*own, eni::add_stanza(*own, stanza));
        const auto empty = eni::Document::parse(std::string(eni::own_file_header()), own_path_);
        if (!empty) return std::unexpected(empty.error());
        const auto change = eni::add_stanza(*empty, stanza);
        if (!change) return std::unexpected(change.error());
        auto content = eni::changed_text(empty->text(), *change);
        if (!content) return std::unexpected(content.error());
        return ConfigChange{.path = own_path_, .change = {{0, {}, *content}}, .after = *content};
    }

    Result<ConfigChange> without_interface() const {
        const auto all = stanzas();
        if (all.empty()) return no_stanza();
        if (asked_.family) {
            if (all.size() > 1)
                return refused(ErrorCode::conflict, "there are several stanzas of that name and family");
            return of(document_of(*all.front()),
                      eni::remove_stanza(document_of(*all.front()), all.front()->index));
        }
        const auto document = only_document(all);
        return document ? of(**document, eni::remove_interface(**document, asked_.interface))
                        : Result<ConfigChange>(std::unexpected(document.error()));
    }

    Result<ConfigChange> renamed() const {
        const auto all = stanzas();
        if (all.empty()) return no_stanza();
        const auto document = only_document(all);
        if (!document) return std::unexpected(document.error());
        for (const auto& stanza : view_.stanzas)
            if (&document_of(stanza) != *document)
                for (const auto& option : stanza.options)
                    if (holds(eni::interface_words(option.value), asked_.interface))
                        return refused(ErrorCode::conflict,
                                       fmt::format("{}:{} names it too, and one edit changes one file",
                                                   document_of(stanza).name(), option.place.number));
        return of(**document, eni::rename_interface(**document, asked_.interface, *asked_.value));
    }

    Result<const eni::Document*> only_document(const std::vector<const eni::Stanza*>& all) const {
        std::set<std::string_view> names;
        for (const auto* stanza : all)
            names.insert(document_of(*stanza).name());
        for (const auto& mention : view_.mentions)
            if (holds(mention.names, asked_.interface)) names.insert(view_.files[mention.place.file].name());
        if (names.size() == 1) return &document_of(*all.front());
        return refused(ErrorCode::conflict,
                       fmt::format("stands in {}, and one edit changes one file", fmt::join(names, " and ")),
                       "give --family, which is about one stanza; or give one of the files as FILE");
    }

    static Result<ConfigChange> of(const eni::Document& document, Result<eni::Change> change) {
        if (!change) return std::unexpected(change.error());
        auto content = eni::changed_text(document.text(), *change);
        if (!content) return std::unexpected(content.error());
        return ConfigChange{.path = document.name(),
                            .before = document.text(),
                            .change = std::move(*change),
                            .after = std::move(*content)};
    }

    const eni::View& view_;
    const AskedEdit& asked_;
    std::string own_path_;
};

}  // namespace

Result<ConfigChange> config_change(const eni::View& view, const AskedEdit& asked) {
    return Change(view, asked).make();
}

}  // namespace pve_rdma
