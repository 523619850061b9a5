/// The answer of a request that changed something and has nothing else to say: `{"done":true}`.
package struct DoneReply: Codable, Hashable, Sendable {
    package var done = true

    package init() {}
}
