internal import JSONText
internal import PluginKit
internal import SyncModel

extension RemoteConformance {
    static let writing = [
        RemotePromise("a write that expects nothing makes a record where nothing stands, and only there") { check in
            let outcome = try await check.remote.write(RemoteCheck.film("Alien"), in: check.records, if: .absent)
            guard case .written(let etag) = outcome else { return check.expect(false, "the record is written") }
            let now = try await check.etag(of: RemoteCheck.key(1))
            if let etag { check.expect(etag, is: now, "the answer's ETag is that of what stands there") }
            let second = try await check.remote.write(
                RemoteCheck.film("Brazil", counter: 4), in: check.records, if: .absent)
            try await check.expectConflict(second, with: RemoteCheck.value("Alien"), "a second one conflicts")
        },
        RemotePromise("a write with an ETag replaces just what the ETag is of") { check in
            let old = try await check.create(RemoteCheck.film("Alien"))
            let outcome = try await check.remote.write(
                RemoteCheck.film("Aliens", counter: 4), in: check.records, if: .matches(etag: old))
            check.expectWritten(outcome, "a write with the ETag of what stands there")
            let late = try await check.remote.write(
                RemoteCheck.film("Brazil", counter: 6), in: check.records, if: .matches(etag: old))
            try await check.expectConflict(
                late, with: RemoteCheck.value("Aliens", counter: 4), "a write with an old ETag conflicts")
        },
        RemotePromise("the ETag of nothing is a condition like any other") { check in
            let nothing = try await check.etag(of: RemoteCheck.key(1))
            let outcome = try await check.remote.write(
                RemoteCheck.film("Alien"), in: check.records, if: .matches(etag: nothing))
            check.expectWritten(outcome, "a write with the ETag of nothing")
            let second = try await check.remote.write(
                RemoteCheck.film("Brazil"), in: check.records, if: .matches(etag: nothing))
            try await check.expectConflict(second, with: RemoteCheck.value("Alien"), "it holds only once")
        },
        RemotePromise("of two writes that expect nothing one is written") { check in
            let (remote, records) = (check.remote, check.records)
            async let left = remote.write(RemoteCheck.film("Alien"), in: records, if: .absent)
            async let right = remote.write(RemoteCheck.film("Brazil"), in: records, if: .absent)
            let outcomes = try await [left, right]
            let conflicts = outcomes.count { if case .conflict = $0 { true } else { false } }
            check.expect(conflicts, is: 1, "conflicts")
        },
        RemotePromise("a write that is sent again changes nothing") { check in
            let write = RemoteCheck.film("Alien")
            try await check.create(write)
            let again = try await check.remote.write(write, in: check.records, if: .absent)
            try await check.expectConflict(
                again, with: RemoteCheck.value("Alien"), "the second one conflicts with itself")
        },
        RemotePromise("what has its ETag is removed, and the answer's is that of nothing") { check in
            let key = RemoteCheck.key(1)
            let nothing = try await check.etag(of: key)
            let old = try await check.create(RemoteCheck.film("Alien"))
            check.expectWritten(
                try await check.remote.write(
                    RemoteCheck.film("Aliens", counter: 4), in: check.records, if: .matches(etag: old)), "a replacement"
            )
            try await check.expectConflict(
                try await check.remote.remove(key, in: check.records, ifMatches: old),
                with: RemoteCheck.value("Aliens", counter: 4), "a removal with an old ETag conflicts")
            let outcome = try await check.remote.remove(
                key, in: check.records, ifMatches: try await check.etag(of: key))
            check.expect(outcome, is: .written(etag: nothing), "the answer")
            check.expect(try await check.remote.read(key, in: check.records).value, is: .absent, "what is read then")
        },
        RemotePromise("tombstones are kept beside the records, where there are any") { check in
            let key = RemoteCheck.key(1)
            let (remote, tombstones) = (check.remote, check.tombstones)
            guard remote.keepsTombstones else {
                return await check.expect(.refused, "reading a tombstone") {
                    _ = try await remote.read(key, in: tombstones)
                }
            }
            let ended = Content(fields: ["title": "Alien"]).hash
            for (number, hash) in [(1, ended), (2, nil)] as [(Int, ContentHash?)] {
                let write = RemoteWrite(
                    key: RemoteCheck.key(number), body: .tombstone(ended: hash), stamp: RemoteCheck.stamp(4))
                try await check.create(write, in: tombstones)
                check.expect(
                    try await remote.read(write.key, in: tombstones).value,
                    is: .tombstone(stamp: RemoteCheck.stamp(4), ended: hash), "the tombstone")
            }
            check.expect(try await remote.read(key, in: check.records).value, is: .absent, "there is no record")
        },
        RemotePromise("every JSON value of a record comes back as it was") { check in
            let fields: [String: JSONValue] = [
                "text": "a \"b\" \\ \n ü 🎬", "number": 1.5, "whole": 42, "negative": -7, "truth": false,
                "list": ["a", 2, ["b": true]], "inner": ["deep": ["deeper": "x"]],
            ]
            let key = RemoteCheck.key(1)
            let write = RemoteWrite(
                key: key, body: .record(Content(fields: fields), identityFields: [:]), stamp: RemoteCheck.stamp(2))
            try await check.create(write)
            check.expect(
                try await check.remote.read(key, in: check.records).value,
                is: .record(fields: fields, stamps: RemoteStamps(RemoteCheck.stamp(2))), "the record")
        },
    ]

    static let batches = [
        RemotePromise("a batch writes and removes all its elements, in several keyspaces") { check in
            let (first, second) = (RemoteCheck.key(1), RemoteCheck.key(2))
            try await check.create(RemoteCheck.film("Alien"))
            var elements = [
                BatchElement(keyspace: check.records, key: first, write: nil),
                BatchElement(keyspace: check.records, key: second, write: RemoteCheck.film("Brazil", second)),
            ]
            if check.remote.keepsTombstones {
                let write = RemoteWrite(key: first, body: .tombstone(ended: nil), stamp: RemoteCheck.stamp(4))
                elements.append(BatchElement(keyspace: check.tombstones, key: first, write: write))
            }
            try await check.remote.writeBatch(elements)
            check.expect(try await check.remote.read(first, in: check.records).value, is: .absent, "the removed")
            check.expect(
                try await check.remote.read(second, in: check.records).value,
                is: RemoteCheck.value("Brazil", second), "the written")
            guard check.remote.keepsTombstones else { return }
            check.expect(
                try await check.remote.read(first, in: check.tombstones).value,
                is: .tombstone(stamp: RemoteCheck.stamp(4), ended: nil), "the tombstone")
        },
        RemotePromise("a batch that is refused writes nothing") { check in
            let elements = [RemoteCheck.key(1), "a/b"].map {
                BatchElement(keyspace: check.records, key: $0, write: RemoteCheck.film("Alien", $0))
            }
            await check.expect(.refused, "a batch with a key that can't be one") { [remote = check.remote] in
                try await remote.writeBatch(elements)
            }
            check.expect(try await check.remote.keys(in: check.records), is: [], "the keys")
        },
        RemotePromise("a batch without elements does nothing") { check in
            try await check.remote.writeBatch([])
            check.expect(try await check.remote.keys(in: check.records), is: [], "the keys")
        },
    ]
}
