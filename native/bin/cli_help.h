// The pages that --help prints: CLI11's, within the width of the terminal, and a list of commands that says
// what each does in one line.
#pragma once

#include <map>

#include <CLI/CLI.hpp>

#include "operations/operation.h"

namespace pve_rdma {

class HelpFormatter : public CLI::Formatter {
  public:
    // `operations`: which operation a subcommand runs; one without an operation is a group of others.
    HelpFormatter(std::size_t columns, std::map<const CLI::App*, const Operation*> operations);

    std::string make_description(const CLI::App*) const override;
    std::string make_subcommand(const CLI::App*) const override;
    std::string make_option(const CLI::Option*, bool is_positional) const override;

  private:
    std::string entry(const std::string& name, const std::string& text) const;

    std::size_t columns_;
    std::map<const CLI::App*, const Operation*> operations_;
};

}  // namespace pve_rdma
