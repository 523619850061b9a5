/// Makes up the steps of a run.
struct StoryMaker {
    private let settings: SimulationSettings
    private var random: SimulatedRandom
    /// Not every fault of the settings is in every story, so that each also has room.
    private let faults: [Fault]

    init(_ settings: SimulationSettings) {
        self.settings = settings
        random = SimulatedRandom(settings.seed, part: 1)
        let allowed = Fault.allCases.filter { settings.faults.contains($0) && $0 != .databaseSetBack }
        let share = random.pick([0, 15, 30, 60])
        var faults: [Fault] = []
        for fault in allowed where random.chance(share) { faults.append(fault) }
        // Drawn by itself: what else a seed tells stays as it is.
        var other = SimulatedRandom(settings.seed, part: 3)
        if settings.faults.contains(.databaseSetBack), other.chance(share) { faults.append(.databaseSetBack) }
        self.faults = faults
    }

    mutating func steps() -> [SimulatedStep] {
        let steps = (0..<settings.steps).map { SimulatedStep(number: $0 + 1, wait: wait(), act: act()) }
        let moved = settings.areKeyed ? steps : moving(steps)
        let told = settings.takesBack ? takingBack(moved) : moved
        return settings.verifies ? verifying(told) : told
    }

    /// Some of what apps write is a move to another key, drawn by itself, likewise.
    private func moving(_ steps: [SimulatedStep]) -> [SimulatedStep] {
        var other = SimulatedRandom(settings.seed, part: 6)
        return steps.map { step in
            guard case .app(let app, let record, let act) = step.act, act == .lowerCase || act == .editWithStamps,
                other.chance(act == .lowerCase ? 60 : 20)
            else { return step }
            var step = step
            step.act = .app(app, record: record, .copyKey)
            return step
        }
    }

    /// Some of what people do is to compare both sides.
    private func verifying(_ steps: [SimulatedStep]) -> [SimulatedStep] {
        replacing(steps, part: 5, alsoStops: true) { random, node in
            random.chance(30) ? .verify(node: node, repair: random.chance(70)) : nil
        }
    }

    /// Some of what people do is to take changes back, or to give up what is in quarantine.
    private func takingBack(_ steps: [SimulatedStep]) -> [SimulatedStep] {
        replacing(steps, part: 4, alsoStops: false) { random, node in
            let span = UInt64(random.pick([2_000, 20_000, 200_000, 2_000_000]))
            return switch random.below(10) {
            case 0..<5: .undo(node: node, milliseconds: span)
            case 5..<7: .drop(node: node)
            default: nil
            }
        }
    }

    /// The steps with some of what people do replaced, drawn by itself, likewise.
    ///
    /// - Parameter act: what is done instead at a node; nil where the step stays.
    private func replacing(
        _ steps: [SimulatedStep], part: Int, alsoStops: Bool,
        _ act: (inout SimulatedRandom, _ node: Int) -> SimulatedStep.Act?
    ) -> [SimulatedStep] {
        var other = SimulatedRandom(settings.seed, part: part)
        return steps.map { step in
            switch step.act {
            case .decide, .retry, .pause, .calm: break
            case .stop where alsoStops: break
            default: return step
            }
            var step = step
            let node = other.below(settings.nodes)
            if let act = act(&other, node) { step.act = act }
            return step
        }
    }

    /// Whether tombstones end within the run.
    private var keepsShortly: Bool { settings.keep < 3_600_000 }

    private mutating func wait() -> UInt64 {
        if keepsShortly, random.chance(6) { return settings.keep + UInt64(random.below(Int(settings.keep))) }
        return switch random.below(20) {
        case 0..<8: UInt64(random.below(60))
        case 8..<14: UInt64(random.below(1500))
        case 14..<18: UInt64(random.below(12_000))
        case 18: UInt64(random.below(120_000))
        default: UInt64(random.below(600_000))
        }
    }

    private mutating func act() -> SimulatedStep.Act {
        let node = random.below(settings.nodes)
        let chance = random.below(100)
        if chance < 45 || (settings.apps == 0 && faults.isEmpty) { return edit(node) }
        if chance < 70, settings.apps > 0 { return app() }
        if chance < 78 { return other(node) }
        guard !faults.isEmpty else { return edit(node) }
        return fault(random.pick(faults), node)
    }

    /// Most edits are of a few records, so that they meet.
    private mutating func record() -> Int { random.chance(60) ? random.below(2) : random.below(SimulatedRecords.count) }

    private mutating func edit(_ node: Int) -> SimulatedStep.Act {
        let age = random.chance(80) ? nil : random.pick([-400_000, -60_000, 2_000, 90_000, 600_000, 7_200_000])
        return .edit(node: node, record: record(), choice: random.below(100), age: age)
    }

    private mutating func app() -> SimulatedStep.Act {
        let usual: [ForeignApp.Act] = [
            .refresh, .refresh, .edit, .edit, .edit, .editWithStamps, .patch, .delete, .putBack,
        ]
        let odd: [ForeignApp.Act] =
            settings.areKeyed
            ? [.oddBool, .unreadable, .spoil, .putGroup, .deleteGroup, .spoilGroup, .rootPut, .deleteMost]
            : [.oddBool, .noIdentifier, .lowerCase, .unreadable, .spoil, .rootPut, .deleteMost]
        var act = random.pick(random.chance(82) ? usual : odd)
        if act == .rootPut || act == .deleteMost, !random.chance(30) { act = .edit }
        return .app(random.below(settings.apps), record: record(), act)
    }

    private mutating func other(_ node: Int) -> SimulatedStep.Act {
        switch random.below(6) {
        case 0: .decide(node: node, approve: random.chance(50))
        case 1: .retry(node: node)
        case 2: .pause(node: node, milliseconds: UInt64(random.below(60_000)))
        case 3: .calm
        default: .stop(node: node, milliseconds: UInt64(random.below(keepsShortly ? Int(3 * settings.keep) : 90_000)))
        }
    }

    private mutating func fault(_ fault: Fault, _ node: Int) -> SimulatedStep.Act {
        switch fault {
        case .crash: .crash(node: node, effects: random.below(8))
        case .clockOff: .clock(node: node, skew: Int64(random.pick([-45_000, -20_000, 20_000, 45_000])))
        case .clockSteps: .clock(node: node, skew: skew())
        case .restored: random.chance(50) ? .backup(node: node) : .restore(node: node)
        case .sameID: .clone(node: node, as: random.below(settings.nodes))
        case .databaseSetBack: random.chance(50) ? .copyDatabase : .setDatabaseBack(inView: random.chance(50))
        case .journalTorn, .journalRotated, .journalTruncated, .journalRewritten: .journal(node: node, fault)
        default: .weather(node: node, fault, milliseconds: UInt64(500 + random.below(40_000)))
        }
    }

    private mutating func skew() -> Int64 {
        let hour: Int64 = 3_600_000
        let size = random.pick([0, 30_000, hour, 48 * hour, 24 * 365 * 10 * hour])
        return random.chance(50) ? size : -size
    }
}
