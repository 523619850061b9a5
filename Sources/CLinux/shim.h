#pragma once
// What Linux and its C library have and the Swift module Glibc lacks, because it is built without GNU extensions.
#include <linux/stat.h>
#include <malloc.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>

/// A look at a file mounts nothing, as with `stat`.
#define AT_NO_AUTOMOUNT 0x800
/// With an empty path: the descriptor itself is meant.
#define AT_EMPTY_PATH 0x1000

int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *status);
