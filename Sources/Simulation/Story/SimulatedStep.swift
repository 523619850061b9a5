/// One thing that happens in a run, and how long nothing does before it.
///
/// A step says what somebody wants; what that comes to is decided when it happens. So steps can be left out of a story, and
/// the others still make sense.
struct SimulatedStep: Hashable {
    enum Act: Hashable {
        /// A program appends to a node's journal; `choice` is from 0 to 99.
        case edit(node: Int, record: Int, choice: Int, age: Int?)
        case app(Int, record: Int, ForeignApp.Act)
        /// A fault of ``Fault/weather`` is about for a while.
        case weather(node: Int, Fault, milliseconds: UInt64)
        /// The node crashes at one of its next effects.
        case crash(node: Int, effects: Int)
        case stop(node: Int, milliseconds: UInt64)
        case clock(node: Int, skew: Int64)
        case backup(node: Int)
        case restore(node: Int)
        /// The state of one node runs on another machine, too, which does not notice.
        case clone(node: Int, as: Int)
        case journal(node: Int, Fault)
        /// A copy of the whole database is made, or takes its place: in view of those who listen, or while nobody does.
        case copyDatabase
        case setDatabaseBack(inView: Bool)
        /// A person decides the oldest hold, or tries the quarantine again.
        case decide(node: Int, approve: Bool)
        case retry(node: Int)
        /// A person takes back what was changed since, or gives up what came first into the quarantine.
        case undo(node: Int, milliseconds: UInt64)
        case drop(node: Int)
        /// A person compares both sides.
        case verify(node: Int, repair: Bool)
        case pause(node: Int, milliseconds: UInt64)
        case calm
    }

    var number: Int
    var wait: UInt64
    var act: Act

    var description: String { "\(number): after \(wait) ms \(act)" }
}
