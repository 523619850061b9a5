internal import Glibc

/// What this project needs to know about folders and the shape of paths.
///
/// Paths are text and stay as they were written, also in messages; swift-system's `FilePath` would normalize them.
package enum Folder {
    /// The folder part of a path: `.` where it has none, `/` for what stands in the root.
    package static func containing(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// `name` inside `folder`.
    package static func path(_ name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Why this process can't make files in a folder; nil where it can.
    package static func refusal(toWriteIn path: String) -> SystemError? {
        access(path, W_OK | X_OK) == 0 ? nil : .last("make a file in", path)
    }

    /// Makes the folder and those above it, as far as they are missing.
    ///
    /// New ones get `mode`, narrowed by the umask; existing ones stay as they are.
    package static func make(_ path: String, mode: UInt32 = 0o755) throws(SystemError) {
        if mkdir(path, mode) == 0 { return }
        let first = SystemError.last("make folder", path)
        if first.code == ENOENT {
            let parent = containing(path)
            guard parent != path else { throw first }
            try make(parent, mode: mode)
            if mkdir(path, mode) == 0 || errno == EEXIST { return }
            throw .last("make folder", path)
        }
        guard first.code == EEXIST, try FileIdentity.of(path: path).kind == .folder else { throw first }
    }

    /// Renames a file, which takes the place of what is at `target`.
    package static func move(_ path: String, to target: String) throws(SystemError) {
        guard rename(path, target) == 0 else { throw .last("rename", path) }
    }

    /// Renames a file that can't be used, so that another one can stand in its place.
    ///
    /// - Returns: its path now: with `.unreadable`, or where that is taken with `.unreadable.2` and so on.
    package static func setAside(_ path: String) throws(SystemError) -> String {
        var (place, number) = (path + ".unreadable", 2)
        while (try? FileIdentity.of(path: place, followingLinks: false)) != nil {
            place = "\(path).unreadable.\(number)"
            number += 1
        }
        try move(path, to: place)
        return place
    }

    /// The names in the folder, without `.` and `..`, in byte order.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let stream = opendir(path) else { throw .last("list", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The path without links, `.` and `..`; nil where it does not exist.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Where the link at `path` points to, seen from where `path` is seen; nil where it is no link.
    package static func target(ofLink path: String) -> String? {
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return target.map { $0.hasPrefix("/") ? $0 : Folder.path($0, in: containing(path)) }
    }

    /// Makes a name that was added to the folder, or taken from it, survive a power cut.
    package static func synchronize(_ path: String) throws(SystemError) {
        try Descriptor.open(path, O_RDONLY | O_DIRECTORY).synchronize(path: path)
    }
}
