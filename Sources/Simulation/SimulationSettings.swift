package import SyncModel

/// What a run is like. The same settings give the same run.
package struct SimulationSettings: Hashable, Sendable {
    package var seed: UInt64
    package var nodes = 3
    package var apps = 2
    package var steps = 60
    package var faults = Set(Fault.allCases)
    package var pull = PullMode.full
    package var writeGuard = WriteGuard.etag
    /// `remote.meta` is not `none`.
    package var keepsTombstones = true
    /// `merge: record`.
    package var mergesByRecord = false
    /// The keys of the records are made of fields.
    package var areKeyed = false
    /// People take changes back, and give up what is in quarantine.
    package var takesBack = false
    /// People compare both sides.
    package var verifies = false
    /// How long tombstones are kept, in milliseconds.
    package var keep: UInt64 = 90 * 86_400_000
    /// The security rules that the database has: nil lets everybody write.
    package var rules: [UInt8]?

    /// A rule that is wrong, to see whether it is noticed.
    package var mutation: SimulatedMutation?

    /// What the command line says of the modes, instead of leaving them to the seed, and of rules, whether or not this run
    /// has them: what a seed draws depends on that.
    package var options: [String] = []

    package init(seed: UInt64) { self.seed = seed }

    /// Settings whose modes are drawn by the seed: full pull and merging by field most often, and short stories more often
    /// than long ones.
    ///
    /// - Parameter rules: those that a node with `writeGuard: rules` needs, and one without may meet; nil leaves both out.
    package static func drawn(seed: UInt64, rules: [UInt8]? = nil) -> SimulationSettings {
        var random = SimulatedRandom(seed, part: 99)
        var settings = SimulationSettings(seed: seed)
        if rules != nil { settings.options = ["--rules", "config/database.rules.json"] }
        settings.pull = random.chance(30) ? .incremental : .full
        settings.keepsTombstones = !random.chance(12)
        settings.mergesByRecord = random.chance(15)
        settings.steps = random.chance(85) ? 3 + random.below(10) : 13 + random.below(50)
        if let rules, settings.keepsTombstones, random.chance(15) {
            settings.writeGuard = random.chance(70) ? .rules : .etag
            settings.rules = rules
        }
        // Short enough that tombstones end within a run, and nodes are away for longer.
        if random.chance(40) { settings.keep = 3_000_000 }
        // Drawn by itself: what else a seed tells stays as it is.
        var other = SimulatedRandom(seed, part: 98)
        // Where deletes are known by absence alone, one of what was made a moment ago ends what others made meanwhile.
        settings.takesBack = other.chance(30) && settings.keepsTombstones
        settings.verifies = other.chance(40)
        // Others are pulled and written otherwise, whatever is set.
        if settings.pull == .full, settings.rules == nil { settings.areKeyed = random.chance(20) }
        return settings
    }

    /// Turns a rule wrong, and sets what it takes to show.
    package mutating func turnWrong(_ mutation: SimulatedMutation) {
        self.mutation = mutation
        switch mutation {
        case .unreadableLooksAbsent, .setAsideForgotten, .windowByWallClock:
            (faults, pull, areKeyed) = ([], .full, false)
        case .absenceForgotten:
            (faults, pull, areKeyed, keepsTombstones) = ([], .incremental, false, true)
            (keep, steps) = (300_000, 40)
        default: break
        }
    }

    /// The command that runs once with these settings, in words for a shell.
    package var command: [String] {
        var words = ["moviesyncd", "simulate"]
        let counts = [("seed", "\(seed)"), ("nodes", "\(nodes)"), ("apps", "\(apps)"), ("steps", "\(steps)")]
        for (name, value) in counts { words += ["--\(name)", value] }
        if faults != Set(Fault.allCases) {
            let names = faults.map(\.rawValue).sorted().joined(separator: ",")
            words += ["--faults", names.isEmpty ? "none" : names]
        }
        if let mutation { words += ["--wrong", mutation.rawValue] }
        return words + options.map(SimulationSettings.quoted)
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-_./".utf8.contains(byte)
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    package var description: String {
        "pull \(pull.rawValue), writeGuard \(writeGuard.rawValue), merge \(mergesByRecord ? "record" : "fields"), "
            + "keys \(areKeyed ? "of fields" : "UUIDs"), meta \(keepsTombstones ? "kept" : "none"), "
            + "tombstones \(keep / 60_000) min, \(nodes) nodes, \(apps) apps"
    }
}
