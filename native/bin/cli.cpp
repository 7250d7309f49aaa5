// The command line: the operation table as subcommands. It parses words, runs, prints; it decides nothing
// else.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/ioctl.h>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "base/number.h"
#include "bin/cli_help.h"
#include "operations/reply.h"
#include "operations/request.h"

namespace {

using namespace pve_rdma;

constexpr const char* exit_codes =
    "Exit codes: 0 fine; 1 a finding of severity error, or a check that says no;\n"
    "2 the request is wrong; 3 the machine refused; 4 conflict.";

struct Command {
    const Operation* operation;
    CLI::App* app;
    std::map<std::string, CLI::Option*> options;  // by parameter name
};

std::string option_name(const Parameter& parameter) {
    std::string name(parameter.name);
    if (parameter.positional) return name;
    for (char& c : name)
        if (c == '_') c = '-';
    return "--" + name;
}

CLI::Option* add_option(CLI::App& app, const Parameter& parameter) {
    const std::string name = option_name(parameter);
    const std::string description(parameter.description);
    if (parameter.type == ParameterType::flag) return app.add_flag(name, description);
    CLI::Option* option = app.add_option(name, description)->type_name(std::string(parameter.placeholder));
    if (parameter.type == ParameterType::list && parameter.positional)
        option->expected(1, 1 << 20)->allow_extra_args();  // files: a comma may stand in their names
    else if (parameter.type == ParameterType::list)
        option->expected(1, 1024)->delimiter(parameter.commas ? ',' : '\0');
    else
        option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    if (parameter.required) option->required();
    return option;
}

// "fabric-walk" -> the subcommand walk of the subcommand fabric.
CLI::App* subcommand(CLI::App& root, std::string_view name) {
    CLI::App* app = &root;
    std::size_t begin = 0;
    while (begin < name.size()) {
        const std::size_t end = std::min(name.find('-', begin), name.size());
        const std::string word(name.substr(begin, end - begin));
        const auto known = app->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
        CLI::App* child = known.empty() ? nullptr : known.front();
        if (!child) child = app->add_subcommand(word);
        if (end != name.size()) child->require_subcommand(1);
        app = child;
        begin = end + 1;
    }
    return app;
}

std::vector<std::unique_ptr<Command>> add_commands(CLI::App& root) {
    std::vector<std::unique_ptr<Command>> commands;
    for (const auto& operation : operations()) {
        auto command = std::make_unique<Command>();
        command->operation = &operation;
        command->app = subcommand(root, operation.name);
        command->app->description(std::string(operation.description));
        for (const auto& parameter : operation.parameters)
            if (parameter.offered_to(Face::cli) && !parameter.rest)
                command->options[std::string(parameter.name)] = add_option(*command->app, parameter);
        commands.push_back(std::move(command));
    }
    return commands;
}

int terminal_width() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
    if (const char* columns = std::getenv("COLUMNS"))
        if (const auto number = parse_number<int>(columns); number && *number >= 40) return *number;
    return 80;
}

// CLI11 hands a formatter on to the subcommands that are added after it, so all get it here.
void set_formatter(CLI::App& app, const std::shared_ptr<HelpFormatter>& formatter) {
    app.formatter(formatter);
    for (auto* child : app.get_subcommands([](const CLI::App*) { return true; }))
        set_formatter(*child, formatter);
}

void set_help(CLI::App& root, const std::vector<std::unique_ptr<Command>>& commands) {
    std::map<const CLI::App*, const Operation*> operations;
    for (const auto& command : commands)
        operations[command->app] = command->operation;
    set_formatter(root, std::make_shared<HelpFormatter>(terminal_width(), std::move(operations)));
}

bool use_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR") && terminal &&
           std::string_view(terminal) != "dumb";
}

void print_error(const Error& error) {
    std::cerr << "pve-rdma: " << error.text() << '\n';
    if (!error.hint.empty()) std::cerr << "  hint: " << error.hint << '\n';
}

// The parameter that takes the words behind "--"; nullptr: the operation has none.
const Parameter* rest_parameter(const Operation& operation) {
    for (const auto& parameter : operation.parameters)
        if (parameter.rest) return &parameter;
    return nullptr;
}

// Two words that stand side by side name an operation that takes them.
bool takes_rest(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (const auto* operation = find_operation(words[i] + "-" + words[i + 1]);
            operation && rest_parameter(*operation))
            return true;
    return false;
}

int run(const Command& command, const std::vector<std::string>& rest, bool json, const std::string& color) {
    std::map<std::string, std::vector<std::string>> words;
    if (const auto* parameter = rest_parameter(*command.operation); parameter && !rest.empty())
        words[std::string(parameter->name)] = rest;
    for (const auto& [name, option] : command.options)
        if (option->count()) words[name] = option->results();
    const auto request = Request::from_words(*command.operation, words);
    const Reply reply =
        request ? command.operation->run(*request) : Reply::failed(command.operation->name, request.error());
    if (!reply.printed.empty()) {
        std::cout << reply.printed;
    } else if (json) {
        std::cout << reply_json(reply, 1) << '\n';
    } else if (!reply.failure) {
        const TextStyle style{.color = use_color(color), .width = terminal_width()};
        std::cout << command.operation->text(reply, style);
    }
    std::cout << std::flush;
    if (!json) {
        for (const auto& warning : reply.warnings)
            std::cerr << "pve-rdma: warning: " << warning << '\n';
        if (reply.failure) print_error(*reply.failure);
    }
    if (!std::cout) {
        std::cerr << "pve-rdma: standard output: cannot write\n";
        return 3;
    }
    return reply.exit_code();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App root("Fast networks on Proxmox VE: see the cards, the links and the fabric of a node.",
                  "pve-rdma");
    root.set_version_flag("--version", "pve-rdma " PVE_RDMA_VERSION);
    root.require_subcommand(1);
    root.fallthrough();
    root.footer(exit_codes);
    bool json = false;
    std::string color = "auto";
    root.add_flag("--json", json, "Print the reply as JSON, as the API and Ansible get it");
    root.add_option("--color", color, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    const auto commands = add_commands(root);
    set_help(root, commands);
    // CLI11 takes words behind "--" for positionals only: here they are kept for an operation that takes
    // them.
    std::vector<std::string> given(argv + 1, argv + argc), rest;
    if (const auto dashes = std::ranges::find(given, "--");
        dashes != given.end() && takes_rest({given.begin(), dashes})) {
        rest.assign(dashes + 1, given.end());
        given.erase(dashes, given.end());
    }
    std::ranges::reverse(given);  // as CLI11 wants a vector
    try {
        root.parse(given);
        for (const auto& command : commands)
            if (command->app->parsed() && command->app->get_subcommands().empty())
                return run(*command, rest, json, color);
    } catch (const CLI::CallForHelp& help) {
        return root.exit(help);
    } catch (const CLI::CallForAllHelp& help) {
        return root.exit(help);
    } catch (const CLI::CallForVersion& version) {
        return root.exit(version);
    } catch (const CLI::ParseError& error) {
        print_error({.code = ErrorCode::bad_request, .message = error.what(), .hint = "pve-rdma --help"});
        return 2;
    } catch (const std::exception& exception) {
        print_error({.code = ErrorCode::internal,
                     .message = exception.what(),
                     .hint = "this is a fault of pve-rdma: please report it"});
        return 3;
    }
    return 2;
}
