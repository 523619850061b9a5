internal import Glibc

/// Functions of the C library that its Swift module does not show, found by name at run time.
///
/// Each is nil where the library lacks it, so that nothing depends on a particular version.
enum GlibcFunctions {
    typealias Statx = @convention(c) (CInt, UnsafePointer<CChar>, CInt, CUnsignedInt, UnsafeMutableRawPointer) -> CInt
    typealias MallocTrim = @convention(c) (Int) -> CInt

    static let statx: Statx? = dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }
    static let mallocTrim: MallocTrim? = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: MallocTrim.self) }
}
