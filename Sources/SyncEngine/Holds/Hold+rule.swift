internal import ControlAPI
internal import SyncCore
internal import SyncModel

extension Hold {
    /// The rule of its kind.
    ///
    /// - Throws: ``ControlError`` where another version raised it and this one does not know the kind.
    func rule() throws(ControlError) -> any HoldRule {
        guard let kind else { throw .unknownHoldKind(word, ofHold: number) }
        return kind.rule
    }
}
