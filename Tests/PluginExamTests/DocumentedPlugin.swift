import Foundation
import TestSupport

/// The plugins of docs/plugins.md, as they stand there.
enum DocumentedPlugin: String, CaseIterable {
    case python = "#!/usr/bin/env python3\nimport json, sys\n\nFILMS"
    case hook = "#!/usr/bin/env python3\nimport json, sys\n\ncount"
    case jq = "#!/bin/sh\nexec jq --unbuffered"

    /// The text of its block in the document.
    func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = String(decoding: try Data(contentsOf: root.appending(path: "docs/plugins.md")), as: UTF8.self)
        let blocks = page.components(separatedBy: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
            .map { $0.element.drop { $0 != "\n" }.dropFirst() }
        guard let block = blocks.first(where: { $0.hasPrefix(rawValue) }) else {
            throw TooLate("docs/plugins.md has no plugin that begins with \(rawValue)")
        }
        return String(block)
    }

    /// Whether what runs it is installed.
    var isRunnable: Bool {
        ["/usr/bin", "/usr/local/bin", "/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(self == .jq ? "jq" : "python3")")
        }
    }
}

/// Writes a program into a folder, and returns its path.
func written(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder("plugin")
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
}
