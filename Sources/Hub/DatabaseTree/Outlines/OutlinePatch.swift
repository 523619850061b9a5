internal import FirebaseWire
internal import JSONText

/// Where the entries of a large patch stand in the text of an outline.
struct OutlinePatch: Sendable {
    /// So many entries are counted together.
    private static let block = 64

    /// The keys of the entries that are no priorities, in the order of their paths.
    let places: [UInt32]
    /// The keys of those that are, likewise.
    let priorities: [UInt32]
    /// The values that are large by themselves.
    let large: LargeParts
    /// How many entries store something before each block of them.
    private let liveBefore: [UInt32]

    /// Reads the text of a patch; nil where it is null. Throws a refusal (400).
    ///
    /// - Parameter base: the path of the request; counts for the depth.
    init?(_ reader: inout OutlineReader, base: WirePath, run: Int) throws(Refusal) {
        let text = reader.text
        let range = LargeValueReader.trimmed(text)
        guard text[range].first == UInt8(ascii: "{"), var cut = MemberCut(text, in: range, size: run) else {
            try OutlineReader.checkSyntax(text)
            guard text[range].elementsEqual("null".utf8) else { throw .notAnObject }
            return nil
        }
        var entries = Entries()
        while let piece = cut.next() { try entries.read(piece, &reader, base) }
        guard cut.isFinished else { throw .invalidJSON }
        let keys = OutlineKeys(text: text, arePaths: true)
        entries.places.putInOrder { keys.order($0, $1) }
        try OutlinePatch.checkOverlaps(entries.places, keys)
        var priorities: [UInt32] = []
        if entries.hasPriorities {
            priorities = entries.places.filter { keys.path(OutlinePlace.offset($0)).isPriority }
            entries.places.removeAll { keys.path(OutlinePlace.offset($0)).isPriority }
        }
        places = entries.places.fitted
        self.priorities = priorities
        large = entries.large
        var live: UInt32 = 0
        var liveBefore: [UInt32] = []
        for (index, place) in places.enumerated() {
            if index.isMultiple(of: OutlinePatch.block) { liveBefore.append(live) }
            if !OutlinePlace.isNothing(place) { live += 1 }
        }
        self.liveBefore = liveBefore
    }

    /// Whether some of these entries store something.
    func isAnyLive(_ range: Range<Int>) -> Bool { live(range.upperBound) > live(range.lowerBound) }

    private func live(_ end: Int) -> Int {
        guard end > 0 else { return 0 }
        let block = (end - 1) / OutlinePatch.block
        let rest = places[(block * OutlinePatch.block)..<end]
        return Int(liveBefore[block]) + rest.count { !OutlinePlace.isNothing($0) }
    }

    /// Throws where one entry is written by another too.
    private static func checkOverlaps(_ places: [UInt32], _ keys: OutlineKeys) throws(Refusal) {
        var earlier: [UInt8]?
        for place in places {
            let later = keys.meaning(OutlinePlace.offset(place))
            if let earlier, later.starts(with: earlier),
                later.count == earlier.count || later[earlier.count] == OutlineKeys.separator
            {
                throw .overlapping(WirePath(joined: earlier), WirePath(joined: later))
            }
            earlier = later
        }
    }
}

extension OutlinePatch {
    /// What was read of a patch so far.
    private struct Entries {
        var places: [UInt32] = []
        var large = LargeParts()
        var hasPriorities = false

        mutating func read(
            _ piece: MemberCut.Piece, _ reader: inout OutlineReader, _ base: WirePath
        ) throws(Refusal) {
            switch piece {
            case .run(let range): try members(range, &reader, base)
            case .large(nil, _): throw .invalidJSON
            case .large(let key?, let value):
                _ = try reader.key(key, max: WirePath.maxDepth * (WireKey.maxBytes + 1))
                // The path is read as one that is deleted.
                var path = WirePath.root
                try OutlinePatch.forEachEntry(
                    [UInt8](deleting: reader.text[key]), key.lowerBound, reader.text, base
                ) { path = $0.path }
                let finding: OutlineFinding
                if path.isPriority {
                    finding = try reader.priority(in: value)
                } else {
                    finding = try reader.value(in: value, depth: base.keys.count + path.keys.count)
                }
                hasPriorities = hasPriorities || path.isPriority
                places.append(OutlinePlace.packed(key.lowerBound, isNothing: finding.isNothing))
                large.add(finding, at: value)
            }
        }

        private mutating func members(
            _ range: Range<Int>, _ reader: inout OutlineReader, _ base: WirePath
        ) throws(Refusal) {
            var scan = TextScan(bytes: reader.text, position: range.lowerBound)
            var increment = false
            let piece = [UInt8](enclosing: reader.text[range])
            try OutlinePatch.forEachEntry(piece, range.lowerBound, reader.text, base) { entry in
                guard let key = scan.skipMember(isArray: false)?.key else { return }
                places.append(OutlinePlace.packed(key.lowerBound, isNothing: entry.value == .null))
                hasPriorities = hasPriorities || entry.path.isPriority
                increment = increment || entry.value.hasIncrement
                _ = scan.take(UInt8(ascii: ","))
                scan.skipBlank()
            }
            if increment { reader.noteIncrement() }
        }
    }

    /// Reads the object of some members, which begin at `start`, in the order of the text.
    private static func forEachEntry(
        _ piece: [UInt8], _ start: Int, _ text: UnsafeBufferPointer<UInt8>, _ base: WirePath,
        _ body: (PatchBody.Entry) -> Void
    ) throws(Refusal) {
        try piece.asText { bytes throws(Refusal) in
            try PutBodyReader.reading(bytes, of: text, from: start - 1) { reader throws(Refusal) in
                for _ in 0..<(try reader.members() ?? 0) { body(try PatchBody.entry(&reader, base)) }
            }
        }
    }
}
