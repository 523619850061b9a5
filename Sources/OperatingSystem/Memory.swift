internal import CLinux
internal import Glibc

/// The memory of this process.
package enum Memory {
    /// Gives memory that the allocator keeps for later back to the system.
    package static func trim() { malloc_trim(0) }

    /// From now on every large piece goes back to the system when it is let go. Otherwise the allocator keeps the more of
    /// them the larger they are.
    package static func returnLargePieces() { mallopt(M_MMAP_THRESHOLD, 512 * 1024) }

    /// Lets threads share the pools that the allocator takes pieces from: one for each processor, and one more. By itself it
    /// makes eight for each, and what is free in one is of no use to the others. Before the first thread is begun.
    package static func sharePools() { mallopt(M_ARENA_MAX, CInt(clamping: sysconf(CInt(_SC_NPROCESSORS_ONLN)) + 1)) }
}
