#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CSIMDJSON_NULL = 0,
    CSIMDJSON_FALSE = 1,
    CSIMDJSON_TRUE = 2,
    CSIMDJSON_INTEGER = 3,
    CSIMDJSON_DOUBLE = 4,
    CSIMDJSON_STRING = 5,
    CSIMDJSON_ARRAY = 6,
    CSIMDJSON_OBJECT = 7,
};

/// One value in document order. An array is followed by `length` values, an object by `length` pairs of a string
/// and a value.
typedef struct {
    uint32_t kind;
    uint32_t length;
    union {
        int64_t integer;
        double number;
        const char *text;
    } value;
} csimdjson_token;

/// The tokens of one document; valid until the next call of either function on the same thread.
typedef struct {
    const csimdjson_token *tokens;
    size_t count;
    /// NULL, or what is wrong in a few words.
    const char *error;
} csimdjson_document;

/// Parses and validates the whole text (UTF-8 included). Up to 64 levels deep.
csimdjson_document csimdjson_parse(const uint8_t *bytes, size_t length);

/// Ends the use of the tokens of this thread's last document; gives the memory of a large one back.
void csimdjson_done(void);

#ifdef __cplusplus
}
#endif
