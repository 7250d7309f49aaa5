/* The Perl binding: a request's JSON in, a reply of Perl values out. PVE/RDMA.pm documents it. */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

#include "tape.h"

struct player {
    const struct tape *tape;
    size_t next;
    SV *yes, *no; /* the objects that stand for true and false */
};

static SV *play(pTHX_ struct player *player);

static const char *text_of(const struct player *player, const struct tape_event *event) {
    return player->tape->text + event->value.text.offset;
}

static SV *play_object(pTHX_ struct player *player) {
    HV *object = newHV();
    SV *reference = sv_2mortal(newRV_noinc((SV *)object)); /* released should Perl leave here by longjmp */
    while (player->tape->events[player->next].kind == TAPE_KEY) {
        const struct tape_event *key = &player->tape->events[player->next++];
        SV *value = play(aTHX_ player);
        /* A negative length tells Perl that the key is UTF-8. */
        if (!hv_store(object, text_of(player, key), -(I32)key->value.text.length, value, 0)) SvREFCNT_dec(value);
    }
    player->next++; /* the end */
    return SvREFCNT_inc_simple_NN(reference);
}

static SV *play_array(pTHX_ struct player *player) {
    AV *array = newAV();
    SV *reference = sv_2mortal(newRV_noinc((SV *)array));
    while (player->tape->events[player->next].kind != TAPE_END_ARRAY) av_push(array, play(aTHX_ player));
    player->next++;
    return SvREFCNT_inc_simple_NN(reference);
}

/* The value that stands at `next`; the caller owns it. A reply's depth is that of its types, so recursion is bounded. */
static SV *play(pTHX_ struct player *player) {
    const struct tape_event *event = &player->tape->events[player->next++];
    switch (event->kind) {
    case TAPE_BEGIN_OBJECT:
        return play_object(aTHX_ player);
    case TAPE_BEGIN_ARRAY:
        return play_array(aTHX_ player);
    case TAPE_STRING:
        return newSVpvn_utf8(text_of(player, event), event->value.text.length, 1);
    case TAPE_SIGNED:
        return newSViv((IV)event->value.signed_integer);
    case TAPE_UNSIGNED:
        return newSVuv((UV)event->value.unsigned_integer); /* an IV when it fits */
    case TAPE_NUMBER:
        return newSVnv(event->value.number);
    case TAPE_BOOLEAN:
        return newSVsv(event->value.boolean ? player->yes : player->no);
    default:
        return newSV(0);
    }
}

static void release(pTHX_ void *tape) {
    PERL_UNUSED_CONTEXT;
    tape_release(tape);
    free(tape);
}

MODULE = PVE::RDMA  PACKAGE = PVE::RDMA

PROTOTYPES: DISABLE

BOOT:
    STATIC_ASSERT_STMT(sizeof(IV) >= sizeof(int64_t) && sizeof(UV) >= sizeof(uint64_t));

const char *
version()
CODE:
    RETVAL = pve_rdma_version();
OUTPUT:
    RETVAL

void
_call(SV *operation, SV *request, SV *yes, SV *no, bool wants_text)
PREINIT:
    struct tape *tape;
    struct player player;
    const char *name, *json;
    STRLEN json_length;
    SV *reply, *text;
    int code;
PPCODE:
    name = SvPVutf8_nolen(operation);
    json = SvPVbyte(request, json_length);
    tape = calloc(1, sizeof *tape);
    if (!tape) croak("PVE::RDMA::call: out of memory\n");
    ENTER;
    SAVEDESTRUCTOR_X(release, tape);
    code = wants_text ? pve_rdma_visit_text(name, json, json_length, &tape_recorder, tape, &tape->words)
                      : pve_rdma_visit(name, json, json_length, &tape_recorder, tape);
    if (code < 0 || tape->broken) croak("PVE::RDMA::call: out of memory\n");
    TAINT_NOT; /* a tainted parameter does not taint the reply */
    player = (struct player){.tape = tape, .yes = yes, .no = no};
    reply = play(aTHX_ &player);
    text = wants_text && tape->words ? newSVpvn_utf8(tape->words, strlen(tape->words), 1) : NULL;
    LEAVE;
    mXPUSHs(reply);
    if (text) mXPUSHs(text);
