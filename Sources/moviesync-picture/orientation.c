#include "picture.h"

#include <stdlib.h>
#include <string.h>

// Numbers of a TIFF block, in the order of bytes that it says.
struct tiff {
    const uint8_t *bytes;
    size_t size;
    int is_little;
};

static uint32_t number(struct tiff tiff, size_t at, size_t length) {
    uint32_t value = 0;
    if (at > tiff.size || length > tiff.size - at) return 0;
    for (size_t index = 0; index < length; index++) {
        value |= (uint32_t)tiff.bytes[at + index] << 8 * (tiff.is_little ? index : length - 1 - index);
    }
    return value;
}

int picture_orientation(const uint8_t *block, size_t size) {
    static const char mark[] = "Exif\0";
    if (size < sizeof mark + 8 || memcmp(block, mark, sizeof mark) != 0) return 1;
    struct tiff tiff = {block + sizeof mark, size - sizeof mark, block[sizeof mark] == 'I'};
    size_t first = number(tiff, 4, 4);
    uint32_t count = number(tiff, first, 2);
    for (uint32_t index = 0; index < count && index < 512; index++) {
        size_t entry = first + 2 + (size_t)index * 12;
        if (number(tiff, entry, 2) != 0x0112) continue;
        uint32_t value = number(tiff, entry + 8, 2);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

struct picture picture_turn(struct picture picture, int orientation) {
    if (orientation <= 1) return picture;
    int is_crossed = orientation >= 5;
    struct picture turned = {is_crossed ? picture.height : picture.width, is_crossed ? picture.width : picture.height, NULL};
    turned.pixels = picture_allocate(turned.width, turned.height);
    for (uint32_t y = 0; y < turned.height; y++) {
        for (uint32_t x = 0; x < turned.width; x++) {
            uint32_t column = is_crossed ? y : x;
            uint32_t row = is_crossed ? x : y;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
                column = picture.width - 1 - column;
            }
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
                row = picture.height - 1 - row;
            }
            memcpy(
                turned.pixels + ((size_t)y * turned.width + x) * 3,
                picture.pixels + ((size_t)row * picture.width + column) * 3, 3);
        }
    }
    free(picture.pixels);
    return turned;
}
