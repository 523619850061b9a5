internal import JSONText
package import SyncModel

extension JournalMachine {
    /// A line of the journal, as it was read. An object, because it is large, and goes through many hands.
    package final class Line: Sendable {
        package let text: ArraySlice<UInt8>
        package let offset: UInt64
        package let length: Int
        package let operation: Result<Operation, Defect>
        /// The edit that the operation is, where that was worked out before.
        package let edit: Edit?
        /// What checks have made of the operation, where they have changed it.
        let checked: CheckedOperation?
        /// Why a check does not let the line through.
        package let objection: Defect?
        /// By what its operation is known again, where it has an `opID`.
        package let mark: OperationMark?
        /// The collection of the operation, where the line is one.
        package let collection: CollectionID?
        /// The keys of the line that mean nothing there.
        package let ignoredKeys: [String]
        let isDelete: Bool

        package convenience init(
            text: ArraySlice<UInt8>, offset: UInt64, length: Int, operation: Result<Operation, Defect>,
            edit: Edit? = nil
        ) {
            self.init(text, offset, length, operation, edit, checked: nil, objection: nil)
        }

        private init(
            _ text: ArraySlice<UInt8>, _ offset: UInt64, _ length: Int, _ operation: Result<Operation, Defect>,
            _ edit: Edit?, checked: CheckedOperation?, objection: Defect?
        ) {
            (self.text, self.offset, self.length, self.operation) = (text, offset, length, operation)
            (self.edit, self.checked, self.objection) = (edit, checked, objection)
            if case .success(let operation) = operation {
                mark = operation.opID.map { OperationMark($0) }
                (collection, isDelete) = (operation.key.collection, operation.kind == .delete)
                ignoredKeys = operation.ignoredKeys
            } else {
                (mark, collection, isDelete, ignoredKeys) = (nil, nil, false, [])
            }
        }

        /// The line with what checks have made of the operation.
        ///
        /// - Parameter edit: the edit that it is then.
        package func completed(_ checked: CheckedOperation, _ edit: Edit?) -> Line {
            Line(text, offset, length, .success(checked.operation), edit, checked: checked, objection: objection)
        }

        /// The line that a check does not let through.
        package func refused(_ objection: Defect) -> Line {
            Line(text, offset, length, operation, edit, checked: checked, objection: objection)
        }

        func source(_ file: String, _ madeAt: UInt64?) -> LineSource {
            LineSource(file: file, offset: Int64(offset), length: Int64(length), madeAt: madeAt)
        }
    }
}
