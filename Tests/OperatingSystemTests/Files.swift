import OperatingSystem

func mode(of path: String) -> UInt32? { (try? FileIdentity.of(path: path, followingLinks: false))?.mode }

func text(of path: String) throws -> String {
    let file = try ReadableFile(path: path)
    return String(decoding: try file.read(at: 0, count: 1 << 20), as: UTF8.self)
}

func write(_ text: String, to path: String) throws {
    let file = try DurableFile(path: path)
    try file.truncate(to: 0)
    try file.append(Array(text.utf8))
}
