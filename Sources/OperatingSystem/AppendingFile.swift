internal import Glibc

/// Appends whole lines to a file that others append to at the same time, without a lock.
package enum AppendingFile {
    /// Appends `line` and its newline with one write, and returns when it is on the disk.
    ///
    /// The file is made with mode 0660, whatever the umask, where it is missing, also at the end of a link; its folder must
    /// exist. A torn line that somebody left at the end is closed with a newline first. After a short write the line is
    /// closed with a newline, so that it can't run into the next one, and the call throws.
    ///
    /// If the file was rotated away while the line was written, the line is appended to its successor as well: a reader
    /// may have left the old file already. Lines must therefore be harmless when they are read twice (`opID`).
    package static func append(line: [UInt8], to path: String) throws(SystemError) {
        var line = line
        if line.last != newline { line.append(newline) }
        for _ in 0..<attempts {
            let (descriptor, made) = try open(path)
            try write(line, to: descriptor, path: path)
            try descriptor.synchronize(path: path)
            if let made { try Folder.synchronize(Folder.containing(made)) }
            let written = try FileIdentity.of(descriptor, path: path)
            guard let now = try? FileIdentity.of(path: path), !now.isSameFile(as: written) else { return }
        }
    }

    /// Whether ``append(line:to:)`` could open the file now; changes nothing.
    ///
    /// - Throws: what would keep it from that.
    package static func check(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            _ = try opened(path, O_RDWR)
        } catch {
            guard error.code == ENOENT else { throw error }
            if let target = Folder.target(ofLink: path) { return try check(target) }
            let folder = Folder.containing(path)
            if let refusal = Folder.refusal(toWriteIn: folder) { throw refusal }
        }
    }

    private static let newline: UInt8 = 0x0A
    /// How often a file may be replaced under our hands before something else must be wrong.
    private static let attempts = 4

    /// - Returns: the file, and its path where it was made.
    private static func open(_ path: String) throws(SystemError) -> (Descriptor, made: String?) {
        var last = SystemError(code: ENOENT, operation: "open", path: path)
        for _ in 0..<attempts {
            do throws(SystemError) {
                return (try opened(path, O_RDWR), nil)
            } catch {
                guard error.code == ENOENT else { throw error }
                last = error
            }
            do throws(SystemError) {
                let descriptor = try opened(path, O_RDWR | O_CREAT | O_EXCL)
                guard fchmod(descriptor.number, 0o660) == 0 else { throw SystemError.last("set the mode of", path) }
                return (descriptor, path)
            } catch {
                guard error.code == EEXIST else { throw error }
            }
            // A link to nowhere is there for those who make, and not for those who open: the file is made where it leads.
            if let target = Folder.target(ofLink: path) { return try open(target) }
        }
        throw last
    }

    private static func opened(_ path: String, _ flags: CInt) throws(SystemError) -> Descriptor {
        let descriptor = try Descriptor.open(path, flags | O_APPEND | O_NONBLOCK | O_NOCTTY, mode: 0o660)
        guard try FileIdentity.of(descriptor, path: path).kind == .regular else {
            throw SystemError(code: EINVAL, operation: "append to", path: path, detail: "not a regular file")
        }
        return descriptor
    }

    private static func write(_ line: [UInt8], to descriptor: Descriptor, path: String) throws(SystemError) {
        let size = try FileIdentity.of(descriptor, path: path).size
        let isTorn = size > 0 ? try descriptor.read(at: size - 1, count: 1, path: path) != [newline] : false
        let bytes = isTorn ? [newline] + line : line
        let count = try descriptor.writeOnce(bytes, path: path)
        guard count < bytes.count else { return }
        let isEnded = count > 0 && (try? descriptor.writeOnce([newline], path: path)) == 1
        // Whoever writes next ends it.
        let isWhole = count == bytes.count - 1
        if isWhole, isEnded { return }
        throw SystemError(
            code: ENOSPC, operation: "append to", path: path,
            detail: isWhole
                ? "all but the line's end was written; make room, and it is read with the next line: do not write it again"
                : "only \(count) of \(bytes.count) bytes were written; make room and try again")
    }
}
