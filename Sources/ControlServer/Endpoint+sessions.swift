internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird

extension Endpoint {
    /// Who signs in. Everybody may do so for themselves; of others only root and the daemon's own user hear, and sign
    /// them out.
    static func sessions(_ people: any PeopleService, allowed: Set<UInt32>) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.session) { request, context in
                let user = await context.user()
                guard let name = RequestArguments(request, context).query("name") else {
                    return try .reply(people.person(of: user))
                }
                return try .reply(try people.session(named: name).shown(to: user, of: people, allowed))
            },
            Endpoint(.get, ControlRoute.sessions) { _, context in
                let user = await context.user()
                return try .reply(Page(items: people.sessions().filter { $0.isOpen(to: user, of: people, allowed) }))
            },
            Endpoint(.post, ControlRoute.session, body: .order(SignInOrder.self)) { request, context in
                let user = await context.user()
                let order = try await request.read(SignInOrder.self)
                return try .reply(try await people.signIn(order, user: user))
            },
            Endpoint(.delete, ControlRoute.session, words: ["name"]) { request, context in
                let user = await context.user()
                let session =
                    try RequestArguments(request, context).query("name").map { try people.session(named: $0) }
                    ?? people.person(of: user)
                guard let name = session.name else { throw ControlError.notSignedIn }
                guard session.isOpen(to: user, of: people, allowed) else {
                    throw ControlError(
                        403, "notAllowed", "'\(name)' is another user's session: log it out as that user, or with sudo")
                }
                return try .reply(try await people.signOut(name))
            },
        ]
    }
}

extension SessionReply {
    /// Whether a user may hear all of it, and end it.
    fileprivate func isOpen(to user: UInt32?, of people: any PeopleService, _ allowed: Set<UInt32>) -> Bool {
        user.map { allowed.contains($0) || localUsers.contains($0) || people.person(of: $0).name == name } ?? false
    }

    /// As a user may see it: everybody may know which name is whose.
    fileprivate func shown(
        to user: UInt32?, of people: any PeopleService, _ allowed: Set<UInt32>
    ) -> SessionReply {
        guard !isOpen(to: user, of: people, allowed) else { return self }
        return SessionReply(name: name, uid: uid, email: nil, state: state)
    }
}

extension ControlError {
    fileprivate static let notSignedIn = ControlError(404, "notSignedIn", "you have not signed in")
}
