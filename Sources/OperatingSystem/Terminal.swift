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
    /// - Returns: nil where the person gave up (Ctrl-C).
    /// - Throws: where there is no terminal.
    package static func secret(prompt: String) throws(SystemError) -> String? {
        let path = "/dev/tty"
        let terminal = try Descriptor.open(path, O_RDWR | O_NOCTTY)
        var before = termios()
        guard tcgetattr(terminal.number, &before) == 0 else { throw .last("ask at", path) }
        var silent = before
        // Key by key, and without signals, which would leave the terminal silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG | ICANON)
        guard tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0 else { throw .last("ask at", path) }
        defer { tcsetattr(terminal.number, TCSAFLUSH, &before) }
        try terminal.writeAll(Array(prompt.utf8), path: path)
        var line = TypedSecret()
        while let key = try terminal.nextByte(path: path), line.take(key) {}
        try terminal.writeAll([UInt8(ascii: "\n")], path: path)
        return line.text
    }
}

/// What somebody types at a terminal that edits nothing for them.
struct TypedSecret {
    private enum Key {
        static let endOfText: UInt8 = 3
        static let endOfInput: UInt8 = 4
        static let backspace: Set<UInt8> = [0x08, 0x7F]
        static let eraseLine: UInt8 = 0x15
        static let enter: Set<UInt8> = [0x0A, 0x0D]
    }

    private var bytes: [UInt8] = []
    private var isGivenUp = false

    /// Takes a key; false where the line is over.
    mutating func take(_ key: UInt8) -> Bool {
        switch key {
        case Key.endOfText: isGivenUp = true
        case Key.eraseLine: bytes = []
        case _ where Key.backspace.contains(key): bytes = Array(String(decoding: bytes, as: UTF8.self).dropLast().utf8)
        case Key.endOfInput: return false
        case _ where Key.enter.contains(key): return false
        default: bytes.append(key)
        }
        return !isGivenUp
    }

    /// Nil where the person gave up.
    var text: String? { isGivenUp ? nil : String(decoding: bytes, as: UTF8.self) }
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
