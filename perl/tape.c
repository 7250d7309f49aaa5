#include "tape.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for `more` items of `size` octets behind `used`; 0 when memory ran out. */
static int reserve(void **items, size_t *room, size_t used, size_t more, size_t size) {
    size_t wanted = *room ? *room : 256;
    void *grown;
    if (more > SIZE_MAX / 4 / size - used) return 0;
    while (wanted < used + more) wanted *= 2;
    if (wanted == *room) return 1;
    grown = realloc(*items, wanted * size);
    if (!grown) return 0;
    *items = grown;
    *room = wanted;
    return 1;
}

/* The next event, or NULL when the tape is broken. */
static struct tape_event *record(struct tape *tape, enum tape_kind kind) {
    void *events = tape->events;
    if (tape->broken || !reserve(&events, &tape->room, tape->count, 1, sizeof *tape->events)) {
        tape->broken = 1;
        return NULL;
    }
    tape->events = events;
    tape->events[tape->count].kind = kind;
    return &tape->events[tape->count++];
}

static void record_text(struct tape *tape, enum tape_kind kind, const char *text, size_t length) {
    struct tape_event *event = record(tape, kind);
    void *room = tape->text;
    if (!event) return;
    if (!reserve(&room, &tape->text_room, tape->text_length, length, 1)) {
        tape->broken = 1;
        return;
    }
    tape->text = room;
    if (length) memcpy(tape->text + tape->text_length, text, length);
    event->value.text.offset = tape->text_length;
    event->value.text.length = length;
    tape->text_length += length;
}

static void begin_object(void *tape) { record(tape, TAPE_BEGIN_OBJECT); }
static void end_object(void *tape) { record(tape, TAPE_END_OBJECT); }
static void begin_array(void *tape) { record(tape, TAPE_BEGIN_ARRAY); }
static void end_array(void *tape) { record(tape, TAPE_END_ARRAY); }
static void null(void *tape) { record(tape, TAPE_NULL); }

static void key(void *tape, const char *text, size_t length) { record_text(tape, TAPE_KEY, text, length); }
static void string(void *tape, const char *text, size_t length) { record_text(tape, TAPE_STRING, text, length); }

static void signed_integer(void *tape, int64_t value) {
    struct tape_event *event = record(tape, TAPE_SIGNED);
    if (event) event->value.signed_integer = value;
}

static void unsigned_integer(void *tape, uint64_t value) {
    struct tape_event *event = record(tape, TAPE_UNSIGNED);
    if (event) event->value.unsigned_integer = value;
}

static void number(void *tape, double value) {
    struct tape_event *event = record(tape, TAPE_NUMBER);
    if (event) event->value.number = value;
}

static void boolean(void *tape, int value) {
    struct tape_event *event = record(tape, TAPE_BOOLEAN);
    if (event) event->value.boolean = value;
}

const struct pve_rdma_visitor tape_recorder = {
    .begin_object = begin_object,
    .key = key,
    .end_object = end_object,
    .begin_array = begin_array,
    .end_array = end_array,
    .string = string,
    .signed_integer = signed_integer,
    .unsigned_integer = unsigned_integer,
    .number = number,
    .boolean = boolean,
    .null = null,
};

void tape_release(struct tape *tape) {
    free(tape->events);
    free(tape->text);
    pve_rdma_free(tape->words);
}
