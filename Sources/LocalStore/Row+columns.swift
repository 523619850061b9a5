internal import Foundation
internal import GRDB
internal import SyncModel

extension Row {
    /// The bytes of a BLOB column, nil for NULL.
    func bytes(_ index: Int) -> [UInt8]? {
        (self[index] as Data?).map { Array($0) }
    }

    func stamp(_ index: Int) -> Stamp? { bytes(index).flatMap { Stamp(bytes: $0) } }

    func hash(_ index: Int) -> ContentHash? { bytes(index).flatMap { ContentHash(bytes: $0) } }

    func recordID(_ index: Int) -> RecordID? { bytes(index).flatMap { RecordID(bytes: $0) } }
}

extension [UInt8] {
    /// As a value for a BLOB column.
    var blob: Data { Data(self) }
}

extension Stamp {
    var blob: Data { Data(bytes) }
}

extension ContentHash {
    var blob: Data { Data(bytes) }
}

extension RecordID {
    var blob: Data { Data(bytes) }
}
