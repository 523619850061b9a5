extension MachineUnderTest {
    /// Answers, with pauses between, until what waits for a while has come too.
    func settleWithPauses(_ count: Int = 3) throws {
        for _ in 0..<count {
            try settle()
            try pass(5000)
        }
    }
}
