// A codec goes over a message's fields in order, in one of two directions. After the first thing
// that doesn't fit it does nothing more, and remembers why.
#include "wire.h"

#include <assert.h>
#include <string.h>

static const char magic[2] = {'g', 'c'};

struct codec {
    bool is_reading;
    uint8_t *out;      // writing
    const uint8_t *in; // reading
    size_t at, size;
    const char *wrong; // NULL: all is well
};

// Room for `count` more bytes.
static bool advance(struct codec *c, size_t count) {
    assert(c->at <= c->size);
    if (c->wrong)
        return false;
    if (count > c->size - c->at) {
        c->wrong = "it is too short";
        return false;
    }
    c->at += count;
    return true;
}

static void visit_bytes(struct codec *c, uint8_t *bytes, size_t count) {
    if (!advance(c, count) || count == 0)
        return;
    if (c->is_reading)
        memcpy(bytes, c->in + c->at - count, count);
    else
        memcpy(c->out + c->at - count, bytes, count);
}

static uint64_t visit_number(struct codec *c, uint64_t value, size_t size) {
    uint8_t bytes[8];
    assert(size <= sizeof bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    visit_bytes(c, bytes, size);
    if (!c->is_reading || c->wrong)
        return value;
    value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void visit_u8(struct codec *c, uint8_t *value) {
    uint64_t number = visit_number(c, *value, 1);
    if (c->is_reading)
        *value = (uint8_t)number;
}

static void visit_u32(struct codec *c, uint32_t *value) {
    uint64_t number = visit_number(c, *value, 4);
    if (c->is_reading)
        *value = (uint32_t)number;
}

static void visit_u64(struct codec *c, uint64_t *value) {
    uint64_t number = visit_number(c, *value, 8);
    if (c->is_reading)
        *value = number;
}

// Printable ASCII: what is shown on terminals can't steer them.
static bool is_plain(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~')
            return false;
    }
    return true;
}

static void visit_text(struct codec *c, char *text, size_t capacity) {
    assert(capacity > 0);
    size_t length = c->is_reading ? 0 : strnlen(text, capacity - 1);
    length = (size_t)visit_number(c, length, 2);
    if (c->wrong)
        return;
    if (length >= capacity) {
        c->wrong = "a text is too long";
        return;
    }
    visit_bytes(c, (uint8_t *)text, length);
    if (c->wrong || !c->is_reading)
        return;
    text[length] = 0;
    if (!is_plain(text, length))
        c->wrong = "a text has unprintable characters";
}

static void visit_card(struct codec *c, struct gcl_wire_card *card) {
    visit_text(c, card->host, sizeof card->host);
    visit_text(c, card->boot, sizeof card->boot);
    visit_text(c, card->memory_name, sizeof card->memory_name);
    visit_text(c, card->interface, sizeof card->interface);
    visit_text(c, card->device, sizeof card->device);
    visit_text(c, card->local_door, sizeof card->local_door);
    visit_text(c, card->bound, sizeof card->bound);
    visit_text(c, card->cores, sizeof card->cores);
    visit_text(c, card->memory_nodes, sizeof card->memory_nodes);
    visit_text(c, card->network, sizeof card->network);
    visit_u32(c, &card->door_address);
    visit_u32(c, &card->door_port);
    visit_u32(c, &card->process);
    visit_u32(c, &card->board);
    visit_u64(c, &card->board_address);
    visit_u32(c, &card->is_apart);
    visit_u32(c, &card->is_packed);
    visit_u32(c, &card->can_fault);
    visit_u32(c, &card->threads);
#define LIMIT(name) visit_u32(c, &card->limits.name);
    GCL_LIMITS_MAP(LIMIT)
#undef LIMIT
    visit_u64(c, &card->memory);
    visit_u64(c, &card->begin);
    visit_u64(c, &card->end);
    visit_u64(c, &card->code);
    if (!c->wrong && card->door_port > UINT16_MAX)
        c->wrong = "a port is too large";
}

static void visit_seat(struct codec *c, struct gcl_wire_seat *seat) {
    struct gcl_seat *own = &seat->seat;
    visit_text(c, seat->host, sizeof seat->host);
    visit_bytes(c, (uint8_t *)&own->threads, sizeof own->threads);
    visit_u32(c, &own->gpu_count);
    if (!c->wrong && own->gpu_count > GCL_SEAT_GPUS)
        c->wrong = "it has too many GPUs";
    for (uint32_t i = 0; !c->wrong && i < own->gpu_count; i++) {
        visit_bytes(c, own->gpus[i].uuid, sizeof own->gpus[i].uuid);
        visit_u64(c, &own->gpus[i].place);
        visit_u32(c, &own->gpus[i].number);
    }
}

static void visit_hello(struct codec *c, struct gcl_wire_hello *hello) {
    visit_bytes(c, hello->nonce, sizeof hello->nonce);
}

static void visit_challenge(struct codec *c, struct gcl_wire_challenge *challenge) {
    visit_bytes(c, challenge->nonce, sizeof challenge->nonce);
    visit_bytes(c, challenge->proof, sizeof challenge->proof);
}

static void visit_proof(struct codec *c, struct gcl_wire_proof *proof) {
    visit_bytes(c, proof->proof, sizeof proof->proof);
}

static void visit_welcome(struct codec *c, struct gcl_wire_welcome *welcome) {
    visit_u32(c, &welcome->count);
}

static void visit_beat(struct codec *c, struct gcl_wire_beat *beat) {
    visit_u64(c, &beat->sequence);
    visit_u64(c, &beat->tiers.on_device);
    visit_u64(c, &beat->tiers.in_host);
    visit_u64(c, &beat->tiers.in_files);
    visit_u64(c, &beat->tiers.came);
    visit_u64(c, &beat->tiers.went);
}

static void visit_lost(struct codec *c, struct gcl_wire_lost *lost) {
    visit_u32(c, &lost->node);
    visit_text(c, lost->reason, sizeof lost->reason);
}

static void visit_bye(struct codec *c, struct gcl_wire_bye *bye) {
    visit_u32(c, &bye->is_failure);
}

static void visit_ping(struct codec *c, struct gcl_wire_ping *ping) {
    visit_u64(c, &ping->id);
    visit_u64(c, &ping->clock_ns);
}

static void visit_measure(struct codec *c, struct gcl_wire_measure *measure) {
    visit_u32(c, &measure->target);
}

static void visit_measured(struct codec *c, struct gcl_wire_measured *measured) {
    visit_u32(c, &measured->target);
    visit_u64(c, &measured->latency_ns);
    visit_u64(c, &measured->bytes_per_second);
    visit_text(c, measured->link, sizeof measured->link);
}

static void visit_data(struct codec *c, struct gcl_wire_data *data) {
    visit_u64(c, &data->tag);
}

static void visit_operation(struct codec *c, struct gcl_wire_operation *operation) {
    visit_u32(c, &operation->zero);
}

static void visit_head(struct codec *c, struct gcl_wire_message *message) {
    uint8_t start[2] = {(uint8_t)magic[0], (uint8_t)magic[1]};
    uint8_t version = GCL_WIRE_VERSION, kind = (uint8_t)message->kind;

    visit_bytes(c, start, sizeof start);
    visit_u8(c, &version);
    visit_u8(c, &kind);
    visit_u32(c, &message->from);
    visit_u64(c, &message->token);
    if (c->wrong || !c->is_reading)
        return;
    message->kind = (enum gcl_wire_kind)kind;
    if (memcmp(start, magic, sizeof start) != 0)
        c->wrong = "it doesn't begin as one of gcluster's";
    else if (version != GCL_WIRE_VERSION)
        c->wrong = "it comes from another version of gcluster";
}

static void visit(struct codec *c, struct gcl_wire_message *message) {
    visit_head(c, message);
    if (c->wrong)
        return;
    switch ((unsigned)message->kind) {
#define VISIT(name, number, field)                                                                 \
    case number:                                                                                   \
        visit_##field(c, &message->field);                                                         \
        break;
        GCL_WIRE_KINDS(VISIT)
#undef VISIT
    default:
        c->wrong = "its kind is unknown";
    }
}

size_t gcl_wire_write(const struct gcl_wire_message *message, uint8_t *out, size_t size) {
    struct codec c = {.out = out, .size = size};
    visit(&c, (struct gcl_wire_message *)(uintptr_t)message); // writing only reads it
    return c.wrong ? 0 : c.at;
}

const char *gcl_wire_read(const uint8_t *bytes, size_t size, struct gcl_wire_message *message) {
    struct codec c = {.is_reading = true, .in = bytes, .size = size};
    if (size > GCL_WIRE_MAX_SIZE)
        return "it is too long";
    memset(message, 0, sizeof *message);
    visit(&c, message);
    if (!c.wrong && c.at != size)
        c.wrong = "it is longer than it says";
    return c.wrong;
}

// What is shared through the launcher.

static struct codec begin_writing(enum gcl_wire_kind kind, uint8_t *out, size_t size) {
    struct codec c = {.out = out, .size = size};
    struct gcl_wire_message head = {.kind = kind};
    visit_head(&c, &head);
    return c;
}

static struct codec begin_reading(enum gcl_wire_kind kind, const uint8_t *bytes, size_t size) {
    struct codec c = {.is_reading = true, .in = bytes, .size = size};
    struct gcl_wire_message head = {.kind = kind};
    visit_head(&c, &head);
    if (!c.wrong && head.kind != kind)
        c.wrong = "it is of another kind";
    return c;
}

static const char *end_reading(const struct codec *c) {
    return !c->wrong && c->at != c->size ? "it is longer than it says" : c->wrong;
}

size_t gcl_wire_write_card(const struct gcl_wire_card *card, uint8_t *out) {
    struct codec c = begin_writing(GCL_WIRE_CARD, out, GCL_WIRE_MAX_CARD_SIZE);
    visit_card(&c, (struct gcl_wire_card *)(uintptr_t)card); // writing only reads it
    return c.wrong ? 0 : c.at;
}

const char *gcl_wire_read_card(const uint8_t *bytes, size_t size, struct gcl_wire_card *card) {
    struct codec c = begin_reading(GCL_WIRE_CARD, bytes, size);
    memset(card, 0, sizeof *card);
    visit_card(&c, card);
    return end_reading(&c);
}

size_t gcl_wire_write_seat(const struct gcl_wire_seat *seat, uint8_t *out) {
    struct codec c = begin_writing(GCL_WIRE_SEAT, out, GCL_WIRE_MAX_SEAT_SIZE);
    visit_seat(&c, (struct gcl_wire_seat *)(uintptr_t)seat); // writing only reads it
    return c.wrong ? 0 : c.at;
}

const char *gcl_wire_read_seat(const uint8_t *bytes, size_t size, struct gcl_wire_seat *seat) {
    struct codec c = begin_reading(GCL_WIRE_SEAT, bytes, size);
    memset(seat, 0, sizeof *seat);
    visit_seat(&c, seat);
    return end_reading(&c);
}

bool gcl_wire_read_head(const uint8_t *bytes, size_t size, struct gcl_wire_message *message) {
    struct codec c = {.is_reading = true, .in = bytes, .size = size};
    visit_head(&c, message);
    return !c.wrong;
}

const char *gcl_wire_name(unsigned kind) {
    switch (kind) {
#define NAME(name, number, field)                                                                  \
    case number:                                                                                   \
        return #name;
        GCL_WIRE_KINDS(NAME)
#undef NAME
    default:
        return "?";
    }
}
