// The table: what every entry must keep so that each face can be driven from it.
#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "operations/operation.h"

namespace pve_rdma {
namespace {

bool matches(std::string_view text, const char* pattern) {
    return std::regex_match(std::string(text), std::regex(pattern));
}

TEST(Table, HoldsTheOperationsAndFindsThemByName) {
    EXPECT_GE(operations().size(), 2u);
    for (const auto& operation : operations())
        EXPECT_EQ(find_operation(operation.name), &operation);
    EXPECT_EQ(find_operation("probe-"), nullptr);
    EXPECT_EQ(find_operation(""), nullptr);
}

TEST(Table, NamesAreUniqueOnEveryFace) {
    std::set<std::string_view> names, modules;
    std::set<std::string> paths;
    for (const auto& operation : operations()) {
        EXPECT_TRUE(names.insert(operation.name).second) << operation.name;
        if (!operation.ansible.empty()) {
            EXPECT_TRUE(modules.insert(operation.ansible).second) << operation.ansible;
            EXPECT_EQ(find_ansible_operation(operation.ansible), &operation);
            EXPECT_TRUE(matches(operation.ansible, "[a-z][a-z0-9_]*")) << operation.ansible;
        }
        for (const auto& method : operation.api) {
            const std::string path = std::string(method.method) + " " + std::string(method.path);
            EXPECT_TRUE(paths.insert(path).second) << path;
            EXPECT_TRUE(matches(path, "(GET|POST|PUT|DELETE) [a-z][a-z0-9/{}-]*")) << path;
        }
    }
    EXPECT_EQ(find_ansible_operation(""), nullptr);
    EXPECT_EQ(find_ansible_operation("no_such_module"), nullptr);
}

// "fabric-walk" is the words fabric walk: no operation may be the first words of another.
TEST(Table, WordsOfTheCommandLineDoNotCollide) {
    for (const auto& operation : operations()) {
        EXPECT_TRUE(matches(operation.name, "[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")) << operation.name;
        for (const auto& other : operations())
            EXPECT_FALSE(other.name.starts_with(std::string(operation.name) + "-"))
                << operation.name << " hides " << other.name;
    }
}

TEST(Table, EverythingIsDocumented) {
    for (const auto& operation : operations()) {
        EXPECT_FALSE(operation.summary.empty()) << operation.name;
        EXPECT_FALSE(operation.description.empty()) << operation.name;
        EXPECT_NE(operation.run, nullptr) << operation.name;
        EXPECT_NE(operation.text, nullptr) << operation.name;
        EXPECT_EQ(operation.result_key.empty(), operation.result_schema == nullptr) << operation.name;
        for (const auto& parameter : operation.parameters) {
            const std::string where = std::string(operation.name) + " " + std::string(parameter.name);
            EXPECT_FALSE(parameter.description.empty()) << where;
            if (parameter.type != ParameterType::flag && parameter.offered_to(Face::cli)) {
                EXPECT_FALSE(parameter.placeholder.empty()) << where;
            }
        }
    }
}

TEST(Table, ParametersAreSound) {
    // What the command line, Proxmox and Ansible take for themselves.
    const std::set<std::string_view> taken{"json", "color", "help", "version", "node", "backend"};
    for (const auto& operation : operations()) {
        std::set<std::string_view> names;
        bool optional_positional = false;
        for (const auto& parameter : operation.parameters) {
            const std::string where = std::string(operation.name) + " " + std::string(parameter.name);
            EXPECT_TRUE(names.insert(parameter.name).second) << where;
            EXPECT_TRUE(matches(parameter.name, "[a-z][a-z0-9_]*")) << where;
            EXPECT_FALSE(taken.contains(parameter.name)) << where;
            EXPECT_NE(parameter.faces & every_face, 0u) << where << " is offered to nobody";
            if (parameter.required) {
                EXPECT_EQ(parameter.faces, every_face)
                    << where << " is required of faces that do not offer it";
            }
            if (parameter.minimum && parameter.maximum) {
                EXPECT_LE(*parameter.minimum, *parameter.maximum) << where;
            }
            if (parameter.minimum || parameter.maximum || parameter.default_value) {
                EXPECT_EQ(parameter.type, ParameterType::integer) << where;
            }
            if (parameter.default_value) {
                EXPECT_GE(*parameter.default_value, parameter.minimum.value_or(INT64_MIN)) << where;
                EXPECT_LE(*parameter.default_value, parameter.maximum.value_or(INT64_MAX)) << where;
                EXPECT_FALSE(parameter.required) << where;
            }
            if (!parameter.choices.empty()) {
                EXPECT_TRUE(parameter.type == ParameterType::text || parameter.type == ParameterType::list)
                    << where;
            }
            if (parameter.positional) {
                EXPECT_FALSE(parameter.required && optional_positional)
                    << where << " follows an optional word";
                optional_positional |= !parameter.required;
            }
        }
    }
}

TEST(Table, MethodsOfTheApiAreSound) {
    for (const auto& operation : operations()) {
        const auto takes = [&](std::string_view name) {
            const auto found = std::ranges::find(operation.parameters, name, &Parameter::name);
            return found != operation.parameters.end() && found->offered_to(Face::api);
        };
        for (const auto& method : operation.api) {
            const std::string where = std::string(method.method) + " " + std::string(method.path);
            for (const auto name : method.without)
                EXPECT_TRUE(takes(name)) << where << " goes without " << name;
            for (const auto& [name, value] : method.preset)
                EXPECT_TRUE(takes(name)) << where << " presets " << name;
            if (const auto open = method.path.find('{'); open != std::string_view::npos) {
                EXPECT_TRUE(takes(method.path.substr(open + 1, method.path.find('}') - open - 1))) << where;
            }
            // Who may only look does nothing else; a GET does nothing else and answers at once.
            const bool reads = operation.effect == Effect::read || !method.preset.empty();
            EXPECT_TRUE(reads || method.access != Access::audit) << where;
            EXPECT_TRUE(method.method != "GET" || (reads && !method.task)) << where;
            EXPECT_FALSE(operation.result_key.empty()) << where;
        }
    }
}

// A path on the node's disk is no parameter of a remote caller.
TEST(Table, ProbeTakesFoldersAndFilesOnTheCommandLineOnly) {
    const Operation* probe = find_operation("probe");
    ASSERT_NE(probe, nullptr);
    for (const auto* name : {"root", "record"}) {
        const auto found = std::ranges::find(probe->parameters, name, &Parameter::name);
        ASSERT_NE(found, probe->parameters.end()) << name;
        EXPECT_EQ(found->faces, cli_only) << name;
    }
}

// The Ansible face hands check mode on as dry_run.
TEST(Table, EveryModuleOfAnsibleThatWritesKnowsDryRuns) {
    for (const auto& operation : operations()) {
        if (operation.ansible.empty() || operation.effect != Effect::write) continue;
        const auto dry_run = std::ranges::find(operation.parameters, "dry_run", &Parameter::name);
        ASSERT_NE(dry_run, operation.parameters.end()) << operation.name;
        EXPECT_EQ(dry_run->type, ParameterType::flag) << operation.name;
        EXPECT_TRUE(dry_run->offered_to(Face::ansible)) << operation.name;
    }
}

}  // namespace
}  // namespace pve_rdma
