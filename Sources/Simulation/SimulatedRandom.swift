/// Random numbers that are the same for the same seed (SplitMix64, Steele, Lea and Flood, 2014).
struct SimulatedRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD1B5_4A32_D192_ED03 }

    /// Numbers of their own for one part of a run, so that what happens in another does not change them.
    init(_ seed: UInt64, part: Int) {
        var first = SimulatedRandom(seed &+ UInt64(part) &* 0xA076_1D64_78BD_642F)
        self.init(first.next())
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 to before `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// True in `percent` of 100 cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// From 0 to 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
