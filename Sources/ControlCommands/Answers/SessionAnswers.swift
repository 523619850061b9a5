internal import ControlAPI

/// Who somebody is at the remote.
struct WhoamiAnswer: Answer {
    var reply: SessionReply
    /// Nil where no profiles are kept.
    var hasProfile: Bool?

    func text(_ style: Style) -> String {
        guard let name = reply.name else {
            guard reply.uid != ControlRoute.localPerson else {
                return "local: nobody has signed in for you (moviesync login)"
            }
            return "uid \(Printable.text(reply.uid)), as users.map says: nobody has signed in so (moviesync login)"
        }
        let email = reply.email.map { " <\(Printable.text($0))>" } ?? ""
        let uid = reply.uid.isEmpty ? "" : "  uid \(Printable.text(reply.uid))"
        var lines = [style.paint(Printable.text(name), .strong) + email + uid]
        if reply.state == .ended {
            lines.append(style.paint("has to sign in again: \(Printable.text(reply.reason ?? ""))", .bad))
        } else if hasProfile == false {
            lines.append(style.paint("has no profile yet: moviesync profile set --name NAME", .faint))
        }
        return lines.joined(separator: "\n")
    }
}

/// Who is signed out.
struct LogoutAnswer: Answer {
    var reply: SessionReply

    func text(_ style: Style) -> String { "\(Printable.text(reply.name ?? reply.uid)) is signed out" }
}

/// Everybody who has signed in from this machine.
struct SessionsAnswer: Answer {
    var sessions: [SessionReply]
    var now: Moment

    var reply: Page<SessionReply> { Page(items: sessions) }

    func text(_ style: Style) -> String {
        guard !sessions.isEmpty else { return "nobody has signed in" }
        var table = Table([
            .init("name", .cutLast, .most), .init("uid", .whole, .much), .init("e-mail", .cutFirst), .init("users"),
            .init("since"), .init("state", .cutFirst, .much),
        ])
        for session in sessions {
            let hasEnded = session.state == .ended
            table.add([
                .init(session.name ?? ""), .init(session.uid), .init(session.email ?? "-"),
                .init(session.localUsers.map { "\($0)" }.joined(separator: ",")),
                .init(session.since.map { Formatted.ago($0, now: now) } ?? "-"),
                .init(hasEnded ? "ended: \(session.reason ?? "")" : "signed in", hasEnded ? .bad : .good),
            ])
        }
        return table.text(style)
    }
}
