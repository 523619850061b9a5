internal import ControlAPI
internal import HTTPListening
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import SyncModel

extension Responder {
    /// In bytes.
    private static let maxForm = 256 << 10
    static let tooLarge = ControlError(413, "tooLarge", "a form has at most \(maxForm) bytes")

    /// Carries out what a form says, and leads on to a page that tells of it.
    func post(_ visit: Visit, _ session: SessionBook.Session, _ request: Request) async throws -> Answer {
        guard !settings.current.readOnly else {
            throw ControlError(403, "readOnly", "nothing can be changed on this page: web.readOnly is set")
        }
        let length = visit.headers.bodyLength ?? 0
        guard length <= Responder.maxForm else { throw Responder.tooLarge }
        let form = try Form(Query(try await text(of: request)), person: session.person)
        if visit.path == ["leave"] { return leave(session) }
        if visit.path == ["person"] { return try become(form, session) }
        guard let done = try await changes.carryOut(visit.path, form) else {
            throw ControlError(404, "notFound", "there is nothing to change there")
        }
        logger.notice(
            "Somebody changed something in a browser",
            metadata: ["event": "web.changed", "path": "/\(visit.path.joined(separator: "/"))"])
        notices.put(done.words, for: session.hash)
        return .see(done.page)
    }

    /// The whole body.
    private func text(of request: Request) async throws -> String {
        do {
            return String(buffer: try await request.body.collect(upTo: Responder.maxForm))
        } catch let error as CancellationError {
            throw error
        } catch is NIOTooManyBytesError {
            throw Responder.tooLarge
        } catch {
            throw ControlError.badRequest("cutOff", "the form did not come to its end")
        }
    }

    private func leave(_ session: SessionBook.Session) -> Answer {
        doorkeeper.change { $0.remove(session.hash) }
        var answer = Answer.see("/")
        answer.fields[.setCookie] = setting(cookie: "", seconds: 0)
        return answer
    }

    /// The person at a browser says who they are.
    private func become(_ form: Form, _ session: SessionBook.Session) throws -> Answer {
        guard let person = form.text("person"), Responder.isPerson(person) else {
            throw ControlError.badRequest(
                "badPerson", "a uid has 1 to 100 characters, and none of . $ # [ ] /")
        }
        let uid = try uid(called: person)
        doorkeeper.change { $0.set(person: uid, of: session.hash) }
        notices.put("You are \(person) in this browser now.", for: session.hash)
        return .see(form.back(or: "/favourites"))
    }

    /// Who has signed in from this machine may be called as their session is; whatever no session is called is a uid.
    private func uid(called name: String) throws -> String {
        guard let session = daemon.service.status().people?.first(where: { $0.name == name }) else { return name }
        guard session.uid.isEmpty else { return session.uid }
        guard session.state != .ended else {
            throw ControlError(409, "sessionEnded", "\(name) has to sign in again: 'moviesync health' says why")
        }
        throw ControlError.notAskedYet(name)
    }

    private static func isPerson(_ text: String) -> Bool {
        text.count <= 100
            && text.unicodeScalars.allSatisfy {
                !".$#[]/".unicodeScalars.contains($0) && $0.value >= 0x20 && $0.value != 0x7F
            }
    }
}
