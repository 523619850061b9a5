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

extension Terminal {
    /// Asks for a line that is not shown while it is typed, on the terminal that the process belongs to.
    ///
    /// - Throws: where there is no terminal, or the person gave up (Ctrl-C).
    package static func secret(prompt: String) throws(SystemError) -> String {
        let path = "/dev/tty"
        let terminal = try Descriptor.open(path, O_RDWR | O_NOCTTY)
        var before = termios()
        guard tcgetattr(terminal.number, &before) == 0 else { throw .last("ask at", path) }
        var silent = before
        // Signals too would leave the terminal silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        guard tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else { throw .last("ask at", path) }
        defer { tcsetattr(terminal.number, TCSAFLUSH, &before) }
        try terminal.writeAll(Array(prompt.utf8), path: path)
        var line: [UInt8] = []
        while let byte = try terminal.nextByte(path: path), byte != UInt8(ascii: "\n") {
            guard byte != endOfText else { throw SystemError(code: EINTR, operation: "ask at", path: path) }
            line.append(byte)
        }
        try terminal.writeAll([UInt8(ascii: "\n")], path: path)
        return String(decoding: line, as: UTF8.self)
    }

    /// What Ctrl-C sends.
    private static let endOfText: UInt8 = 3
}

extension Descriptor {
    /// Nil at the end.
    fileprivate func nextByte(path: String) throws(SystemError) -> UInt8? {
        var byte: UInt8 = 0
        let count = uninterrupted { Glibc.read(number, &byte, 1) }
        guard count >= 0 else { throw .last("read", path) }
        return count == 0 ? nil : byte
    }
}
