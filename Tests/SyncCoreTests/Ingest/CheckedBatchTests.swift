import SyncCore
import Testing

struct CheckedBatchTests {
    @Test func `without checks there is no limit`() {
        var batch = CheckedBatch()
        batch.took(nil, for: 2_000)
        #expect(batch.most == .max)
    }

    @Test func `with checks it begins small, and comes to a second`() {
        var batch = CheckedBatch()
        _ = batch.next(isChecked: true)
        #expect(batch.most == 16)
        // 25 ms a line.
        for expected in [40, 40] {
            batch.took(25 * UInt64(batch.most), for: batch.most)
            #expect(batch.most == expected)
        }
    }

    @Test func `a check that a reload has added begins small, too`() {
        var batch = CheckedBatch()
        #expect(batch.next(isChecked: false) == .max)
        batch.took(nil, for: 2_000)
        #expect(batch.next(isChecked: true) == 16)
        batch.took(0, for: 16)
        #expect(batch.next(isChecked: true) == 64)
    }

    @Test func `what is quick is checked in ever larger batches`() {
        var batch = CheckedBatch()
        _ = batch.next(isChecked: true)
        for expected in [64, 256, 1_024, 4_000, 4_000] {
            batch.took(UInt64(batch.most) / 100, for: batch.most)
            #expect(batch.most == expected)
        }
    }

    @Test func `a check that takes seconds is asked about one line at a time`() {
        var batch = CheckedBatch()
        batch.took(5_000, for: 1)
        #expect(batch.most == 1)
        // Lines of which none is asked about are not slowed down by it.
        for expected in [4, 16, 64] {
            batch.took(nil, for: batch.most)
            #expect(batch.most == expected)
        }
    }

    @Test func `what a few lines took tells little of many`() {
        var batch = CheckedBatch()
        _ = batch.next(isChecked: true)
        batch.took(0, for: 1)
        #expect(batch.most == 64)
    }
}
