extension [UInt8] {
    /// The JSON text of an object of these members, or of an array of these elements, with the commas between them.
    init(enclosing members: Slice<UnsafeBufferPointer<UInt8>>, isArray: Bool = false) {
        self.init()
        reserveCapacity(members.count + 2)
        append(UInt8(ascii: isArray ? "[" : "{"))
        append(contentsOf: members)
        append(UInt8(ascii: isArray ? "]" : "}"))
    }

    /// The JSON text of an object whose one member is null: the key is read as in any other.
    ///
    /// - Parameter key: with its quotes.
    init(deleting key: Slice<UnsafeBufferPointer<UInt8>>) {
        self = [UInt8(ascii: "{")] + key + Array(":null}".utf8)
    }

    /// Lends the bytes to who may refuse them.
    func asText<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Refusal) -> Result
    ) throws(Refusal) -> Result {
        let result = withUnsafeBufferPointer { bytes -> Swift.Result<Result, Refusal> in
            do throws(Refusal) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
