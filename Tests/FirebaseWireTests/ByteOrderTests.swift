import FirebaseWire
import Testing

/// Bytes are compared eight at a time: that changes nothing about their order.
struct ByteOrderTests {
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 36]) func `the first byte that differs decides, wherever it is`(
        length: Int
    ) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(order(bytes, bytes) == 0)
        #expect(order(bytes, bytes + [0]) < 0)
        #expect(order(bytes + [0], bytes) > 0)
        for place in bytes.indices {
            var other = bytes
            // What follows says the opposite, and the topmost bit is no sign.
            for later in other[(place + 1)...].indices { other[later] = 0 }
            other[place] ^= 0x80
            let isBefore = bytes[place] < other[place]
            #expect((order(bytes, other) < 0) == isBefore)
            #expect((order(other, bytes) > 0) == isBefore)
        }
    }

    private func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBufferPointer { left in right.withUnsafeBufferPointer { ByteOrder.of(left, $0) } }
    }
}
