import Testing

@testable import WebFace

struct LiveRoomTests {
    @Test
    func `a section that changes often is told once`() throws {
        let room = LiveRoom()
        let guest = try #require(room.enter())
        for sequence in Int64(1)...1_000 { room.note([.library], sequence) }
        room.note([.status], 1_000)
        #expect(
            room.news(for: guest.number).events == [
                .init(section: .library, sequence: 1_000), .init(section: .status, sequence: 1_000),
            ])
        #expect(room.news(for: guest.number) == LiveRoom.News())
    }

    @Test
    func `what is for one reader is not told to others`() throws {
        let room = LiveRoom()
        let (first, second) = (try #require(room.enter()), try #require(room.enter()))
        room.note([.people], 3, for: second.number)
        #expect(room.news(for: first.number).events.isEmpty)
        #expect(room.news(for: second.number).events == [.init(section: .people, sequence: 3)])
    }

    @Test
    func `there is room for sixty-four, and again when one leaves`() throws {
        let room = LiveRoom()
        var seats = (0..<64).compactMap { _ in room.enter() }
        #expect(seats.count == 64)
        #expect(room.enter() == nil)
        seats.removeLast()
        #expect(room.enter() != nil)
        seats = []
        #expect(room.isEmpty)
    }

    @Test
    func `who asks for the head alone takes no place`() {
        let room = LiveRoom()
        for _ in 0..<100 {
            let body = room.enter().map { seat in { _ = seat.bell } }
            #expect(body != nil)
        }
        #expect(room.isEmpty)
    }

    @Test
    func `a sign of life says nothing`() throws {
        let room = LiveRoom()
        let guest = try #require(room.enter())
        room.beat()
        #expect(Responder.text(of: room.news(for: guest.number)) == ":\n\n")
        room.note([.library], 42)
        #expect(
            Responder.text(of: room.news(for: guest.number)) == "id: 42\ndata: {\"section\":\"library\",\"seq\":42}\n\n"
        )
    }
}
