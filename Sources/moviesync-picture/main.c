// Reads a JPEG or PNG from standard input and writes it as a JPEG of at most the given size to standard output, turned
// as its Exif orientation says and with nothing of its metadata. Decoders are the favourite place for mistakes that let
// strangers in, so this is a process of its own that can do nothing else.
#include "picture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

_Noreturn void picture_refuse(const char *reason) {
    fprintf(stderr, "moviesync-picture: %s\n", reason);
    exit(EX_DATAERR);
}

uint8_t *picture_allocate(uint32_t width, uint32_t height) {
    picture_check_size(width, height);
    uint8_t *pixels = malloc((size_t)width * height * 3);
    if (pixels == NULL) picture_refuse("the picture needs more memory than it may have");
    return pixels;
}

void picture_check_size(uint64_t width, uint64_t height) {
    if (width == 0 || height == 0) picture_refuse("the picture is empty");
    if (width > 65535 || height > 65535 || width * height > PICTURE_MOST_PIXELS) {
        picture_refuse("the picture has more than 40 million pixels");
    }
}

static void limit(__rlimit_resource_t resource, rlim_t most) {
    const struct rlimit limits = {most, most};
    if (setrlimit(resource, &limits) != 0) {
        fprintf(stderr, "moviesync-picture: no limit can be set: %s\n", strerror(errno));
        exit(EX_OSERR);
    }
}

static void out_of_time(int number) {
    (void)number;
    static const char words[] = "moviesync-picture: it takes too long to decode\n";
    ssize_t count = write(STDERR_FILENO, words, sizeof words - 1);
    _exit(count < 0 ? EX_IOERR : EX_DATAERR);
}

// The soft limit comes as a signal, so that there are words for it.
static void limit_processor_time(rlim_t seconds) {
    const struct rlimit limits = {seconds, seconds + 1};
    if (signal(SIGXCPU, out_of_time) == SIG_ERR || setrlimit(RLIMIT_CPU, &limits) != 0) {
        fprintf(stderr, "moviesync-picture: no limit can be set: %s\n", strerror(errno));
        exit(EX_OSERR);
    }
}

// No more memory, time, files or children than a picture needs, and no privilege ever again.
static void confine(void) {
    limit(RLIMIT_AS, 192u << 20);
    limit_processor_time(5);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 3);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        fprintf(stderr, "moviesync-picture: privileges can't be given up: %s\n", strerror(errno));
        exit(EX_OSERR);
    }
}

static uint8_t *read_body(size_t *size) {
    uint8_t *body = malloc(PICTURE_LARGEST_BODY + 1);
    if (body == NULL) picture_refuse("there is no memory");
    *size = 0;
    for (;;) {
        ssize_t count = read(STDIN_FILENO, body + *size, PICTURE_LARGEST_BODY + 1 - *size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) picture_refuse("it can't be read");
        if (count == 0) return body;
        *size += (size_t)count;
        if (*size > PICTURE_LARGEST_BODY) picture_refuse("the picture has more than 8 MiB");
    }
}

static uint32_t wanted(const char *word) {
    char *end = NULL;
    unsigned long pixels = word == NULL ? 0 : strtoul(word, &end, 10);
    if (pixels == 0 || pixels > PICTURE_LONGEST_SIDE || *end != '\0') {
        fprintf(stderr, "usage: moviesync-picture WIDTH [HEIGHT] < picture > jpeg   (at most; in pixels, 1 to 4096)\n");
        exit(EX_USAGE);
    }
    return (uint32_t)pixels;
}

// The width of a picture of this shape that is at most so wide and, unless that is 0, so high.
static uint32_t fitting(uint64_t width, uint64_t height, uint64_t most_width, uint64_t most_height) {
    if (most_height > 0 && most_height * width < most_width * height) most_width = most_height * width / height;
    return most_width > 0 ? (uint32_t)most_width : 1;
}

int main(int count, char **words) {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint32_t width = wanted(count <= 3 ? words[1] : NULL);
    uint32_t height = count == 3 ? wanted(words[2]) : 0;
    confine();
    size_t size = 0;
    uint8_t *body = read_body(&size);
    struct picture picture;
    int orientation = 1;
    if (size > 3 && body[0] == 0xFF && body[1] == 0xD8 && body[2] == 0xFF) {
        picture = picture_decode_jpeg(body, size, width, &orientation);
    } else if (size > sizeof png && memcmp(body, png, sizeof png) == 0) {
        picture = picture_decode_png(body, size);
    } else {
        picture_refuse("this is neither a JPEG nor a PNG");
    }
    free(body);
    // The orientations from 5 on exchange width and height: shrunk before the turn, the height counts.
    if (orientation >= 5) {
        width = fitting(picture.height, picture.width, width, height);
        uint64_t across = ((uint64_t)width * picture.width + picture.height / 2) / picture.height;
        picture = picture_shrink(picture, across > 0 ? (uint32_t)across : 1);
    } else {
        picture = picture_shrink(picture, fitting(picture.width, picture.height, width, height));
    }
    picture_encode_jpeg(picture_turn(picture, orientation));
    return EX_OK;
}
