/* The C interface of pve-rdma.
 *
 * One call runs one operation of the operation table (`pve-rdma schema` prints it). Request and reply are
 * UTF-8 JSON; pve_rdma_visit hands the reply over piece by piece instead, for a caller that builds values of
 * its own language.
 *
 * Threads: every function may be called from any thread at any time; there is no state between calls, and
 * nothing is kept open over fork(). No C++ exception crosses this interface. Files that a call opens are
 * close-on-exec.
 */
#ifndef PVE_RDMA_H
#define PVE_RDMA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0"; valid for ever. */
const char* pve_rdma_version(void);

/* Runs an operation. `request` holds its parameters as one JSON object of `request_length` octets; NULL and 0
 * for none. Returns the exit code that the command line would have had (0 fine, 1 findings or a "no", 2 the
 * request is wrong, 3 the machine refused, 4 conflict). *reply is then a NUL-terminated JSON document of
 * *reply_length octets, errors included, to be released with pve_rdma_free. Returns -1, and *reply is NULL,
 * only when memory ran out. */
int pve_rdma_call(const char* operation, const char* request, size_t request_length, char** reply,
                  size_t* reply_length);

void pve_rdma_free(char* reply);

/* The members of an object come as key, value, key, value ... between begin_object and end_object. Text is
 * UTF-8 and not NUL-terminated. Every function must be set; none may leave by longjmp or an exception. */
struct pve_rdma_visitor {
    void (*begin_object)(void* context);
    void (*key)(void* context, const char* text, size_t length);
    void (*end_object)(void* context);
    void (*begin_array)(void* context);
    void (*end_array)(void* context);
    void (*string)(void* context, const char* text, size_t length);
    void (*signed_integer)(void* context, int64_t value);
    void (*unsigned_integer)(void* context, uint64_t value);
    void (*number)(void* context, double value);
    void (*boolean)(void* context, int value);
    void (*null)(void* context);
};

/* As pve_rdma_call, but the reply is walked. The return value is the same. */
int pve_rdma_visit(const char* operation, const char* request, size_t request_length,
                   const struct pve_rdma_visitor* visitor, void* context);

/* As pve_rdma_visit. *text is then what the command line prints of the reply for a person, NUL-terminated,
 * without warnings and error, to be released with pve_rdma_free; NULL when the operation failed. */
int pve_rdma_visit_text(const char* operation, const char* request, size_t request_length,
                        const struct pve_rdma_visitor* visitor, void* context, char** text);

#ifdef __cplusplus
}
#endif

#endif
