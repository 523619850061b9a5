import Foundation
import Testing

/// A certificate for 127.0.0.1 that vouches for itself, and its key, in files of a folder.
struct TestCertificate {
    static let tool = "/usr/bin/openssl"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    let certificate: String
    let key: String

    init(in folder: TemporaryFolder, name: String = "server") throws {
        certificate = "\(folder.path)/\(name).pem"
        key = "\(folder.path)/\(name).key"
        let process = Process()
        process.executableURL = URL(filePath: TestCertificate.tool)
        let words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=server -addext subjectAltName=IP:127.0.0.1"
        process.arguments = words.split(separator: " ").map(String.init) + ["-keyout", key, "-out", certificate]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    func content(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }
}
