/// What the body of a request orders, as JSON.
package protocol ControlOrder: Decodable, Sendable {
    /// Every key that it has.
    static var keys: [String] { get }
}
