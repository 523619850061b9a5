internal import DeclaredCollections
internal import FoundationEssentials
internal import PluginKit
internal import SyncModel
internal import SystemPackage

/// The collections that files of the folder `collections.d` declare, beside the configuration: `books.json` and so on.
struct DeclaredFolder: Sendable {
    static let name = "collections.d"
    /// Keys of a collection of this name would stand below another key.
    private static let reserved = "enabled"
    /// In bytes.
    private static let mostBytes = 1 << 20

    private(set) var collections: [DeclaredCollection] = []
    private(set) var problems: [SettingsProblem] = []

    /// Reads the folder; one that is not there declares nothing.
    ///
    /// - Parameter builtIn: names that are taken.
    init(_ folder: FilePath?, builtIn: [CollectionID]) {
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.string) }
        guard let folder, let names else { return }
        for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            read(name, at: folder.appending(name), builtIn)
        }
    }

    /// What tells whether they have changed, by name.
    var digests: [String: String] {
        Dictionary(collections.map { ($0.id.name, $0.declaration.digest) }) { first, _ in first }
    }

    private mutating func read(_ file: String, at path: FilePath, _ builtIn: [CollectionID]) {
        let whole = SettingOrigin.wholeFile(path.string)
        guard let data = try? Data(contentsOf: URL(filePath: path.string)), data.count <= DeclaredFolder.mostBytes
        else {
            let reason = "the declaration can't be read: check that it is a file of at most 1 MiB, its owner and mode"
            return problems.append(SettingsProblem(whole, reason))
        }
        let (name, text) = (String(file.dropLast(5)), Array(data))
        do {
            let declaration = try CollectionDeclaration(name: name, text: text)
            if name == DeclaredFolder.reserved {
                problems.append(SettingsProblem(whole, "collections.\(name) is a key already: use another name"))
            } else if builtIn.contains(declaration.id) {
                problems.append(SettingsProblem(whole, "the collection \(name) is built in: use another name"))
            } else {
                collections.append(DeclaredCollection(declaration))
            }
        } catch {
            let places = DeclarationPlaces(of: text, file: path.string)
            problems += error.problems.map { problem in
                let subject = problem.path.isEmpty ? "the declaration" : problem.path.joined(separator: ".")
                return SettingsProblem(places.place(of: problem.path), "\(subject) \(problem.message)")
            }
        }
    }
}

/// Where the keys of a declaration stand: JSON is YAML, whose reader knows the lines.
private struct DeclarationPlaces {
    private let file: String
    private var snapshot: YAMLSnapshot?
    /// Where the text is broken.
    private var fault: SettingOrigin?

    init(of text: [UInt8], file: String) {
        self.file = file
        do {
            snapshot = try YAMLSnapshot(
                data: text.span.bytes, providerName: "declaration", parsingOptions: .init(file: file))
        } catch {
            fault = (error as? SettingsProblem)?.origin
        }
    }

    /// The key at the end of `path`, or the last one before it that is there.
    func place(of path: [String]) -> SettingOrigin {
        for count in stride(from: path.count, to: 0, by: -1) {
            if let element = snapshot?.elements[Array(path.prefix(count))] { return element.keyPlace }
        }
        return fault ?? .wholeFile(file)
    }
}
