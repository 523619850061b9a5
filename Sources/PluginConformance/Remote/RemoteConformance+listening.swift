internal import PluginKit
internal import SyncModel

extension RemoteConformance {
    static let listening = [
        RemotePromise("a listener of nothing hears an empty snapshot") { check in
            try await check.withListener { check, events in
                check.expect(try await events.next(), is: .snapshotBegan, "the first event")
                check.expect(try await events.next(), is: .snapshotEnded(entries: 0), "the second event")
            }
        },
        RemotePromise("a snapshot has every record once, with the server's time") { check in
            let keys = (1...20).map(RemoteCheck.key)
            for key in keys { try await check.create(RemoteCheck.film("x", key)) }
            try await check.withListener { check, events in
                let (entries, isWhole) = try await events.snapshot()
                check.expect(isWhole, "a snapshot begins, has entries, and ends with their number")
                check.expect(entries.map(\.key).sorted(), is: keys, "the keys")
                check.expect(entries.allSatisfy { $0.serverTime != nil }, "entries have the server's time")
                check.expect(
                    entries.first { $0.key == keys[0] }?.value, is: RemoteCheck.value("x", keys[0]), "the value")
            }
        },
        RemotePromise("changes are heard in the order of their writes") { check in
            try await check.withListener { check, events in
                _ = try await events.snapshot()
                let key = RemoteCheck.key(1)
                var etag = try await check.create(RemoteCheck.film("0"))
                for number in 1...5 {
                    let write = RemoteCheck.film("\(number)", counter: UInt16(2 * number + 2))
                    check.expectWritten(
                        try await check.remote.write(write, in: check.records, if: .matches(etag: etag)), "a write")
                    etag = try await check.etag(of: key)
                }
                for number in 0...5 {
                    let entry = try await events.change()
                    check.expect(entry?.key, is: key, "the key of change \(number)")
                    let value = RemoteCheck.value("\(number)", counter: UInt16(2 * number + 2))
                    check.expect(entry?.value, is: value, "change \(number)")
                }
            }
        },
        RemotePromise("a removal is heard as absence") { check in
            let etag = try await check.create(RemoteCheck.film("Alien"))
            try await check.withListener { check, events in
                _ = try await events.snapshot()
                _ = try await check.remote.remove(RemoteCheck.key(1), in: check.records, ifMatches: etag)
                let entry = try await events.change()
                check.expect(entry?.key, is: RemoteCheck.key(1), "the key")
                check.expect(entry?.value, is: .absent, "the value")
            }
        },
        RemotePromise("a batch is heard, element by element") { check in
            let keys = (1...3).map(RemoteCheck.key)
            try await check.withListener { check, events in
                _ = try await events.snapshot()
                try await check.remote.writeBatch(
                    keys.map {
                        BatchElement(keyspace: check.records, key: $0, write: RemoteCheck.film("x", $0))
                    })
                var heard: [String] = []
                for _ in keys { heard.append(try await events.change()?.key ?? "") }
                check.expect(heard.sorted(), is: keys, "the keys")
            }
        },
        RemotePromise("a change below a key is heard as a touch, or with the whole value") { check in
            guard let plant = check.sample.plant else { return }
            let key = RemoteCheck.key(1)
            try await check.create(RemoteCheck.film("Alien"))
            try await check.withListener { check, events in
                _ = try await events.snapshot()
                try await plant("Aliens", [key, "title"], check.records)
                switch try await events.next() {
                case .touched(let touched): check.expect(touched, is: key, "the key")
                case .changed(let entry):
                    check.expect(entry.value, is: RemoteCheck.value("Aliens"), "the value")
                case let event: check.expect(false, "a touch, not \(event)")
                }
            }
        },
        RemotePromise("what is unreadable is heard like anything else") { check in
            guard let plant = check.sample.plant else { return }
            try await plant(5, [RemoteCheck.key(1)], check.records)
            try await check.create(RemoteCheck.film("Brazil", RemoteCheck.key(2)))
            try await check.withListener { check, events in
                let entries = try await events.snapshot().entries
                check.expect(entries.count, is: 2, "entries of the snapshot")
                try await plant("text", [RemoteCheck.key(3)], check.records)
                let entry = try await events.change()
                var isUnreadable = false
                if case .unreadable? = entry?.value { isUnreadable = true }
                check.expect(isUnreadable, "a text is unreadable as a record")
            }
        },
        RemotePromise("a listener with a cursor hears what was written at or after it") { check in
            let (old, new) = (RemoteCheck.key(1), RemoteCheck.key(2))
            try await check.create(RemoteCheck.film("old", old))
            let before = try await check.remote.read(old, in: check.records).serverTime ?? 0
            // The server's time has to move on.
            var after = before
            var etag: String?
            while after <= before {
                let condition = etag.map { WriteCondition.matches(etag: $0) } ?? .absent
                _ = try await check.remote.write(RemoteCheck.film("new", new), in: check.records, if: condition)
                let entry = try await check.remote.read(new, in: check.records)
                (after, etag) = (entry.serverTime ?? .max, entry.etag)
            }
            try await check.withListener(after: after) { check, events in
                let (entries, isWhole) = try await events.snapshot()
                check.expect(isWhole, "a snapshot begins, has entries, and ends with their number")
                check.expect(entries.map(\.key), is: [new], "the keys of the snapshot")
                let third = RemoteCheck.key(3)
                try await check.create(RemoteCheck.film("third", third))
                check.expect(try await events.change()?.key, is: third, "what is written later")
            }
        },
    ]

    static let endings = [
        RemotePromise("a cancelled listener ends at once") { check in
            let (remote, records) = (check.remote, check.records)
            let (heard, continuation) = AsyncStream<Void>.makeStream()
            let hasThrown = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        try await remote.listen(to: records, after: nil) { _ in continuation.yield() }
                        return false
                    } catch {
                        return true
                    }
                }
                for await _ in heard { break }
                group.cancelAll()
                return await group.next() ?? false
            }
            check.expect(hasThrown, "it throws")
        },
        RemotePromise("a listener that can't go on with what it heard ends with its own error") { check in
            struct Enough: Error {}
            do {
                try await check.remote.listen(to: check.records, after: nil) { _ in throw Enough() }
                check.expect(false, "it throws")
            } catch {
                check.expect(error is Enough, "what the handler threw, not \(error)")
            }
        },
        RemotePromise("shutting down ends an open listener") { check in
            var hasEnded = false
            do {
                try await check.withListener { check, events in
                    _ = try await events.snapshot()
                    await check.remote.shutdown()
                    _ = try await events.next()
                }
            } catch {
                hasEnded = true
            }
            check.expect(hasEnded, "the listener throws")
        },
    ]
}
