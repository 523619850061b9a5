internal import Glibc

/// Two ends of a pipe, which no other process inherits; whoever makes it closes them.
package struct Pipe: Sendable {
    package let readEnd: CInt
    package let writeEnd: CInt

    package init() throws(SystemError) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw .last("make a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
