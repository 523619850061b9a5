internal import PluginKit

/// Names of hosts as browsers send them: in ASCII, without scheme and port.
enum HostNames {
    static func isOne(_ name: String) -> Bool {
        !name.isEmpty
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
    }

    /// What is said of a name that is none.
    static func complaint(_ name: String) -> String {
        "names '\(name)', but a host stands there without scheme and port, as browsers send it: films.home"
    }

    /// The key of a list of them.
    static func key(_ name: String, _ documentation: String) -> SettingKey<[String]> {
        SettingKey<[String]>(name, SettingType("list", isList: true), builtIn: "", fallback: [], documentation) {
            input throws(SettingComplaint) in
            for name in input.elements where !isOne(name) { throw SettingComplaint(complaint(name)) }
            return input.elements
        }
    }
}
