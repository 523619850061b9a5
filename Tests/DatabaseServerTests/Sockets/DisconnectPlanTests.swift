import DatabaseTree
import FirebaseWire
import Testing

@testable import DatabaseServer

struct DisconnectPlanTests {
    enum Step: Sendable {
        case put(String, String)
        case merge(String, String)
        case cancel(String)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var steps: [Step]
        var writes: [String]
    }

    static let cases = [
        Case(
            testDescription: "all in their order",
            steps: [.put("/b", "1"), .merge("/a", #"{"x":1,"y/z":2}"#), .put("/c", "{}")],
            writes: ["put /b 1", "patch /a/x 1 /a/y/z 2", "put /c null"]),
        Case(
            testDescription: "a later put takes the place of what is at or below it",
            steps: [.put("/a/b", "1"), .put("/a", "2"), .merge("/m", #"{"x":1,"y":2}"#), .put("/m/x", "3")],
            writes: ["put /a 2", "patch /m/y 2", "put /m/x 3"]),
        Case(
            testDescription: "but not of what is above it",
            steps: [.put("/a", #"{"b":1,"c":2}"#), .put("/a/b", "3")],
            writes: [#"put /a {"b":1,"c":2}"#, "put /a/b 3"]),
        Case(
            testDescription: "cancelling takes away what is at or below the path",
            steps: [.put("/a/b", "1"), .put("/ab", "2"), .merge("/a", #"{"c":1}"#), .cancel("/a")],
            writes: ["put /ab 2"]),
        Case(
            testDescription: "and cuts what is above it",
            steps: [.put("/a", #"{"b":{"c":1,"d":2},"e":3}"#), .cancel("/a/b/c")],
            writes: ["patch /a/b/d 2 /a/e 3"]),
        Case(
            testDescription: "but not a leaf, nor what does not have the path",
            steps: [.put("/a", "1"), .cancel("/a/b"), .put("/c", #"{"d":1}"#), .cancel("/c/e"), .cancel("/c/d/e")],
            writes: ["put /a 1", #"put /c {"d":1}"#]),
        Case(
            testDescription: "nothing is left of a value without its only part",
            steps: [.put("/a", #"{"b":{"c":1}}"#), .cancel("/a/b")], writes: []),
        Case(
            testDescription: "a merge is cut too",
            steps: [.merge("/a", #"{"b":{"c":1,"d":2},"e":3}"#), .cancel("/a/b/d"), .cancel("/a/e")],
            writes: ["patch /a/b/c 1"]),
        Case(
            testDescription: "everything", steps: [.put("/a", "1"), .merge("/b", #"{"c":1}"#), .cancel("/")],
            writes: []),
        Case(
            testDescription: "a priority",
            steps: [.put("/a", "1"), .put("/a/.priority", "7"), .put("/b/.priority", "8")],
            writes: ["put /a 1", "put /a/.priority 7", "put /b/.priority 8"]),
    ]

    @Test(arguments: cases) func `what was planned last holds`(_ test: Case) throws {
        var plan = DisconnectPlan()
        for step in test.steps {
            switch step {
            case .put(let path, let text): plan.add(try order(.put, path, text), bytes: text.utf8.count)
            case .merge(let path, let text): plan.add(try order(.patch, path, text), bytes: text.utf8.count)
            case .cancel(let path): plan.cancel(try place(path))
            }
        }
        #expect(plan.take().map(description) == test.writes)
        #expect(plan.take().isEmpty)
    }

    static let combined: [(steps: [(String, String)], write: String?)] = [
        (
            [("/n/foo", #"{"bar":"a","baz":"b"}"#), ("/n/foo/bam", "1"), ("/n/foo/baz", "null")],
            #"put /n/foo {"bam":1,"bar":"a"}"#
        ),
        ([("/n/b/c", "false"), ("/n/b/d", "null"), ("/n/a", "1")], "patch /n/a 1 /n/b/c false /n/b/d null"),
        ([("/x", "1"), ("/y", "2")], "patch /x 1 /y 2"),
        ([("/x/a", "1"), ("/x/a/b", "null"), ("/x/a/c/d", "2")], #"put /x/a {"c":{"d":2}}"#),
        ([("/x", #"{"a":{"b":1}}"#), ("/x/a/b", "null")], "put /x null"),
        ([("/x/a", "1"), ("/x", #"{"b":2}"#)], #"put /x {"b":2}"#),
        ([("/x", "1"), ("/y/.priority", "2"), ("/y/a", "3")], "patch /x 1 /y/a 3 /y/.priority 2"),
        ([("/x", "1")], nil),
        ([("/x", "1"), ("/x/.priority", "2")], nil),
        ([("/x", #"{".value":1,".priority":2}"#), ("/x/a", "2")], nil),
        ([("/x", "{}"), ("/x/a", #"{".sv":{"increment":1}}"#)], nil),
    ]

    @Test(arguments: combined) func `all are one write where that is the same`(
        _ steps: [(String, String)], _ write: String?
    ) throws {
        let orders = try steps.map { try order(.put, $0, $1) }
        #expect(DisconnectPlan.combined(orders).map(description) == write)
    }

    @Test func `a plan has limits`() throws {
        var plan = DisconnectPlan()
        for number in 0..<DisconnectPlan.maxCount {
            #expect(!plan.isFull(for: 1))
            plan.add(try order(.put, "/a/\(number)", "1"), bytes: 1)
        }
        #expect(plan.isFull(for: 1))
        plan.cancel(.root)
        #expect(!plan.isFull(for: 1))
        #expect(plan.isFull(for: DisconnectPlan.maxBytes + 1))
    }

    private func place(_ text: String) throws -> WirePath {
        guard text.hasSuffix("/.priority") else { return try WirePath(parsing: text) }
        return try WirePath(parsing: text.dropLast(10)).appending(.priority)
    }

    private func order(_ kind: Write.Kind, _ path: String, _ text: String) throws -> WriteOrder {
        let path = try place(path)
        return try Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard kind == .patch else { return WriteOrder(put: try PutBody(bytes, at: path).value, at: path) }
            return WriteOrder(patch: try #require(try PatchBody(bytes, base: path)), at: path)
        }
    }

    private func description(_ order: WriteOrder) -> String {
        let entries = order.entries.map { entry in
            let value = entry.value.canonicalText.map { String(decoding: $0, as: UTF8.self) } ?? "null"
            return "\(order.base.appending(entry.path)) \(value)"
        }
        return "\(order.kind) " + entries.joined(separator: " ")
    }
}
