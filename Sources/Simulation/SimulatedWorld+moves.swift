internal import SyncModel

/// Apps that move a record write it under one key, and remove the other a moment later.
extension SimulatedWorld {
    func perform(_ act: ForeignApp.Act, of app: Int, on id: RecordID, number: Int) {
        self.act(act, of: app, on: id, number: number)
        guard act == .copyKey, isThere(id, database.root) else { return }
        let pause = history.moves.begin(id, number: number, now: timeline.now)
        if !nodes.allSatisfy({ $0.isUp && $0.network.weather.isCalm(at: timeline.now) }) { waiveMoves() }
        timeline.after(pause) { [self] in
            guard isThere(id, database.root) else { return }
            self.act(.leaveKey, of: app, on: id, number: number)
        }
    }

    private func act(_ act: ForeignApp.Act, of app: Int, on id: RecordID, number: Int) {
        let done = apps[app].act(act, on: id, number: number, now: timeline.now)
        tell("app\(app) \(done)")
    }

    /// Nodes look only for a moment, and while they run, whether what was moved stands nowhere.
    func waiveMoves() {
        history.waive("moved while something went wrong") { [history, now = timeline.now] in
            history.moves.mayBeLost($0.id, now: now)
        }
    }
}

extension SimulatedStep.Act {
    /// Whether something goes wrong, or a person stops something.
    var isTrouble: Bool {
        switch self {
        case .edit, .app, .decide, .retry, .undo, .drop, .verify, .copyDatabase, .calm: false
        default: true
        }
    }
}
