import TestSupport
import Testing

@testable import DatabaseTree

struct BlockMemoryTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `pieces never overlap, whatever is taken and given back`(
        _ seed: UInt64
    ) {
        var random = SeededRandom(seed)
        let memory = BlockMemory()
        var taken: [(piece: UnsafeMutableRawPointer, size: Int, mark: UInt8)] = []
        func isWhole(_ index: Int) -> Bool {
            let (piece, size, mark) = taken[index]
            return UnsafeRawBufferPointer(start: piece, count: size).allSatisfy { $0 == mark }
        }
        for step in 0..<6000 {
            if Int.random(in: 0..<(step / 1500 % 2 == 0 ? 3 : 10), using: &random) == 0 || taken.count < 200 {
                let size = Int.random(in: 1...[300, 4096, 9000][step % 3], using: &random)
                let piece = memory.allocate(size)
                piece.initializeMemory(as: UInt8.self, repeating: UInt8(step % 251), count: size)
                taken.append((piece, size, UInt8(step % 251)))
            } else {
                let index = Int.random(in: 0..<taken.count, using: &random)
                #expect(isWhole(index))
                memory.free(taken[index].piece, taken[index].size)
                taken.swapAt(index, taken.count - 1)
                taken.removeLast()
            }
        }
        #expect(taken.indices.allSatisfy(isWhole))
        for (piece, size, _) in taken { memory.free(piece, size) }
    }
}
