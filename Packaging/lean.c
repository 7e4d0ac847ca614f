// What the packages' program has in place of two things in Swift's static libraries that no part of it needs. Packaging/make
// compiles this, and tells the linker which.
#include <stdint.h>

// The tables of ICU, 34 MB: none. ICU's own build calls that stub data. ICU comes in by GRDB, which imports all of
// Foundation; Hearth asks nothing of it that needs a table (a language, a calendar, a collation, a character set). Who did
// would be told that there is none.
const struct {
    uint16_t header;
    uint8_t magic[2];
    uint16_t size, reserved;
    uint8_t is_big_endian, character_set, character_size, reserved2;
    uint8_t format[4], format_version[4], data_version[4], padding[8];
    uint32_t count, reserved3, entry[4];
} hearth_icu_tables __attribute__((aligned(16))) = {
    .header = 32,
    .magic = {0xda, 0x27},
    .size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .character_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};

// The watch of libdispatch over its threads: none. Every second, for good, it looks which of them sleep in a call, to start
// more; Swift's tasks never block a thread of that pool, so as many as there are processors are enough, as on macOS.
void __wrap__dispatch_workq_worker_register(void *queue) { (void)queue; }
void __wrap__dispatch_workq_worker_unregister(void *queue) { (void)queue; }
