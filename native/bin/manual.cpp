// Prints the manual page: the template's words, with the operation table in place of @OPERATIONS@.
// Runs at build time only.
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "operations/operation.h"

namespace {

using namespace pve_rdma;

// roff takes a leading dot or quote for a request, and a backslash for an escape.
std::string roff(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
    return out;
}

std::string words(std::string_view name) {
    std::string out(name);
    for (char& c : out)
        if (c == '-') c = ' ';
    return out;
}

std::string dashed(std::string_view name) {
    std::string out(name);
    for (char& c : out)
        if (c == '_') c = '-';
    return out;
}

std::string synopsis(const Parameter& parameter) {
    const std::string value = fmt::format("\\fI{}\\fR", roff(parameter.placeholder));
    std::string term = value;
    if (!parameter.positional) {
        term = fmt::format("\\fB{}\\fR", roff("--" + dashed(parameter.name)));
        if (parameter.type != ParameterType::flag) term += " " + value;
    }
    if (parameter.type == ParameterType::list) term += " ...";
    return parameter.required ? term : "[" + term + "]";
}

std::string section(const Operation& operation) {
    std::string out = fmt::format(".SS pve\\-rdma {}\n", roff(words(operation.name)));
    for (const auto& parameter : operation.parameters)
        if (parameter.offered_to(Face::cli)) out += synopsis(parameter) + "\n";
    out += fmt::format(".PP\n{}\n", roff(operation.description));
    for (const auto& parameter : operation.parameters) {
        if (!parameter.offered_to(Face::cli)) continue;
        out += fmt::format(".TP\n{}\n{}", synopsis(parameter), roff(parameter.description));
        if (!parameter.choices.empty()) {
            out += "\nOne of:";
            for (const auto choice : parameter.choices)
                out += fmt::format(" {}", roff(choice));
            out += ".";
        }
        if (parameter.default_value) out += fmt::format("\nDefault: {}.", *parameter.default_value);
        out += "\n";
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: manual TEMPLATE\n";
        return 2;
    }
    std::ifstream file(argv[1]);
    std::stringstream content;
    content << file.rdbuf();
    std::string page = content.str();
    std::string sections;
    for (const auto& operation : operations())
        sections += section(operation);
    for (const auto& [mark, text] : {std::pair<std::string, std::string>{"@OPERATIONS@\n", sections},
                                     std::pair<std::string, std::string>{"@VERSION@", PVE_RDMA_VERSION}}) {
        const auto at = page.find(mark);
        if (at == std::string::npos) {
            std::cerr << argv[1] << ": no " << mark << '\n';
            return 1;
        }
        page.replace(at, mark.size(), text);
    }
    std::cout << page << std::flush;
    return std::cout ? 0 : 1;
}
