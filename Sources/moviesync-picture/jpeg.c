#include "picture.h"

#include <stdio.h>
// After stdio.h, which it needs.
#include <jerror.h>
#include <jpeglib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(j_common_ptr codec) {
    char reason[JMSG_LENGTH_MAX];
    codec->err->format_message(codec, reason);
    picture_refuse(reason);
}

// Warnings are about bodies that end early or have rubbish in them: what can be seen of them is shown.
static void ignore(j_common_ptr codec, int level) {
    (void)codec;
    (void)level;
}

static int orientation_of(struct jpeg_decompress_struct *jpeg) {
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker != NULL; marker = marker->next) {
        if (marker->marker == JPEG_APP0 + 1) return picture_orientation(marker->data, marker->data_length);
    }
    return 1;
}

// The smallest of the eight sizes that decoding offers that is not below what is wanted.
static void choose_scale(struct jpeg_decompress_struct *jpeg, uint32_t wanted, int orientation) {
    uint32_t whole = orientation >= 5 ? jpeg->image_height : jpeg->image_width;
    jpeg->scale_denom = 8;
    jpeg->scale_num = 1;
    while (jpeg->scale_num < 8 && (uint64_t)whole * jpeg->scale_num / 8 < wanted) jpeg->scale_num++;
}

// Four inks, inverted as all programs write them.
static void from_inks(uint8_t *to, const uint8_t *inks, uint32_t width) {
    for (uint32_t x = 0; x < width; x++, to += 3, inks += 4) {
        for (int channel = 0; channel < 3; channel++) to[channel] = (uint8_t)(inks[channel] * inks[3] / 255);
    }
}

static void read_rows(struct jpeg_decompress_struct *jpeg, struct picture picture) {
    uint8_t *inks = jpeg->output_components == 4 ? malloc((size_t)picture.width * 4) : NULL;
    if (jpeg->output_components == 4 && inks == NULL) picture_refuse("there is no memory");
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *row = picture.pixels + (size_t)jpeg->output_scanline * picture.width * 3;
        JSAMPROW target = inks != NULL ? inks : row;
        jpeg_read_scanlines(jpeg, &target, 1);
        if (inks != NULL) from_inks(row, inks, picture.width);
    }
    free(inks);
}

struct picture picture_decode_jpeg(const uint8_t *body, size_t size, uint32_t width, int *orientation) {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = fail;
    errors.emit_message = ignore;
    jpeg_create_decompress(&jpeg);
    jpeg_save_markers(&jpeg, JPEG_APP0 + 1, 0xFFFF);
    jpeg_mem_src(&jpeg, body, size);
    jpeg_read_header(&jpeg, TRUE);
    picture_check_size(jpeg.image_width, jpeg.image_height);
    *orientation = orientation_of(&jpeg);
    choose_scale(&jpeg, width, *orientation);
    jpeg.out_color_space = jpeg.num_components == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&jpeg);
    struct picture picture = {jpeg.output_width, jpeg.output_height, NULL};
    picture.pixels = picture_allocate(picture.width, picture.height);
    read_rows(&jpeg, picture);
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return picture;
}

static void write_all(const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written <= 0) picture_refuse("nobody takes the picture");
        bytes += written;
        count -= (size_t)written;
    }
}

void picture_encode_jpeg(struct picture picture) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *out = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = fail;
    errors.emit_message = ignore;
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = picture.width;
    jpeg.image_height = picture.height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 82, TRUE);
    jpeg.optimize_coding = TRUE;
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = picture.pixels + (size_t)jpeg.next_scanline * picture.width * 3;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    write_all(out, size);
    free(out);
}
