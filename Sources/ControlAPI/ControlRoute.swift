internal import SyncModel

/// The paths of the control socket; daemon and tool build them from the same words.
package enum ControlRoute {
    package static let status = "/v1/status"
    package static let health = "/v1/health"
    package static let collections = "/v1/collections"
    package static let records = "/v1/records"
    package static let edits = "/v1/edits"
    package static let changes = "/v1/changes"
    package static let holds = "/v1/holds"
    package static let quarantine = "/v1/quarantine"
    package static let conflicts = "/v1/conflicts"
    package static let history = "/v1/history"
    package static let why = "/v1/why"
    package static let undo = "/v1/undo"
    package static let backup = "/v1/backup"
    package static let nodes = "/v1/nodes"
    package static let checks = "/v1/checks"
    package static let plugins = "/v1/plugins"
    package static let catalogs = "/v1/catalogs"
    package static let hooks = "/v1/hooks"
    /// What hooks did not take.
    package static let hookEvents = "/v1/hooks/events"
    package static let art = "/v1/art"
    package static let reviews = "/v1/reviews"
    package static let favourites = "/v1/favourites"
    package static let profiles = "/v1/profiles"
    /// The picture of a person: of `uid`, escaped.
    package static func picture(of uid: String) -> String { "\(profiles)/\(uid)/picture" }
    /// Who asks, or whoever `name` is.
    package static let session = "/v1/session"
    package static let sessions = "/v1/sessions"
    package static let sync = "/v1/sync"
    package static let pause = "/v1/pause"
    package static let resume = "/v1/resume"
    package static let reload = "/v1/reload"
    package static let verify = "/v1/verify"
    package static let webLinks = "/v1/web/links"
    package static let metrics = "/metrics"

    /// Who somebody is that has not signed in.
    package static let localPerson = KeyTemplate.nobody

    /// The media type of a live change feed, as asked for in `Accept`.
    package static let eventStream = "text/event-stream"
    /// The most records that a reply about many of them names.
    package static let maxNamed = 100
    /// The page size of a list that does not say `limit`.
    package static let defaultLimit = 100
    /// How wide a picture is where a request does not say `width`, in pixels.
    package static let defaultWidth = 342
    /// The highest `limit`.
    package static let maxLimit = 1_000
    /// The highest `wait`, in seconds.
    package static let maxWait = 3_600.0
    /// The largest picture of a person that is taken, in bytes.
    package static let maxPicture = 5 << 20
    /// The largest body of any other request, in bytes.
    package static let maxBody = 1 << 20
}
