internal import LocalStore
internal import SyncCore
internal import SyncModel

/// Comparing both sides, as a person asks a node to.
extension SimulatedNode {
    typealias Differences = [VerificationCourse.Difference]

    /// - Parameter end: hears what differs; nothing where the remote fails, or the node stops.
    func verify(repair: Bool, end: @escaping (Differences) -> Void = { _ in }) {
        guard isUp else { return }
        world.tell("node\(index) \(repair ? "verifies and repairs" : "verifies")")
        goOn(VerificationCourse(world.rules), repair, end)
    }

    private func goOn(_ course: VerificationCourse, _ repair: Bool, _ end: @escaping (Differences) -> Void) {
        guard let question = course.question else {
            for found in course.differences { world.tell("node\(index) finds \(found.key): \(found.finding)") }
            if repair { take(course.repairs) }
            return end(course.differences)
        }
        let life = epoch
        timeline.after(question.pause) { [self] in
            guard epoch == life else { return }
            ask(question.call, forMachine: false) { [self] answer in
                var next = course
                switch answer {
                case .failure(let error): guard next.goesOn(after: error) else { return }
                case .success(let answer):
                    guard let store,
                        let compared = try? store.writeNow({ try course.compare(answer, policy, $0) }).result
                    else { return }
                    next.take(answer, compared, isBusy: machine?.unconfirmed ?? 0 > 0)
                }
                goOn(next, repair, end)
            }
        }
    }
}
