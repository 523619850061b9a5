internal import FoundationEssentials
internal import HookDelivery
internal import SyncModel
internal import SystemPackage

/// Reads the section `webhooks` of the file: a map by names that people choose. No variable and no flag changes it.
struct WebhookSections {
    static let name = "webhooks"
    private static let keys = ["url", "secretFile", "for", "allowPrivate"]

    private var section: NamedSection
    private(set) var hooks: [HookSettings] = []

    var problems: [SettingsProblem] { section.problems }

    /// - Parameter collections: those that there are.
    init(
        _ yaml: YAMLSnapshot, _ collections: [CollectionID], _ credentials: CredentialFolder, _ folder: FilePath
    ) {
        section = NamedSection(yaml, collections, credentials, folder)
        switch yaml.elements[[WebhookSections.name]]?.value {
        case .section?: for name in yaml.names(below: [WebhookSections.name]) { read(name) }
        case nil, .null?: return
        case .text?, .list?:
            section.complain([WebhookSections.name], "must have keys of its own, such as webhooks.home.url")
        }
    }

    private mutating func read(_ name: String) {
        let path = [WebhookSections.name, name]
        guard PluginName.isOne(name) else {
            return section.complain(path, atKey: true, "is no name: use letters, digits, '.', '_' and '-', up to 64")
        }
        guard case .section? = section.yaml.elements[path]?.value else {
            return section.complain(path, "must have keys of its own, such as webhooks.\(name).url")
        }
        section.checkKeys(path, among: WebhookSections.keys)
        let (url, secret) = (url(path), secretFile(path))
        let (allows, collections) = (allowsPrivate(path), collections(path))
        guard let url, let secret else { return }
        let webhook = HookSettings.Webhook(
            url: url.text, host: url.host, secretFile: secret, allowsPrivate: allows)
        hooks.append(HookSettings(name: name, way: .webhook(webhook), collections: collections))
    }

    private mutating func url(_ path: [String]) -> (text: String, host: String)? {
        guard let text = section.yaml.text(at: path + ["url"]) else {
            section.complain(path, atKey: true, "needs a url, such as https://example.org/hook")
            return nil
        }
        let parts = URLComponents(string: text)
        guard let parts, ["https", "http"].contains(parts.scheme?.lowercased()), let host = parts.host, !host.isEmpty,
            !ServerAddress.hasUserOrFragment(parts)
        else {
            section.complain(path + ["url"], ServerAddress.complaint)
            return nil
        }
        guard ServerPort.isUsable(in: text) else {
            section.complain(path + ["url"], ServerAddress.portComplaint)
            return nil
        }
        let isLiteral = host.hasPrefix("[") && host.hasSuffix("]")
        return (text, isLiteral ? String(host.dropFirst().dropLast()) : host)
    }

    private mutating func secretFile(_ path: [String]) -> String? {
        guard let file = section.yaml.text(at: path + ["secretFile"]) else {
            section.complain(
                path, atKey: true, "needs a secretFile: a file with \"whsec_\" and 24 to 64 bytes in Base64")
            return nil
        }
        return section.secretFile(file)
    }

    private mutating func allowsPrivate(_ path: [String]) -> Bool {
        switch section.yaml.elements[path + ["allowPrivate"]]?.value {
        case nil, .null?: return false
        case .text(let text, _)? where Bool(text) != nil: return text == "true"
        case .text?, .list?, .section?:
            section.complain(path + ["allowPrivate"], "must be true or false")
            return false
        }
    }

    private mutating func collections(_ path: [String]) -> Set<String> {
        let path = path + ["for"]
        var names: [String] = []
        switch section.yaml.elements[path]?.value {
        case nil, .null?: return []
        case .text(let text, _)?: names = [text]
        case .list(let values)?:
            names = values.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
            if names.count != values.count || names.isEmpty { section.complain(path, "must be a list of words") }
        case .section?: section.complain(path, "must be a list of words")
        }
        section.checkCollections(names, path)
        return Set(names)
    }
}

extension YAMLSnapshot {
    /// The text at a path; nil where there is none, or an empty one.
    func text(at path: [String]) -> String? {
        guard case .text(let text, _)? = elements[path]?.value, !text.isEmpty else { return nil }
        return text
    }
}
