internal import FirebaseWire
internal import JSONText

/// Where the members of one large object or array stand in the text of an outline.
///
/// Four bytes a member of an object, less for those of an array: the text itself holds everything else.
final class OutlineIndex: Sendable {
    /// What an object is whose value is its own, beside its priority.
    enum Own: Sendable {
        /// Where the value of `.value` stands.
        case value(Range<Int>)
        /// Where what stands under `.sv` does.
        case server(Range<Int>)
    }

    let isArray: Bool
    /// Of an object: the keys of all members that store something, in the order of what they mean. Of an array: some of
    /// the elements.
    let places: [UInt32]
    /// Of an array: which element stands at each of the places.
    let numbers: [UInt32]
    /// The members that are large by themselves.
    let large: LargeParts
    /// How many children there are.
    let count: Int
    /// Where the value of the priority stands, where there is one.
    let priority: Range<Int>?
    let own: Own?

    fileprivate init(_ parts: Parts) {
        isArray = parts.isArray
        places = parts.places.fitted
        numbers = parts.numbers.fitted
        large = parts.large
        count = parts.live
        priority = parts.priority
        own = parts.own
    }

    /// Where the value of the member stands; nil where it has none.
    func value(of key: WireKey, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        if isArray { return key.arrayIndex.flatMap { element($0, text) } }
        let keys = OutlineKeys(text: text, arePaths: false)
        let wanted = Array(key.text.utf8)
        let index = keys.lowerBound(wanted, in: places, 0..<places.count)
        guard index < places.count, keys.order(Int(places[index]), wanted) == 0 else { return nil }
        var scan = TextScan(bytes: text, position: Int(places[index]))
        return scan.skipMember(isArray: false)?.value
    }

    private func element(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let next = numbers.indices.partitionPoint { Int(numbers[$0]) > number }
        guard next > 0 else { return nil }
        var scan = TextScan(bytes: text, position: Int(places[next - 1]))
        for _ in Int(numbers[next - 1])..<number {
            guard scan.skipMember(isArray: true) != nil, scan.take(UInt8(ascii: ",")) else { return nil }
            scan.skipBlank()
        }
        return scan.skipMember(isArray: true)?.value
    }

    /// Calls `body` with where each member begins and its key, until it returns false; elements of an array that store
    /// nothing are among them.
    func forEach(_ text: UnsafeBufferPointer<UInt8>, _ body: (WireKey, Range<Int>) throws -> Bool) rethrows {
        if isArray {
            guard let first = places.first else { return }
            var scan = TextScan(bytes: text, position: Int(first))
            var number = 0
            while let member = scan.skipMember(isArray: true) {
                guard try body(WireKey(unchecked: String(number)), member.value) else { return }
                number += 1
                guard scan.take(UInt8(ascii: ",")) else { return }
                scan.skipBlank()
            }
            return
        }
        let keys = OutlineKeys(text: text, arePaths: false)
        for place in places {
            var scan = TextScan(bytes: text, position: Int(place))
            guard let member = scan.skipMember(isArray: false) else { return }
            guard try body(keys.key(Int(place)), member.value) else { return }
        }
    }
}

extension OutlineIndex {
    /// What was read of an object or array so far.
    struct Parts {
        /// So many bytes after one element the next one is noted.
        private static let distance = 256

        let isArray: Bool
        fileprivate var places: [UInt32] = []
        fileprivate var numbers: [UInt32] = []
        fileprivate var large = LargeParts()
        fileprivate var live = 0
        fileprivate(set) var priority: Range<Int>?
        fileprivate(set) var own: Own?
        private var elements = 0

        init(isArray: Bool) { self.isArray = isArray }

        /// Of equal parts the last one counts.
        mutating func add(_ part: PutBodyReader.Part, _ member: TextScan.Member, _ finding: OutlineFinding) {
            let isNothing = finding.isNothing
            switch part {
            case .child: places.append(OutlinePlace.packed(member.key?.lowerBound ?? 0, isNothing: isNothing))
            case .element: addElement(at: member.value.lowerBound, isNothing)
            case .priority: priority = isNothing ? nil : member.value
            case .value: own = isNothing ? nil : .value(member.value)
            case .server: own = .server(member.value)
            }
            large.add(finding, at: member.value)
        }

        private mutating func addElement(at place: Int, _ isNothing: Bool) {
            if !isNothing { live += 1 }
            defer { elements += 1 }
            if let last = places.last, place - Int(last) < Parts.distance { return }
            places.append(UInt32(truncatingIfNeeded: place))
            numbers.append(UInt32(truncatingIfNeeded: elements))
        }

        /// All of them; nil where they store nothing. Throws a refusal where there are children beside an own value.
        mutating func finished(in text: UnsafeBufferPointer<UInt8>) throws(Refusal) -> OutlineIndex? {
            if !isArray {
                let keys = OutlineKeys(text: text, arePaths: false)
                places.putInOrder { keys.order($0, $1) }
                places.keepLast { keys.order($0, $1) }
                places.removeAll(where: OutlinePlace.isNothing)
                live = places.count
            }
            guard own == nil || live == 0 else { throw .valueBesideChildren }
            return own == nil && live == 0 ? nil : OutlineIndex(self)
        }
    }
}

extension [UInt32] {
    /// Sorts places by their keys; equal ones stay in the order of the text.
    mutating func putInOrder(_ order: (Int, Int) -> Int) {
        func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            let (left, right) = (OutlinePlace.offset(left), OutlinePlace.offset(right))
            let order = order(left, right)
            return order == 0 ? left < right : order < 0
        }
        let isSorted = indices.dropFirst().allSatisfy { precedes(self[$0 - 1], self[$0]) }
        if !isSorted { sort(by: precedes) }
    }

    /// Of neighbours with equal keys the last one stays.
    fileprivate mutating func keepLast(_ order: (Int, Int) -> Int) {
        var end = 0
        for index in indices {
            let next = index + 1
            if next < count, order(OutlinePlace.offset(self[index]), OutlinePlace.offset(self[next])) == 0 { continue }
            self[end] = self[index]
            end += 1
        }
        removeSubrange(end...)
    }
}
