/* A reply on a tape: the events of pve_rdma_visit, recorded without calling Perl.
 *
 * Perl leaves a function by longjmp when memory runs out, which must not happen across the C++ frames below
 * pve_rdma_visit. So the visitor only records, with malloc and no Perl call, and the tape is played when the library
 * has returned. When malloc fails, the tape is marked broken and records nothing more.
 */
#ifndef PVE_RDMA_TAPE_H
#define PVE_RDMA_TAPE_H

#include <pve_rdma.h>
#include <stddef.h>
#include <stdint.h>

enum tape_kind {
    TAPE_BEGIN_OBJECT,
    TAPE_KEY,
    TAPE_END_OBJECT,
    TAPE_BEGIN_ARRAY,
    TAPE_END_ARRAY,
    TAPE_STRING,
    TAPE_SIGNED,
    TAPE_UNSIGNED,
    TAPE_NUMBER,
    TAPE_BOOLEAN,
    TAPE_NULL,
};

struct tape_event {
    enum tape_kind kind;
    union {
        int64_t signed_integer;
        uint64_t unsigned_integer;
        double number;
        int boolean;
        struct {
            size_t offset, length; /* into tape.text */
        } text;
    } value;
};

struct tape {
    struct tape_event *events;
    size_t count, room;
    char *text;
    size_t text_length, text_room;
    int broken;  /* memory ran out */
    char *words; /* the reply for a person, or NULL; of pve_rdma_visit_text */
};

/* Its functions take a struct tape as context. */
extern const struct pve_rdma_visitor tape_recorder;

void tape_release(struct tape *tape);

#endif
