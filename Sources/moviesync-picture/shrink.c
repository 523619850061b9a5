#include "picture.h"

#include <stdlib.h>

// The mean of the pixels from (left, top) up to (right, bottom).
static void mean(struct picture from, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom, uint8_t *to) {
    uint64_t sums[3] = {0, 0, 0};
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *pixel = from.pixels + ((size_t)y * from.width + left) * 3;
        for (uint32_t x = left; x < right; x++, pixel += 3) {
            for (int channel = 0; channel < 3; channel++) sums[channel] += pixel[channel];
        }
    }
    uint64_t count = (uint64_t)(right - left) * (bottom - top);
    for (int channel = 0; channel < 3; channel++) to[channel] = (uint8_t)((sums[channel] + count / 2) / count);
}

struct picture picture_shrink(struct picture picture, uint32_t width) {
    if (width >= picture.width) return picture;
    uint64_t height = ((uint64_t)picture.height * width + picture.width / 2) / picture.width;
    struct picture small = {width, height > 0 ? (uint32_t)height : 1, NULL};
    small.pixels = picture_allocate(small.width, small.height);
    for (uint32_t y = 0; y < small.height; y++) {
        uint32_t top = (uint32_t)((uint64_t)y * picture.height / small.height);
        uint32_t bottom = (uint32_t)((uint64_t)(y + 1) * picture.height / small.height);
        for (uint32_t x = 0; x < small.width; x++) {
            uint32_t left = (uint32_t)((uint64_t)x * picture.width / small.width);
            uint32_t right = (uint32_t)((uint64_t)(x + 1) * picture.width / small.width);
            mean(picture, left, right, top, bottom, small.pixels + ((size_t)y * small.width + x) * 3);
        }
    }
    free(picture.pixels);
    return small;
}
