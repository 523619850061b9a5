import SyncCore
import SyncModel

extension MachineUnderTest {
    /// The stream tells, at once, what stands under the keys of these films now.
    func tell(all numbers: some Sequence<UInt64>) throws {
        try events(numbers.map { .changed(server.entry(MachineUnderTest.id($0).description)) })
    }
}
