internal import ControlAPI
internal import JSONText
internal import SyncModel

/// Values and times in the form that people read.
enum Shown {
    /// A field's value: strings as they are, everything else as JSON.
    static func value(_ value: JSONValue?) -> String {
        guard let value, value != .null else { return "" }
        if let truth = value.truth { return truth ? "yes" : "no" }
        return value.text ?? JSONWriter.string(value)
    }

    /// `2026-11-20 20:15:04 UTC`.
    static func time(_ moment: Moment) -> String {
        let text = moment.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }

    /// A moment as a template shows it: `text`, and `iso` for programs.
    static func moment(_ moment: Moment?) -> Model.Value {
        moment.map { .model(["text": .text(time($0)), "iso": .text($0.description)]) } ?? .flag(false)
    }

    /// `1 film`, `12 films`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number.grouped) \(noun)\(number == 1 ? "" : "s")" }

    /// The address of a person's picture, which is another one when the profile is.
    ///
    /// - Parameter name: what the person is called where there is no profile.
    static func portrait(of person: String, _ profile: RecordReply?, name: String? = nil) -> String {
        let (called, version) = (PercentEncoding.encoded(name ?? person), PercentEncoding.encoded(profile?.stamp ?? ""))
        return "/person/\(PercentEncoding.encoded(person))/picture?width=96&name=\(called)&version=\(version)"
    }

    /// The address of a picture in the daemon's cache; nil for what is no picture's name.
    ///
    /// - Parameter name: an `https` address, or the path that TMDB has.
    static func picture(_ name: String?, width: Int) -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard name.hasPrefix("/") || name.hasPrefix("https://") else { return nil }
        let key = name.hasPrefix("/") ? "tmdb:" + name : name
        return "/art/\(PercentEncoding.encoded(key))?width=\(width)"
    }
}
