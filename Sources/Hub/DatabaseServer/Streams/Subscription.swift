internal import DatabaseTree
internal import FirebaseWire

/// What an event stream listens to: a place, and perhaps a query on its children.
struct Subscription: Hashable, Sendable {
    let path: WirePath
    let query: Query?
    /// Whether priorities are sent, and no arrays.
    var isExport = false
    /// Whether only keys are sent.
    var isShallow = false
    var wire = Wire.stream

    /// How those who listen are told.
    enum Wire: Hashable, Sendable {
        /// By event streams.
        case stream
        /// By WebSockets, with messages that ``SocketEvents`` reads.
        case socket
    }

    init(path: WirePath, query: Query?, isExport: Bool = false, isShallow: Bool = false, wire: Wire = .stream) {
        self.path = path
        self.query = query
        self.isExport = isExport
        self.isShallow = isShallow
        self.wire = wire
    }

    /// What `request` asks for at `path`.
    init(_ request: RestRequest, at path: WirePath) {
        self.init(path: path, query: request.query, isExport: request.isExport, isShallow: request.isShallow)
    }

    /// The form in which its listeners see `root`.
    func form(of root: Root) -> NodeEncoder.Form { isShallow ? .shallow : root.form(isExport: isExport) }

    /// What a listener of this sees in `root`.
    func snapshot(of root: Root) -> Node? { root.shown(root.value(at: path), at: path, by: query, check: {}) }

    /// What a query with a limit selects in `root`; nil without one.
    func window(of root: Root) -> QueryWindow? {
        guard let query, query.limit != nil else { return nil }
        return QueryWindow(query, of: root.selected(at: path, by: query, check: {}))
    }

    /// Whether it takes too long for a writer to make the window.
    var hasWideWindow: Bool { query?.limit.map { $0.count > Subscription.wideWindow } ?? false }

    private static let wideWindow = 200
}
