internal import JSONText

/// Cuts the text of a large JSON object or array into runs of members, each of which can be read by itself, and members
/// that are large by themselves.
///
/// What stands inside of a value is not looked at: whoever reads the run finds what is wrong with it.
struct MemberCut {
    enum Piece: Equatable {
        /// Members of an object, or elements of an array, with the commas between them.
        case run(Range<Int>)
        /// One that is too large for a run. Of an object, with the place of its key in quotes.
        case large(key: Range<Int>?, value: Range<Int>)
    }

    private let size: Int
    private let isArray: Bool
    private var scan: TextScan
    private var state = State.begun

    private enum State { case begun, between, finished }

    /// Nil where the text begins neither as an object nor as an array.
    ///
    /// - Parameter size: a run has at most so many bytes; what is larger alone is a piece of its own.
    init?(_ text: UnsafeBufferPointer<UInt8>, in range: Range<Int>, size: Int) {
        self.size = size
        scan = TextScan(bytes: UnsafeBufferPointer(rebasing: text[..<range.upperBound]), position: range.lowerBound)
        isArray = scan.take(UInt8(ascii: "["))
        guard isArray || scan.take(UInt8(ascii: "{")) else { return nil }
    }

    /// Whether all is cut, and nothing is wrong between the members.
    var isFinished: Bool { state == .finished }

    /// The next piece; nil at the end and where something is wrong.
    mutating func next() -> Piece? {
        guard state != .finished else { return nil }
        scan.skipBlank()
        if state == .begun, scan.take(close) { return finish() }
        state = .between
        let start = scan.position
        while true {
            let begin = scan.position
            guard let member = scan.skipMember(isArray: isArray) else { return nil }
            if scan.position - begin > size {
                guard begin == start else {
                    scan.position = begin
                    return .run(start..<lastComma(before: begin))
                }
                return separated() ? .large(key: member.key, value: member.value) : nil
            }
            let end = scan.position
            scan.skipBlank()
            if scan.take(close) {
                _ = finish()
                return isFinished ? .run(start..<end) : nil
            }
            guard scan.take(UInt8(ascii: ",")) else { return nil }
            if end - start >= size { return .run(start..<end) }
            scan.skipBlank()
        }
    }

    private var close: UInt8 { UInt8(ascii: isArray ? "]" : "}") }

    /// After a member that is a piece of its own.
    private mutating func separated() -> Bool {
        scan.skipBlank()
        if scan.take(close) {
            _ = finish()
            return isFinished
        }
        return scan.take(UInt8(ascii: ","))
    }

    private mutating func finish() -> Piece? {
        scan.skipBlank()
        if scan.position == scan.bytes.count { state = .finished }
        return nil
    }

    private func lastComma(before place: Int) -> Int {
        var end = place
        repeat { end -= 1 } while scan.bytes[end] != UInt8(ascii: ",")
        return end
    }
}
