#include "eni/view.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "eni/limits.h"
#include "eni/name_pattern.h"

namespace pve_rdma::eni {

namespace {

class Reader {
  public:
    Reader(FileReader* files, View& view) : files_(files), view_(view) {}

    Result<void> document(Document parsed, std::size_t depth) {
        octets_ += parsed.text().size();
        lines_ += parsed.lines().size();
        if (octets_ > max_octets || lines_ > max_lines)
            return std::unexpected(Error{.code = ErrorCode::malformed,
                                         .message = "the file and all it sources are too large",
                                         .file = parsed.name()});
        const auto file = static_cast<std::uint32_t>(view_.files.size());
        path_.push_back(parsed.name());
        view_.files.push_back(std::move(parsed));
        if (view_.stanzas.empty()) view_.stanzas.reserve(view_.files[file].stanzas().size());
        std::uint32_t stanza = 0;
        // The document moves when a sourced one is added: it is looked up again for every line.
        for (std::uint32_t line = 0; line < view_.files[file].lines().size(); ++line)
            if (auto read = statement(file, line, stanza, depth); !read) return read;
        path_.pop_back();
        return {};
    }

  private:
    Result<void> statement(std::uint32_t file, std::uint32_t index, std::uint32_t& stanza,
                           std::size_t depth) {
        const Document& document = view_.files[file];
        const Line& line = document.lines()[index];
        if (line.kind == LineKind::blank || line.kind == LineKind::comment) return {};
        const auto tokens = document.words(line);
        const Place place{file, index, document.number(line, tokens[0].begin),
                          document.column(tokens[0].begin)};
        words_.clear();
        for (const auto& token : tokens)
            words_.push_back(token.in(document.text()));
        switch (line.kind) {
            case LineKind::option: {
                auto& options = view_.stanzas.back().options;
                options.push_back({std::string(tokens[0].in(document.text())), {}, place});
                if (tokens.size() > 1) options.back().value = document.joined(line, tokens[1], tokens.back());
                return {};
            }
            case LineKind::stray:
                view_.strays.push_back({document.joined(line, tokens.front(), tokens.back()), place});
                return {};
            case LineKind::iface:
            case LineKind::mapping:
            case LineKind::template_stanza:
            case LineKind::vlan:
                header(line.kind, place, stanza++);
                return {};
            case LineKind::source:
            case LineKind::source_directory:
                return source(line.kind == LineKind::source_directory, place, depth);
            default:
                view_.mentions.push_back(
                    {line.kind,
                     std::string(line.kind == LineKind::allow
                                     ? words_[0].substr(std::string_view("allow-").size())
                                     : ""),
                     {words_.begin() + 1, words_.end()},
                     place});
                return {};
        }
    }

    void header(LineKind kind, const Place& place, std::uint32_t index) {
        const auto& words = words_;
        Stanza stanza{.kind = kind, .place = place, .index = index};
        const StanzaLines& lines = view_.files[place.file].stanzas()[index];
        stanza.options.reserve(lines.last - lines.header);
        std::size_t at = 1;
        if (at < words.size()) stanza.name = words[at++];
        // A mapping's further words are names too; the others may say family and method before `inherits`.
        if (kind != LineKind::mapping) {
            for (auto* part : {&stanza.family, &stanza.method})
                if (at < words.size() && words[at] != "inherits") *part = words[at++];
        }
        for (; at < words.size(); ++at)
            if (words[at] == "inherits" && at + 1 < words.size() && kind != LineKind::mapping)
                stanza.inherits.emplace_back(words[++at]);
            else
                stanza.further.emplace_back(words[at]);
        view_.stanzas.push_back(std::move(stanza));
    }

    void unread(Error error, const Place& place) { view_.unreadable.push_back({std::move(error), place}); }

    Result<void> source(bool directory, const Place& place, std::size_t depth) {
        const std::size_t own = view_.sources.size();
        std::string pattern(words_.size() > 1 ? words_[1] : "");
        view_.sources.push_back({directory, pattern, {}, place});
        if (!files_ || words_.size() < 2) return {};
        if (pattern.find('\0') != std::string::npos) {
            unread({.code = ErrorCode::malformed, .subject = "source", .message = "a NUL octet in a path"},
                   place);
            return {};
        }
        // Relative to the folder of the file that says so (ifupdown); ifupdown2 takes its own working folder.
        if (!pattern.starts_with('/')) {
            const std::string& name = view_.files[place.file].name();
            pattern = name.substr(0, name.rfind('/') + 1) + pattern;
        }
        const auto paths = directory ? directory_files(*files_, pattern) : expand_pattern(*files_, pattern);
        if (!paths) {
            unread(paths.error(), place);
            return {};
        }
        for (const auto& path : *paths)
            if (auto read = sourced(path, own, place, depth); !read) return read;
        return {};
    }

    Result<void> sourced(const std::string& path, std::size_t own, const Place& place, std::size_t depth) {
        if (std::ranges::find(path_, path) != path_.end() || depth + 1 > max_source_depth) {
            unread({.code = ErrorCode::malformed,
                    .subject = path,
                    .message = "this file sources itself, or sources stand too deep"},
                   place);
            return {};
        }
        if (view_.files.size() >= max_files)
            return std::unexpected(Error{.code = ErrorCode::malformed,
                                         .subject = path,
                                         .message = fmt::format("more than {} sourced files", max_files)});
        auto text = files_->read(path, max_octets);
        if (!text) {
            unread(text.error(), place);
            return {};
        }
        auto parsed = Document::parse(std::move(*text), path);
        if (!parsed) return std::unexpected(parsed.error());
        view_.sources[own].files.push_back(static_cast<std::uint32_t>(view_.files.size()));
        return document(std::move(*parsed), depth + 1);
    }

    FileReader* files_;
    View& view_;
    std::vector<std::string_view> words_;  // of the line at hand, in the document's text
    std::vector<std::string> path_;        // the files being read, outermost first
    std::size_t octets_ = 0, lines_ = 0;
};

void merge(View& view) {
    view.by_name.reserve(view.stanzas.size());
    view.interfaces.reserve(view.stanzas.size());
    for (std::uint32_t index = 0; index < view.stanzas.size(); ++index) {
        const Stanza& stanza = view.stanzas[index];
        if (stanza.kind != LineKind::iface && stanza.kind != LineKind::vlan) continue;
        const auto [known, fresh] =
            view.by_name.try_emplace(stanza.name, static_cast<std::uint32_t>(view.interfaces.size()));
        if (fresh) view.interfaces.push_back({.name = stanza.name});
        view.interfaces[known->second].stanzas.push_back(index);
    }
    std::size_t patterns = 0;
    for (std::uint32_t index = 0; index < view.mentions.size(); ++index) {
        const Mention& mention = view.mentions[index];
        if (mention.kind != LineKind::automatic && mention.kind != LineKind::allow) continue;
        const auto mark = [&](Interface& interface) {
            if (mention.kind == LineKind::automatic)
                interface.automatic = true;
            else if (std::ranges::find(interface.allow, mention.allow) == interface.allow.end())
                interface.allow.push_back(mention.allow);
        };
        for (const auto& name : mention.names) {
            if (const auto known = view.by_name.find(name); known != view.by_name.end())
                mark(view.interfaces[known->second]);
            if (is_pattern(name) && ++patterns <= max_patterns)
                for (auto& interface : view.interfaces)
                    if (matches_pattern(name, interface.name)) mark(interface);
        }
    }
}

Result<View> read_text(FileReader* files, std::string text, const std::string& name) {
    auto parsed = Document::parse(std::move(text), name);
    if (!parsed) return std::unexpected(parsed.error());
    View view;
    if (auto read = Reader(files, view).document(std::move(*parsed), 0); !read)
        return std::unexpected(read.error());
    merge(view);
    return view;
}

bool same_option(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right,
                              [](char a, char b) { return (a == '_' ? '-' : a) == (b == '_' ? '-' : b); });
}

}  // namespace

const Option* Stanza::find(std::string_view option) const {
    for (const auto& one : options)
        if (same_option(one.name, option)) return &one;
    return nullptr;
}

std::vector<const Option*> Stanza::all(std::string_view option) const {
    std::vector<const Option*> found;
    for (const auto& one : options)
        if (same_option(one.name, option)) found.push_back(&one);
    return found;
}

const Interface* View::find(const std::string& name) const {
    const auto known = by_name.find(name);
    return known == by_name.end() ? nullptr : &interfaces[known->second];
}

const Option* View::option(const Interface& interface, std::string_view name) const {
    for (const auto index : interface.stanzas)
        if (const Option* found = stanzas[index].find(name)) return found;
    return nullptr;
}

std::vector<const Option*> View::options(const Interface& interface, std::string_view name) const {
    std::vector<const Option*> found;
    for (const auto index : interface.stanzas)
        for (const auto* one : stanzas[index].all(name))
            found.push_back(one);
    return found;
}

Result<View> read_view(FileReader& files, const std::string& path) {
    auto text = files.read(path, max_octets);
    if (!text) return std::unexpected(text.error());
    return read_text(&files, std::move(*text), path);
}

Result<View> view_of(std::string text, std::string name) {
    return read_text(nullptr, std::move(text), name);
}

}  // namespace pve_rdma::eni
