import LocalStore
import SyncCore
import SyncModel
import Testing

/// `pull: incremental`: the first load comes in pages, over whatever stands between.
struct FirstLoadTests {
    typealias Machine = MachineUnderTest

    /// Answers all that is asked for; pages of records that are longer than `most` don't come.
    ///
    /// - Returns: the first keys and sizes of the pages that were asked for.
    private func load(_ machine: Machine, most: Int, _ error: RemoteError) throws -> [(first: String?, limit: Int)] {
        try machine.take(.start)
        var pages: [(first: String?, limit: Int)] = []
        for _ in 0..<5000 {
            guard let call = machine.open.first?.call else {
                if machine.streams[Machine.records] != nil { return pages }
                try machine.pass(1000)
                continue
            }
            guard case .readRange(let first, _, let limit, Machine.records) = call else {
                try machine.answer()
                continue
            }
            pages.append((first, limit))
            try machine.answer(limit > most ? error : nil)
        }
        Issue.record("the load did not end after \(pages.count) pages")
        return pages
    }

    @Test(arguments: [RemoteError(.outcomeUnknown, "cut"), RemoteError(.tooLarge, "413")])
    func `pages that are cut or refused are halved, and what has come is not asked for again`(error: RemoteError) throws
    {
        let machine = try Machine(pull: .incremental)
        machine.fill(3000)
        let pages = try load(machine, most: 200, error)
        #expect(try machine.counts().records == 3000)
        #expect(pages.count { $0.first == nil } <= 4 && pages.count < 50)
        #expect(pages.count { $0.limit > 200 } < 8, "more is tried less and less often")
    }

    @Test func `a line that is cut now and then does not begin it anew`() throws {
        let machine = try Machine(pull: .incremental)
        machine.fill(5000)
        try machine.take(.start)
        var (asked, failed) = (0, 0)
        while machine.streams[Machine.records] == nil {
            guard let call = machine.open.first?.call else {
                try machine.pass(60_000)
                continue
            }
            asked += 1
            let isCut = asked.isMultiple(of: 3)
            if isCut { failed += 1 }
            let isPage = if case .readRange = call { true } else { false }
            try machine.answer(isCut && isPage ? RemoteError(.unreachable, "away") : nil)
            try #require(asked < 100)
        }
        #expect(try machine.counts().records == 5000 && failed > 1)
    }

    @Test func `a daemon that is killed before a second key is read looks at it again`() throws {
        let machine = try Machine(pull: .incremental)
        machine.fill(12)
        let second = Machine.id(5).description.lowercased()
        machine.server.put(second, Machine.film(5, "Second"))
        try machine.take(.start)
        func isSecond(_ call: RemoteCall?) -> Bool { call == .read(second, Machine.records) }
        for _ in 0..<100 where !machine.open.contains(where: { isSecond($0.call) }) {
            if !machine.open.isEmpty {
                try machine.answer()
            } else {
                for keyspace in machine.settings.keyspaces(of: "movies") { try machine.snapshotOfChanges(keyspace) }
            }
        }
        #expect(machine.open.contains { isSecond($0.call) })
        #expect(try machine.cursor() == nil)
        try machine.restart()
        try machine.goLive()
        #expect(machine.server.keys().count == 12 && machine.titleThere(5) == "Second")
        #expect(try machine.title(5) == "Second" && machine.cursor() != nil)
    }

    @Test(arguments: [RemoteError.Code.tooLarge, .refused], [1, 150, 299] as [UInt64])
    func `a record that is never let through is named, and all others are loaded`(
        code: RemoteError.Code, number: UInt64
    )
        throws
    {
        let machine = try Machine(pull: .incremental)
        let large = Machine.id(number).description
        // Long ago: the stream of changes shows it no more.
        machine.server.time -= 86_400_000
        machine.fill(300)
        machine.server.time += 1000
        for film in (0..<300).filter({ $0 != number }) {
            machine.server.put(Machine.id(film).description, Machine.film(film, "Film \(film)"))
        }
        machine.server.put("no-uuid", Machine.film(1, "Stray"))
        machine.server.time = machine.wall
        let error = RemoteError(code, "too large")
        func isLarge(_ call: RemoteCall) -> Bool {
            switch call {
            case .readRange(let first, let last, let limit, Machine.records):
                machine.server.keys().filter { $0 >= first ?? "" && $0 <= last ?? "~" }.prefix(limit + 1).contains(
                    large)
            case .read(let key, _): key == large
            default: false
            }
        }
        try machine.take(.start)
        var isShown = false
        for _ in 0..<2000 {
            if let call = machine.open.first?.call {
                try machine.answer(isLarge(call) ? error : nil)
            } else if machine.streams[Machine.records] == nil {
                try machine.pass(1000)
            } else {
                guard !isShown else { break }
                for keyspace in machine.settings.keyspaces(of: "movies") { try machine.snapshotOfChanges(keyspace) }
                isShown = true
            }
        }
        #expect(try machine.counts().records == 299)
        #expect(try machine.cursor() != nil)
        let items = try machine.read { try $0.quarantined(after: 0, limit: 9) }
        #expect(items.compactMap(\.record).sorted() == [large, "no-uuid"].sorted())
        #expect(items.first { $0.record == large }?.defect.message.contains("too large") == true)
        #expect(machine.calls.count < 700)
    }
}
