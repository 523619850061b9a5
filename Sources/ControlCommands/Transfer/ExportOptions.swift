internal import ArgumentParser
internal import SyncModel

/// What every command takes that writes what is here into a file for other programs.
struct ExportOptions: ParsableArguments {
    @Argument(help: "The file; - is standard output.")
    var file = "-"

    @Option(help: "json or plist; without it, what the name of the file says.")
    var format: PropertyFile.Format?

    /// Writes the file, which appears when it is complete.
    func write(_ value: JSONValue, _ output: Output) throws {
        try PropertyFile.write(try PropertyFile.text(value, as: format ?? .init(of: file)), to: file, output)
    }
}
