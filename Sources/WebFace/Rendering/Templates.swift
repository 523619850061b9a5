internal import Mustache

/// The templates of all pages, parsed once.
struct Templates: Sendable {
    /// What is rendered; the name of each is that of its file.
    enum Name: String, CaseIterable, Sendable {
        case page, message, line, library, films
    }

    private let library: MustacheLibrary

    /// - Throws: where a template is none, which a test finds.
    init() throws {
        var library = MustacheLibrary()
        for name in Name.allCases {
            try library.register(String(decoding: Templates.text(of: name), as: UTF8.self), named: name.rawValue)
        }
        self.library = library
    }

    func render(_ name: Name, _ model: Model) -> String { library.render(model, withTemplate: name.rawValue) ?? "" }

    private static func text(of name: Name) -> [UInt8] {
        switch name {
        case .page: PackageResources.page_mustache
        case .message: PackageResources.message_mustache
        case .line: PackageResources.line_mustache
        case .library: PackageResources.library_mustache
        case .films: PackageResources.films_mustache
        }
    }
}
