internal import SyncEngine
internal import SyncModel
internal import SystemPackage

/// Reads the section `users` of the file: who the users of this machine are, and whose tokens are given in files. Both are
/// maps by names that people choose. No variable and no flag changes it.
struct UserSection {
    static let name = "users"
    private static let map = "map"
    private static let tokens = "tokens"

    private var section: NamedSection
    private(set) var users = UserSettings()

    var problems: [SettingsProblem] { section.problems }

    init(
        _ yaml: YAMLSnapshot, _ collections: [CollectionID], _ credentials: CredentialFolder, _ folder: FilePath
    ) {
        section = NamedSection(yaml, collections, credentials, folder)
        switch yaml.elements[[UserSection.name]]?.value {
        case .section?: section.checkKeys([UserSection.name], among: [UserSection.map, UserSection.tokens])
        case nil, .null?: return
        case .text?, .list?:
            section.complain([UserSection.name], "must have keys of its own, such as users.map")
            return
        }
        for (user, person) in entries(UserSection.map, "1000: anna") { note(user, person) }
        for (name, file) in entries(UserSection.tokens, "anna: anna.token") { note(token: file, of: name) }
    }

    private mutating func entries(_ key: String, _ example: String) -> [(name: String, text: String)] {
        let path = [UserSection.name, key]
        switch section.yaml.elements[path]?.value {
        case .section?: break
        case nil, .null?: return []
        case .text?, .list?:
            section.complain(path, "must have keys of its own, such as \(example)")
            return []
        }
        return section.yaml.names(below: path).compactMap { name in
            guard let text = section.yaml.text(at: path + [name]) else {
                section.complain(path + [name], "must be a word, as in \(example)")
                return nil
            }
            return (name, text)
        }
    }

    private mutating func note(_ user: String, _ person: String) {
        guard let number = UInt32(user) else {
            return section.complain(
                [UserSection.name, UserSection.map, user], atKey: true, "is no user's number, such as 1000: see id -u")
        }
        users.people[number] = person
    }

    private mutating func note(token file: String, of name: String) {
        guard PluginName.isOne(name) else {
            return section.complain(
                [UserSection.name, UserSection.tokens, name], atKey: true,
                "is no name: use letters, digits, '.', '_' and '-', up to 64")
        }
        users.tokens[name] = section.secretFile(file)
    }
}

extension UserSection {
    /// What the example file says about people.
    static let example = """
        # The people of this machine, see "Sessions" in docs/people.md.
        # users:
        #   # Who the users of this machine are, by their numbers: the name of a session, or a uid of the database. Who is not
        #   # listed is who they have logged in as.
        #   map:
        #     1000: anna
        #   # Files with refresh tokens, looked for in the credentials of the unit first, by the names of sessions.
        #   tokens:
        #     anna: anna.token
        """
}
