internal import PluginKit
internal import SyncModel

extension RemoteConformance {
    static let pages = [
        RemotePromise("all keys are listed") { check in
            check.expect(try await check.remote.keys(in: check.records), is: [], "the keys of an empty keyspace")
            let keys = (1...5).map(RemoteCheck.key)
            for key in keys { try await check.create(RemoteCheck.film("x", key)) }
            check.expect(try await check.remote.keys(in: check.records).sorted(), is: keys, "the keys")
        },
        RemotePromise("an empty range is one page without entries") { check in
            let page = try await check.remote.readRange(from: nil, through: nil, limit: 3, in: check.records)
            check.expect(page, is: RemotePage(entries: []), "the page")
        },
        RemotePromise("a range has both its ends, in the order of bytes, and no ETags") { check in
            let keys = (1...6).map(RemoteCheck.key)
            for key in keys.reversed() { try await check.create(RemoteCheck.film("x", key)) }
            let page = try await check.remote.readRange(
                from: keys[1], through: keys[4], limit: 10, in: check.records)
            check.expect(page.entries.map(\.key), is: Array(keys[1...4]), "the keys")
            check.expect(page.next, is: nil, "the next page")
            check.expect(page.entries.allSatisfy { $0.serverTime != nil }, "entries have the server's time")
            check.expect(page.entries.first?.value, is: RemoteCheck.value("x", keys[1]), "the value")
        },
        RemotePromise("pages follow each other without a gap and without a repetition") { check in
            // Keys of other programs sort as the remote likes; only the pages' own account counts.
            let keys = (1...5).map(RemoteCheck.key) + ["10", "9", "-1", "a", "Z", "-Kx"]
            for key in keys { try await check.create(RemoteCheck.film("x", key)) }
            for limit in [1, 2, 4, 11, 12] {
                var found: [String] = []
                var next: String?
                var count = 0
                repeat {
                    let page = try await check.remote.readRange(
                        from: next, through: nil, limit: limit, in: check.records)
                    check.expect(page.entries.count <= limit, "a page has at most \(limit) entries")
                    found += page.entries.map(\.key)
                    next = page.next
                    count += 1
                } while next != nil && count <= keys.count
                check.expect(found.sorted(), is: keys.sorted(), "the keys of pages of \(limit)")
            }
        },
    ]
}
