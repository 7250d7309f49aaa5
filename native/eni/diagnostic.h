// What is wrong in a file of interfaces(5), and where.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eni/view.h"

namespace pve_rdma::eni {

enum class Severity { info, warning, error };
std::string_view to_string(Severity);

struct Diagnostic {
    std::string id;  // "address-without-prefix": stable, part of the contract
    Severity severity = Severity::warning;
    std::string file;
    int line = 0, column = 0;  // 1-based, in octets; 0: the file as a whole
    int width = 1;             // octets from the column on that are meant
    std::string message;       // one sentence
    std::string hint;          // what to do; empty when the message says it
    bool operator==(const Diagnostic&) const = default;
};

// The message with the line it is about and a caret below it, each line ended:
//     interfaces:7:2: error: address without a prefix length [address-without-prefix]
//         address 192.0.2.5
//         ^~~~~~~
//       hint: ...
// Octets that a terminal would not show are written as \xNN, tabs as blanks; long lines are cut.
std::string render(const Diagnostic&, std::string_view text_of_file);

// Collects diagnostics up to limits.h's max_diagnostics; the last one then says that there are more.
class Findings {
  public:
    explicit Findings(const View& view) : view_(view) {}
    void add(const char* id, Severity, const Place&, std::size_t width, std::string message,
             std::string hint = {});
    // At an octet of a file.
    void add_at(const char* id, Severity, std::uint32_t file, std::size_t at, std::size_t width,
                std::string message, std::string hint = {});
    bool full() const;
    // Sorted by file and line.
    std::vector<Diagnostic> take();

  private:
    const View& view_;
    struct Found {
        std::uint32_t file;
        int line;
        std::size_t order;  // of those in one line
        Diagnostic diagnostic;
    };
    std::vector<Found> found_;
};

}  // namespace pve_rdma::eni
