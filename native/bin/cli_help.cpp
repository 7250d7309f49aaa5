#include "bin/cli_help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace pve_rdma {

namespace {

constexpr std::size_t name_columns = 24;

}  // namespace

HelpFormatter::HelpFormatter(std::size_t columns, std::map<const CLI::App*, const Operation*> operations)
    : columns_(columns), operations_(std::move(operations)) {}

// "  name      text", the text below itself where it takes more lines, and below the name where that is long.
std::string HelpFormatter::entry(const std::string& name, const std::string& text) const {
    std::string out = "  " + name;
    const std::string indent(name_columns, ' ');
    if (columns_of(out) + 2 > name_columns)
        out += "\n" + indent;
    else
        out.append(name_columns - columns_of(out), ' ');
    const auto lines = lines_of(text, std::max<std::size_t>(columns_, 60) - name_columns);
    return out + fmt::format("{}\n", fmt::join(lines, "\n" + indent));
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
    if (app->get_description().empty()) return {};
    const auto lines = lines_of(app->get_description(), columns_);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string HelpFormatter::make_subcommand(const CLI::App* app) const {
    if (const auto found = operations_.find(app); found != operations_.end())
        return entry(app->get_name(), std::string(found->second->summary) + ".");
    std::vector<std::string> names;
    for (const auto* child : app->get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(child->get_name());
    return entry(app->get_name(), fmt::format("A group: {}.", fmt::join(names, ", ")));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 make_option_desc(option));
}

}  // namespace pve_rdma
