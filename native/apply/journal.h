// What a transaction has begun, one line for each thing, written before the thing is done.
//
// A line is the CRC-32 (IEEE 802.3) of its JSON in eight digits, a blank, the JSON. A line that is torn (by a
// power cut, a full disk) fails the checksum and is skipped: what it was to announce was not begun.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apply/disk.h"
#include "base/describe.h"

namespace pve_rdma {

enum class JournalEvent {
    armed,           // the watchdog
    steps,           // `first`, `count`: these steps
    file,            // `first`: the change of this file
    restarting,      // the services of the files
    verifying,       //
    pending,         // all is done and waits for confirmation
    failed,          // with errno and text
    undoing,         // the steps and files above
    note,            // of what could not be undone: text
    restored,        //
    restore_failed,  //
};
std::string_view to_string(JournalEvent);

struct JournalLine {
    std::uint64_t seq = 0;
    std::string event{};
    std::uint64_t first = 0, count = 0;
    int errno_value = 0;
    std::string text{};

    bool is(JournalEvent other) const { return event == to_string(other); }

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("seq", self.seq);
        visit("event", self.event);
        visit("first", self.first);
        visit("count", self.count);
        visit("errno", self.errno_value);
        visit("text", self.text);
    }
};

// Threads: one.
class Journal {
  public:
    // An empty new one, with room for `octets`.
    static Result<Journal> create(Disk&, const std::string& path, std::size_t octets);
    // A journal that is not there yet is empty.
    static Result<Journal> open(Disk&, const std::string& path);

    Result<void> add(JournalLine);  // seq is set here; a text is cut at 512 octets
    Result<void> add(JournalEvent event) { return add({.event = std::string(to_string(event))}); }
    Result<void> add(JournalEvent event, const Error&);

    const std::vector<JournalLine>& lines() const { return lines_; }
    bool has(JournalEvent) const;

  private:
    Journal(Disk& disk, std::string path) : disk_(&disk), path_(std::move(path)) {}

    Disk* disk_;
    std::string path_;
    std::vector<JournalLine> lines_;
    bool torn_ = false;  // the file may end within a line
};

}  // namespace pve_rdma
