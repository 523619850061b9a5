internal import ArgumentParser
package import PluginKit

/// The whole program: parses the command line, runs the command, ends the process with its exit code.
package enum Moviesyncd {
    package static func main() async { await MoviesyncdCommand.main() }

    /// `moviesyncd run` with more collections than those that are built in.
    package static func run(adding collections: [any CollectionPlugin]) async {
        do {
            guard let command = try MoviesyncdCommand.parseAsRoot() as? RunCommand else { return await main() }
            try await command.run(adding: collections)
        } catch {
            MoviesyncdCommand.exit(withError: error)
        }
    }
}
