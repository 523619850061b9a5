import SyncModel
import Testing

@testable import SyncCore

struct StreamPlaceTests {
    private func id(_ number: UInt64) -> RecordID { MachineUnderTest.id(number) }

    private func newest(_ writes: [(UInt64, UInt64)]) -> NewestWrites {
        var newest = NewestWrites()
        for (number, time) in writes { newest.note(id(number), at: time) }
        return newest
    }

    @Test func `is read as it was stored`() {
        var place = StreamPlace(reached: 90, newest: newest([(1, 70), (2, 95)]))
        #expect(StreamPlace(place.description) == place)
        place.acknowledged = id(3)
        #expect(StreamPlace(place.description) == place)
        #expect(StreamPlace(StreamPlace(reached: 5, newest: NewestWrites()).description)?.cursor == 5)
        #expect(StreamPlace("") == nil)
    }

    @Test func `of former versions, which kept one write without its time`() {
        let place = StreamPlace("90 \(id(1)) \(id(2))")
        #expect(place?.cursor == 90 && place?.acknowledged == id(2))
        #expect(place?.newest.writes == [ShownWrite(id(1), at: nil)])
    }

    @Test func `goes on where the newest writes are shown again`() {
        #expect(StreamPlace(reached: 90, newest: newest([(1, 70), (2, 95)])).cursor == 70)
        #expect(StreamPlace(reached: 60, newest: newest([(1, 70)])).cursor == 60)
    }

    @Test func `the last writes count, each of another record`() {
        let found = newest([(1, 10), (2, 30), (3, 20), (2, 40), (4, 15), (5, 50), (6, 5)]).writes
        #expect(found == [ShownWrite(id(3), at: 20), ShownWrite(id(2), at: 40), ShownWrite(id(5), at: 50)])
    }

    @Test func `of many that were written at once none is kept beside a later one, in whatever order they are shown`() {
        let crowd = (1...9 as ClosedRange<UInt64>).map { ($0, UInt64(10)) }
        #expect(newest(crowd).writes.count == 3 && StreamPlace(reached: 90, newest: newest(crowd)).cursor == 10)
        let later = [(20, 30), (21, 40)] as [(UInt64, UInt64)]
        for place in 0...9 {
            let shown = crowd.prefix(place) + later + crowd.dropFirst(place) + [(22, 5)]
            #expect(newest(Array(shown)).writes.map(\.id) == [id(20), id(21)])
        }
    }

    @Test func `what is not shown by its time any more is none of them`() {
        var newest = newest([(1, 10), (2, 30)])
        newest.forget(id(2))
        newest.note(id(1), at: 5, since: 8)
        #expect(newest.writes.isEmpty)
    }

    /// Two of one time, and one that was acknowledged later than anything that was shown of it.
    private func awaited() -> AwaitedWrites {
        var awaited = AwaitedWrites()
        awaited.add(newest([(1, 20), (2, 30), (3, 30)]))
        awaited.add(acknowledged: id(4))
        return awaited
    }

    @Test(arguments: [(30, [4]), (35, [1, 3, 4]), (nil, [1, 3, 4]), (29, [1, 2, 3, 4])] as [(UInt64?, [UInt64])])
    func `what stands there as it did tells that nothing was taken away before`(time: UInt64?, left: [UInt64]) {
        var awaited = awaited()
        let isShown = awaited.noteShown(id(2), at: time)
        #expect(isShown == (time != 29))
        #expect(awaited.take().map(\.id) == left.map(id).sorted() && awaited.isEmpty)
    }

    @Test func `what was acknowledged since it was shown is there later`() {
        var awaited = awaited()
        awaited.add(acknowledged: id(3))
        awaited.noteShown(id(3), at: 30)
        var shown = awaited
        #expect(awaited.take().first { $0.id == id(3) }?.isOlder == true)
        shown.noteShown(id(3), at: 31)
        #expect(shown.take().map(\.id) == [id(1), id(2), id(4)].sorted())
    }

    @Test func `what was shown after others were missing says nothing of them`() {
        var awaited = awaited()
        awaited.add(newest([(5, 90)]))
        awaited.noteShown(id(5), at: 90)
        #expect(awaited.take().map(\.id) == [id(1), id(2), id(3), id(4)].sorted())
    }
}
