/// A file that says what its owner has in memory: written anew after each change, and once more where that has failed.
package struct KeptFile: Sendable {
    package let path: String
    /// Why the file does not say what was to be kept last; nil where it does.
    package private(set) var unsaved: String?

    package init(path: String) { self.path = path }

    /// Puts a new file of mode 0600 in the place of the present one; it is on the disk when this returns.
    ///
    /// - Returns: why that has failed, where it has not failed for the same reason before.
    package mutating func save(_ text: () throws -> [UInt8]) -> String? {
        do {
            let file = try ReplacingFile(path: path)
            try file.write(text())
            try file.finish()
            unsaved = nil
            return nil
        } catch {
            let reason = "\(error)"
            defer { unsaved = reason }
            return unsaved == reason ? nil : reason
        }
    }
}
