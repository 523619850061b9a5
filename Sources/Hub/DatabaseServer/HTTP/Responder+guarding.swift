internal import DatabaseTree
internal import FirebaseWire
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import SecurityRules

/// What is refused before a byte of a body is read.
extension Responder {
    /// Throws where `request` comes by a name or from a page that may not send it.
    func checkOrigin(_ request: RestRequest, _ authority: String?) throws(Refusal) {
        let isOpen = rulesStore.rules(request.database) == nil
        if options.isEmulator, request.origin.isForeign { throw .foreignPageAtEmulator }
        // At an emulator rules keep nobody out who names the administrator's token.
        guard isOpen || options.isEmulator else { return }
        if !hosts.contain(authority), !credentials.knowSecret(request.credential) { throw .unknownHost }
        guard isOpen else { return }
        if request.callback != nil { throw .callbackWithoutRules }
        if request.origin.isForeign, request.method != .get { throw .foreignPage }
    }

    /// Throws where nothing that this sender could write to the request's place would be granted.
    func checkWriting(_ request: RestRequest) async throws(Refusal) {
        guard let isPatch = request.writesPatch else { return }
        guard let path = request.target.path else { return try await checkSettings(request) }
        guard let rules = rulesStore.rules(request.database) else { return try await checkDatabase(request) }
        guard case .client(let auth) = request.principal else { return }
        let check = RuleCheck(
            rules: rules, auth: auth, now: options.time.now(), before: commits.root(request.database))
        // The key that a POST makes is not known yet, and any other one stands for it.
        let place = request.method == .post ? path.appending(nextPushID()) : path
        guard check.mayAllowWriting(place, isPatch: isPatch) else { throw .permissionDenied }
    }

    /// Throws where `request` would make a database, for which no rules are meant, and nobody vouches for its sender.
    func checkDatabase(_ request: RestRequest) async throws(Refusal) {
        guard isMissing(request.database) else { return }
        let identity = (try? await credentials.identity(of: request.credential)) ?? .nobody
        if !identity.isVouchedFor { throw .unknownDatabase }
    }

    /// Whether the first write to `database` makes it.
    func isMissing(_ database: String) -> Bool { !database.isEmpty && !commits.hasDatabase(database) }

    /// The longest body, in bytes, that is passed over where an answer needs none of it, so that its connection can go on.
    private static let mostPassedOver = 65_536

    /// Answers a request whose body was read, or is not needed. One that is not, and is long or does not say how long it is, is
    /// not waited for.
    func conclude(
        _ reply: Reply, _ request: RestRequest, _ rawRequest: Request, _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        guard !request.readsBody,
            rawRequest.headers.contains(.transferEncoding)
                || rawRequest.headers.bodyLength ?? 0 > Responder.mostPassedOver
        else { return try await send(reply, writer, for: request.origin) }
        try await refuse(reply, rawRequest, writer, channel, for: request.origin)
    }

    /// Answers without reading the body, or the rest of it: nothing of it is waited for, and its connection closes.
    func refuse(
        _ reply: Reply, _ rawRequest: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
        for origin: CrossOrigin
    ) async throws {
        var reply = reply
        reply.isHead = rawRequest.method == .head
        let length = rawRequest.headers.bodyLength
        let hasBody = length.map { $0 > 0 } ?? (rawRequest.headers.contains(.transferEncoding))
        guard hasBody else { return try await send(reply, writer, for: origin) }
        reply.fields[.connection] = "close"
        try await send(reply, writer, for: origin)
        channel.close(mode: .output, promise: nil)
        try await channel.closeFuture.get()
    }
}

extension Refusal {
    static let foreignPage = Refusal(
        403,
        "Web pages of other origins may not use a database without rules, because any page in a browser on this "
            + "machine could: load rules for it with --rules or PUT /.settings/rules.json")
    static let foreignPageAtEmulator = Refusal(
        403,
        "Web pages of other origins may not use a server with --emulator, because everybody knows its administrator's "
            + "token: serve the page from here, or use a secret")
    static let unknownHost = Refusal(
        403,
        "A database without rules, or at --emulator, answers only to addresses in numbers, localhost and the names that "
            + "--host gives, because the name of a stranger's page could point here")
    static let callbackWithoutRules = Refusal(
        403, "callback is for databases with rules: without them any web page could read this one by it")
    static let unknownDatabase = Refusal(
        401,
        "There is no such database, and making one takes a credential that not everybody can have, or rules given with "
            + "--rules")
    static let busy = Refusal(503, "Too many bytes of requests wait to be answered: try again")
    /// Whoever sent it has most likely gone away: that is no failure of the hub.
    static let cutBody = Refusal.badRequest("The body of this request did not come to its end")
    static let tooLong = Refusal(
        413, "This body is longer than what is taken from nobody in particular: sign in, or send less at once")
}
