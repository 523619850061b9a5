internal import CatalogDesk
internal import FoundationEssentials
internal import PluginKit
internal import SyncModel

/// The configuration keys of the catalogs that are compiled in.
enum CatalogKeys {
    static func credentialFile(_ catalog: CatalogDescription) -> SettingKey<String?> {
        let without = catalog.defaultKey == nil ? "this catalog can't be asked" : "the free one is used"
        return SettingKey<String?>.secretFile(
            "catalogs.\(catalog.name).credentialFile",
            """
            The file with the key of \(catalog.title), from \(catalog.keyPage); a relative name is looked for in the \
            credentials of the unit first. Without a key \(without).
            """
        ).reloadable().example("\(catalog.name)-key")
    }

    static func language(_ catalog: CatalogDescription) -> SettingKey<String?> {
        SettingKey(
            "catalogs.\(catalog.name).language", SettingType("language"), fallback: nil,
            "The language of titles and descriptions, such as en or de-AT, where the source has them in it."
        ) { input throws(SettingComplaint) in
            guard !input.text.isEmpty else { return nil }
            let parts = input.text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ (2...8).contains($0.count) && $0.allSatisfy(\.isASCIIWord) }) else {
                throw SettingComplaint("is \(input.quoted), but must be a language such as en or de-AT")
            }
            return input.text
        }.reloadable().otherwise("the language of the daemon's environment")
    }

    static func region(_ catalog: CatalogDescription) -> SettingKey<String?> {
        SettingKey(
            "catalogs.\(catalog.name).region", SettingType("country"), fallback: nil,
            "The country whose dates count for what runs now and what comes, as two letters."
        ) { input throws(SettingComplaint) in
            guard !input.text.isEmpty else { return nil }
            guard input.text.count == 2, input.text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                throw SettingComplaint("is \(input.quoted), but must be two letters, such as DE")
            }
            return input.text.uppercased()
        }.reloadable().otherwise("the country of the language, where it names one").example("DE")
    }

    static func url(_ catalog: CatalogDescription) -> SettingKey<String?> {
        SettingKey(
            "catalogs.\(catalog.name).url", SettingType("URL"), fallback: nil,
            "Where it is asked instead of its own address, such as a cache of yours."
        ) { input throws(SettingComplaint) in try address(input) }.reloadable()
            .example("https://cache.example.org/\(catalog.name)")
    }

    static func imageURL(_ catalog: CatalogDescription) -> SettingKey<String?> {
        SettingKey(
            "catalogs.\(catalog.name).imageURL", SettingType("URL"), fallback: nil,
            "Where its pictures are fetched from instead of the source's own hosts, by the same paths."
        ) { input throws(SettingComplaint) in try address(input) }.reloadable().example("https://cache.example.org")
    }

    /// An `http` or `https` address without a slash at its end; empty counts as not set.
    private static func address(_ input: SettingInput) throws(SettingComplaint) -> String? {
        guard !input.text.isEmpty else { return nil }
        let text = input.text.hasSuffix("/") ? String(input.text.dropLast()) : input.text
        let host = text.split(separator: "/").dropFirst().first ?? ""
        guard !host.contains("@") else { throw SettingComplaint(ServerAddress.complaint) }
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), !host.isEmpty,
            text.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "?" && $0 != "#" })
        else {
            throw SettingComplaint("is \(input.quoted), but must be an address such as https://cache.example.org")
        }
        guard ServerPort.isUsable(in: text) else { throw SettingComplaint(ServerAddress.portComplaint) }
        return text
    }

    /// Where pictures are fetched from instead, by catalog.
    static func imagePlaces(_ catalogs: [any WebCatalog], _ settings: Settings) -> [String: String] {
        Dictionary(
            catalogs.map(\.description).compactMap { catalog in
                settings[imageURL(catalog)].map { (catalog.name, $0) }
            }
        ) { first, _ in first }
    }

    /// All of them, in the order of the documents.
    static func declarations(_ catalogs: [any WebCatalog]) -> [SettingDeclaration] {
        catalogs.map(\.description).flatMap { catalog in
            [credentialFile(catalog).declaration]
                + (catalog.speaksLanguages ? [language(catalog).declaration] : [])
                + (catalog.knowsRegions ? [region(catalog).declaration] : []) + [
                    url(catalog).declaration, imageURL(catalog).declaration,
                ]
        }
    }

    /// What they say.
    static func settings(_ catalogs: [any WebCatalog], _ settings: Settings) -> [CatalogSettings] {
        catalogs.map(\.description).map { catalog in
            CatalogSettings(
                name: catalog.name, credentialFile: settings[credentialFile(catalog)], url: settings[url(catalog)],
                language: catalog.speaksLanguages ? settings[language(catalog)] : nil,
                region: catalog.knowsRegions ? settings[region(catalog)] : nil)
        }
    }
}

extension Character {
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
