// An error says what, where, and what the kernel said; its code picks the exit code.
#include <cerrno>

#include <gtest/gtest.h>

#include "base/error.h"

namespace pve_rdma {
namespace {

TEST(ErrorText, HasPlaceSubjectErrnoAndTheKernelsWords) {
    Error error = errno_error(EINVAL, "ib0", "cannot set the MTU");
    EXPECT_EQ(error.text(), "ib0: cannot set the MTU (EINVAL: Invalid argument)");
    error.kernel_text = "mtu greater than device maximum";
    error.hint = "not part of the line";
    EXPECT_EQ(error.text(),
              "ib0: cannot set the MTU (EINVAL: Invalid argument) [kernel: mtu greater than device maximum]");
    EXPECT_EQ((Error{.message = "m", .file = "f", .line = 3, .column = 5}).text(), "f:3:5: m");
    EXPECT_EQ((Error{.message = "m", .file = "f"}).text(), "f: m");
}

TEST(ErrorCodes, FollowTheErrno) {
    const std::pair<int, ErrorCode> expected[] = {{EACCES, ErrorCode::permission},
                                                  {EPERM, ErrorCode::permission},
                                                  {ENOENT, ErrorCode::not_found},
                                                  {ENODEV, ErrorCode::not_found},
                                                  {ETIMEDOUT, ErrorCode::timeout},
                                                  {EOPNOTSUPP, ErrorCode::unavailable},
                                                  {EAFNOSUPPORT, ErrorCode::unavailable},
                                                  {EINVAL, ErrorCode::machine},
                                                  {EIO, ErrorCode::machine}};
    for (const auto& [number, code] : expected)
        EXPECT_EQ(errno_error(number, "x", "y").code, code) << number;
}

TEST(ErrorCodes, AreExitCodes) {
    EXPECT_EQ(exit_code(ErrorCode::bad_request), 2);
    EXPECT_EQ(exit_code(ErrorCode::malformed), 2);
    EXPECT_EQ(exit_code(ErrorCode::permission), 3);
    EXPECT_EQ(exit_code(ErrorCode::machine), 3);
    EXPECT_EQ(exit_code(ErrorCode::conflict), 4);
}

TEST(ErrnoName, IsTheConstant) {
    EXPECT_EQ(errno_error(ENODATA, "", "").errno_name(), "ENODATA");
    EXPECT_EQ(Error{}.errno_name(), "");
    EXPECT_EQ((Error{.errno_value = 4000}).errno_name(), "errno 4000");
}

}  // namespace
}  // namespace pve_rdma
