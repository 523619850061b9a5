internal import PluginKit
internal import SyncModel

extension RemoteConformance {
    static let reading = [
        RemotePromise("a key where nothing stands reads as absent, with an ETag of its own") { check in
            let entry = try await check.remote.read(RemoteCheck.key(1), in: check.records)
            check.expect(entry.key, is: RemoteCheck.key(1), "the entry has the key that was asked for")
            check.expect(entry.value, is: .absent, "the value")
            check.expect(entry.etag != nil, "there is an ETag for \"nothing there\"")
            let other = try await check.etag(of: RemoteCheck.key(2))
            check.expect(entry.etag, is: other, "the ETag of nothing is the same for every key")
        },
        RemotePromise("a record reads as it was written, with the server's time") { check in
            let key = RemoteCheck.key(1)
            try await check.create(RemoteCheck.film("Alien"))
            let entry = try await check.remote.read(key, in: check.records)
            check.expect(entry.value, is: RemoteCheck.value("Alien"), "the value")
            check.expect(entry.serverTime.map { $0 > 0 } ?? false, "the server's time is there")
        },
        RemotePromise("an ETag changes with the value, and with nothing else") { check in
            let first = try await check.create(RemoteCheck.film("Alien"))
            check.expect(try await check.etag(of: RemoteCheck.key(1)), is: first, "a second read")
            try await check.create(RemoteCheck.film("Brazil", RemoteCheck.key(2)))
            check.expect(try await check.etag(of: RemoteCheck.key(1)), is: first, "a write of another key")
            let again = try await check.remote.write(
                RemoteCheck.film("Aliens"), in: check.records, if: .matches(etag: first))
            check.expectWritten(again, "a write with the ETag that was read")
            check.expect(try await check.etag(of: RemoteCheck.key(1)) != first, "a write changes the ETag")
        },
        RemotePromise("what others wrote reads as it stands, and what is no record is unreadable") { check in
            guard let plant = check.sample.plant else { return }
            let (foreign, scalar) = (RemoteCheck.key(1), RemoteCheck.key(2))
            try await plant(["title": "Heat", "year": 1995, "cast": ["Pacino", "De Niro"]], [foreign], check.records)
            try await plant(5, [scalar], check.records)
            check.expect(
                try await check.remote.read(foreign, in: check.records).value,
                is: .record(fields: ["title": "Heat", "year": 1995, "cast": ["Pacino", "De Niro"]], stamps: nil),
                "a record without a stamp")
            let entry = try await check.remote.read(scalar, in: check.records)
            check.expect(isUnreadable(entry.value), "a number is unreadable as a record, not \(entry.value)")
            check.expect(entry.etag != nil, "what is unreadable has an ETag")
            let all = try await check.remote.readRange(from: nil, through: nil, limit: 10, in: check.records)
            check.expect(all.entries.map(\.key), is: [foreign, scalar], "what is unreadable costs no other entry")
        },
        RemotePromise("what is no tombstone is unreadable as one") { check in
            guard let plant = check.sample.plant, check.remote.keepsTombstones else { return }
            try await plant(["why": "nobody knows"], [RemoteCheck.key(1)], check.tombstones)
            let value = try await check.remote.read(RemoteCheck.key(1), in: check.tombstones).value
            check.expect(isUnreadable(value), "an object without a stamp is no tombstone, but \(value)")
        },
        RemotePromise("a key that can't be one is refused, and nothing is written") { check in
            for key in ["", "a/b"] {
                await check.expect(.refused, "reading \"\(key)\"") { [remote = check.remote, records = check.records] in
                    _ = try await remote.read(key, in: records)
                }
                await check.expect(.refused, "writing \"\(key)\"") { [remote = check.remote, records = check.records] in
                    _ = try await remote.write(RemoteCheck.film("x", key), in: records, if: .absent)
                }
            }
            check.expect(try await check.remote.keys(in: check.records), is: [], "the keys")
        },
        RemotePromise("requests are counted") { check in
            let before = check.remote.traffic.requests
            try await check.create(RemoteCheck.film("Alien"))
            check.expect(check.remote.traffic.requests >= before, "the count does not fall")
        },
    ]

    private static func isUnreadable(_ value: RemoteValue) -> Bool {
        if case .unreadable = value { true } else { false }
    }
}
