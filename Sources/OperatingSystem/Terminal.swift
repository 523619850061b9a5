internal import Glibc

/// The terminal that a descriptor may be.
package enum Terminal {
    /// True where the descriptor is a terminal.
    package static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// How many characters fit in a row; nil where the descriptor is no terminal or does not say.
    package static func columns(of descriptor: CInt = 1) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
