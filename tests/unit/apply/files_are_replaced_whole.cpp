// What replaces a file keeps all that belongs to it; what fails leaves the old one and nothing else.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <sys/xattr.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "apply/digest.h"
#include "apply/file_lock.h"
#include "apply/replace_file.h"
#include "apply/run_program.h"

namespace pve_rdma {
namespace {

namespace fs = std::filesystem;

class Replace : public testing::Test {
  protected:
    Replace() {
        std::string pattern = fs::temp_directory_path() / "replace-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        path_ = folder_ / "interfaces";
        write("old");
    }
    ~Replace() override { fs::remove_all(folder_); }

    void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
    std::string read() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_, path_;
};

TEST_F(Replace, KeepsModeOwnerAndAttributes) {
    fs::permissions(path_, fs::perms(0640));
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(path_.c_str(), 12345, 54321), 0);
    }
    const bool attributes = ::setxattr(path_.c_str(), "user.note", "kept", 4, 0) == 0;
    ASSERT_TRUE(replace_file({.path = path_, .expected = "old", .content = std::string_view("n\0w", 3)}));
    EXPECT_EQ(read(), std::string("n\0w", 3));
    struct stat status{};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0640u);
    if (::geteuid() == 0) {
        EXPECT_EQ(status.st_uid, 12345u);
        EXPECT_EQ(status.st_gid, 54321u);
    }
    if (attributes) {
        char value[8] = {};
        EXPECT_EQ(::getxattr(path_.c_str(), "user.note", value, sizeof value), 4);
        EXPECT_STREQ(value, "kept");
    }
    EXPECT_EQ(entries(), 1u);
}

TEST_F(Replace, MakesAFileThatIsNotThereAndNoOther) {
    const fs::path fresh = folder_ / "fresh";
    ASSERT_TRUE(replace_file({.path = fresh, .content = "new"}));
    EXPECT_EQ(fs::file_size(fresh), 3u);
    EXPECT_EQ(fs::status(fresh).permissions(), fs::perms(0644));
    const auto again = replace_file({.path = fresh, .content = "other"});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::conflict);
    EXPECT_EQ(fs::file_size(fresh), 3u);
    EXPECT_EQ(entries(), 2u);
}

TEST_F(Replace, FollowsALink) {
    fs::create_directory(folder_ / "real");
    fs::rename(path_, folder_ / "real/file");
    fs::create_symlink("real/file", path_);
    ASSERT_TRUE(replace_file({.path = path_, .expected = "old", .content = "new"}));
    EXPECT_TRUE(fs::is_symlink(path_));
    EXPECT_EQ(read(), "new");
}

TEST_F(Replace, RefusesAFileThatIsNotAsItWasRead) {
    write("somebody else's");
    const auto done = replace_file({.path = path_, .expected = "old", .content = "new"});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::conflict);
    EXPECT_EQ(read(), "somebody else's");
}

TEST_F(Replace, LeavesTheOldFileWhenTheNewOneIsNotValid) {
    std::string seen;
    const auto done = replace_file({.path = path_,
                                    .expected = "old",
                                    .content = "new",
                                    .validate = [&](const std::string& path) -> Result<void> {
                                        seen = path;
                                        return std::unexpected(Error{.message = "no"});
                                    }});
    ASSERT_FALSE(done);
    EXPECT_TRUE(fs::path(seen).filename().string().starts_with("."));
    EXPECT_EQ(read(), "old");
    EXPECT_EQ(entries(), 1u);
}

TEST_F(Replace, SaysThatThereIsNoFile) {
    const auto done = replace_file({.path = folder_ / "none", .expected = "", .content = "new"});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().errno_value, ENOENT);
}

TEST_F(Replace, LocksAreExclusive) {
    const std::string lock = folder_ / "lock";
    {
        const auto first = FileLock::take(lock, std::chrono::milliseconds(0));
        ASSERT_TRUE(first);
        const auto second = FileLock::take(lock, std::chrono::milliseconds(50));
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::conflict);
    }
    EXPECT_TRUE(FileLock::take(lock, std::chrono::milliseconds(0)));
}

TEST(Digest, IsSha256) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_NE(files_digest({{"a", "bc"}}), files_digest({{"ab", "c"}}));
    EXPECT_NE(files_digest({{"a", "b"}, {"c", "d"}}), files_digest({{"a", "bcd"}}));
}

TEST(Program, IsRunWithoutAShell) {
    const auto result = run_program({"/bin/echo", "$HOME; ls", "*"}, std::chrono::seconds(10));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "$HOME; ls *\n");
    EXPECT_EQ(run_program({"/bin/false"}, std::chrono::seconds(10))->status, 1);
    EXPECT_EQ(run_program({"/no/such/program"}, std::chrono::seconds(10)).error().code, ErrorCode::not_found);
    EXPECT_EQ(run_program({"/bin/sleep", "60"}, std::chrono::milliseconds(50)).error().code,
              ErrorCode::timeout);
}

}  // namespace
}  // namespace pve_rdma
