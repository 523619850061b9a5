import Foundation

private let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The text of a file of this repository.
func shipped(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: repository.appending(path: path)), as: UTF8.self)
}

/// The paths of the files below a folder of this repository whose names end so.
func shippedFiles(in folder: String, ending suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: folder).path)
        .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
}
