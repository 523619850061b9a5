#include "picture.h"

#include <png.h>
#include <string.h>

struct picture picture_decode_png(const uint8_t *body, size_t size) {
    // What is transparent shows white.
    static const png_color white = {255, 255, 255};
    png_image png;
    memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&png, body, size) == 0) picture_refuse(png.message);
    png.format = PNG_FORMAT_RGB;
    struct picture picture = {png.width, png.height, picture_allocate(png.width, png.height)};
    if (png_image_finish_read(&png, &white, picture.pixels, 0, NULL) == 0) picture_refuse(png.message);
    return picture;
}
