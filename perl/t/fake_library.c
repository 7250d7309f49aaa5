/* A stand-in for libpve_rdma that answers with one value of every kind, for values.t. */
#include <pve_rdma.h>
#include <stdlib.h>
#include <string.h>

const char *pve_rdma_version(void) { return "fake"; }

static void key(const struct pve_rdma_visitor *v, void *context, const char *name) {
    v->key(context, name, strlen(name));
}

int pve_rdma_visit(const char *operation, const char *request, size_t request_length,
                   const struct pve_rdma_visitor *v, void *context) {
    int item;
    if (strcmp(operation, "out-of-memory") == 0) {
        v->begin_object(context);
        return -1;
    }
    v->begin_object(context);
    key(v, context, "operation");
    v->string(context, operation, strlen(operation));
    key(v, context, "request");
    v->string(context, request, request_length);
    key(v, context, "yes");
    v->boolean(context, 1);
    key(v, context, "no");
    v->boolean(context, 0);
    key(v, context, "nothing");
    v->null(context);
    key(v, context, "lowest");
    v->signed_integer(context, INT64_MIN);
    key(v, context, "small");
    v->unsigned_integer(context, 7);
    key(v, context, "highest");
    v->unsigned_integer(context, UINT64_MAX);
    key(v, context, "number");
    v->number(context, 0.25);
    key(v, context, "sm\xc3\xb8rrebr\xc3\xb8" "d");
    v->string(context, "\xe2\x82\xac\0\xe2\x82\xac", 7);
    key(v, context, "empty");
    v->string(context, "", 0);
    key(v, context, "nested");
    v->begin_array(context);
    v->begin_array(context);
    v->end_array(context);
    v->begin_object(context);
    v->end_object(context);
    v->end_array(context);
    key(v, context, "long");
    v->begin_array(context);
    for (item = 0; item < 100000; item++) v->unsigned_integer(context, (uint64_t)item);
    v->end_array(context);
    v->end_object(context);
    return 0;
}

int pve_rdma_visit_text(const char *operation, const char *request, size_t request_length,
                        const struct pve_rdma_visitor *v, void *context, char **text) {
    *text = strdup("50 \xe2\x82\xac\n");
    return pve_rdma_visit(operation, request, request_length, v, context);
}

void pve_rdma_free(char *text) { free(text); }
