package import ControlAPI

/// A plugin that says that it is a hook.
package struct DeclaredHook: Hashable, Sendable {
    package var plugin: String
    /// The collections that it is told of; empty for all.
    package var collections: Set<String>

    package init(plugin: String, collections: Set<String>) {
        self.plugin = plugin
        self.collections = collections
    }
}

/// One hook, as the configuration or a plugin says.
package struct HookSettings: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
        /// The absolute path of a program that is started for each event.
        case program(String)
        case webhook(Webhook)
        /// A plugin that has the capability.
        case plugin
    }

    package struct Webhook: Hashable, Sendable {
        package var url: String
        package var host: String
        /// The absolute path of the file with what it is signed with.
        package var secretFile: String
        package var allowsPrivate: Bool

        package init(url: String, host: String, secretFile: String, allowsPrivate: Bool) {
            self.url = url
            self.host = host
            self.secretFile = secretFile
            self.allowsPrivate = allowsPrivate
        }
    }

    package var name: String
    package var way: Way
    /// The collections that it is told of; empty for all.
    package var collections: Set<String>
    /// Why it can't be used; nil where it can.
    package var objection: String?

    package init(name: String, way: Way, collections: Set<String> = [], objection: String? = nil) {
        self.name = name
        self.way = way
        self.collections = collections
        self.objection = objection
    }

    package var kind: HookReply.Kind {
        switch way {
        case .program: .program
        case .webhook: .webhook
        case .plugin: .plugin
        }
    }

    /// What no other hook has.
    package var id: String { "\(kind.rawValue):\(name)" }
}
