// What the parts of moviesync-picture say to each other.
#ifndef MOVIESYNC_PICTURE_H
#define MOVIESYNC_PICTURE_H

#include <stddef.h>
#include <stdint.h>

// In bytes and pixels: what is larger is refused before anything of it is decoded.
#define PICTURE_LARGEST_BODY (8u << 20)
#define PICTURE_MOST_PIXELS (40u * 1000 * 1000)
// The longest side that can be asked for.
#define PICTURE_LONGEST_SIDE 4096

// Rows of red, green and blue, without gaps.
struct picture {
    uint32_t width;
    uint32_t height;
    uint8_t *pixels;
};

// Ends the process with EX_DATAERR and one line that says why.
_Noreturn void picture_refuse(const char *reason);

// Memory for pixels; ends the process where there is none.
uint8_t *picture_allocate(uint32_t width, uint32_t height);

// Ends the process where a picture of this size is not decoded.
void picture_check_size(uint64_t width, uint64_t height);

// Decodes; a JPEG no larger than needed for `width` pixels, measured as a viewer shows it.
struct picture picture_decode_jpeg(const uint8_t *body, size_t size, uint32_t width, int *orientation);
struct picture picture_decode_png(const uint8_t *body, size_t size);

// Writes a JPEG to standard output.
void picture_encode_jpeg(struct picture picture);

// The orientation of an Exif block, 1 to 8; 1 where it says nothing.
int picture_orientation(const uint8_t *block, size_t size);

// The picture as that orientation wants it shown.
struct picture picture_turn(struct picture picture, int orientation);

// The picture at most this wide, in its proportions, each pixel the mean of what it covers; never enlarged.
struct picture picture_shrink(struct picture picture, uint32_t width);

#endif
