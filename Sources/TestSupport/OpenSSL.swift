internal import Foundation

/// The program that makes certificates for tests.
package enum OpenSSL {
    private static let path = "/usr/bin/openssl"

    package static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs it in a folder; `arguments` are parted by spaces.
    ///
    /// - Throws: ``Failed`` where it ends with another code than 0.
    package static func run(_ arguments: String, in folder: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failed(arguments: arguments) }
    }

    package struct Failed: Error {
        package let arguments: String
    }
}
