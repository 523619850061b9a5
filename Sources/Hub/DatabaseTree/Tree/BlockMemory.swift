internal import Synchronization

/// Memory for packed children, apart from all other memory of the process.
///
/// They are some kilobytes each, and one is replaced with every write. On the common heap that leaves gaps everywhere, in
/// which all others must look for room; and as each thread has a heap of its own, what one thread has loaded and another
/// replaces takes its room twice. Here pieces of about the same size share regions, and an empty region is given back.
final class BlockMemory: Sendable {
    /// Stands at the start of each region.
    private struct Region {
        var sizeClass: Int
        /// How many pieces are taken.
        var used = 0
        /// Pieces that were given back, each with the address of the next one in it.
        var free: UnsafeMutableRawPointer?
        /// What is behind this was never taken.
        var fresh: Int
        var previous: UnsafeMutablePointer<Region>?
        var next: UnsafeMutablePointer<Region>?
    }

    /// The regions of each size class that have room, the one to take from first.
    private struct Regions {
        var withRoom: [UnsafeMutablePointer<Region>?] = Array(repeating: nil, count: maxSize / step + 1)
    }

    static let shared = BlockMemory()

    /// Sizes are rounded up to a multiple of this.
    private static let step = 128
    /// What is larger stands on the common heap.
    private static let maxSize = 4096
    /// A region starts at a multiple of its size, so that a piece tells its region.
    private static let regionSize = 256 * 1024
    private static let headSize = 128

    private let regions = Mutex(Regions())

    /// Memory of `size` bytes; to be given back with ``free(_:_:)``.
    func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        guard size <= BlockMemory.maxSize else { return .allocate(byteCount: size, alignment: 16) }
        let sizeClass = (size + BlockMemory.step - 1) / BlockMemory.step
        let address = regions.withLock { regions in
            let region = regions.withRoom[sizeClass] ?? BlockMemory.region(sizeClass)
            regions.withRoom[sizeClass] = region
            let piece = BlockMemory.take(from: region)
            if !BlockMemory.hasRoom(region) { BlockMemory.unlink(region, &regions) }
            return UInt(bitPattern: piece)
        }
        return UnsafeMutableRawPointer(bitPattern: address) ?? .allocate(byteCount: size, alignment: 16)
    }

    /// - Parameter size: as it was asked for.
    func free(_ piece: UnsafeMutableRawPointer, _ size: Int) {
        guard size <= BlockMemory.maxSize else { return piece.deallocate() }
        let address = UInt(bitPattern: piece)
        regions.withLock { regions in
            let start = address & ~UInt(BlockMemory.regionSize - 1)
            guard let region = UnsafeMutablePointer<Region>(bitPattern: start),
                let piece = UnsafeMutableRawPointer(bitPattern: address)
            else { return }
            let hadRoom = BlockMemory.hasRoom(region)
            piece.storeBytes(of: region.pointee.free, as: UnsafeMutableRawPointer?.self)
            region.pointee.free = piece
            region.pointee.used -= 1
            if !hadRoom { BlockMemory.link(region, &regions) }
            // The last one of its class stays, so that a single piece that comes and goes costs no region each time.
            guard region.pointee.used == 0, region.pointee.previous != nil || region.pointee.next != nil else { return }
            BlockMemory.unlink(region, &regions)
            UnsafeMutableRawPointer(region).deallocate()
        }
    }

    private static func region(_ sizeClass: Int) -> UnsafeMutablePointer<Region> {
        let region = UnsafeMutableRawPointer.allocate(byteCount: regionSize, alignment: regionSize)
            .bindMemory(to: Region.self, capacity: 1)
        region.initialize(to: Region(sizeClass: sizeClass, fresh: headSize))
        return region
    }

    private static func hasRoom(_ region: UnsafeMutablePointer<Region>) -> Bool {
        region.pointee.free != nil || region.pointee.fresh + region.pointee.sizeClass * step <= regionSize
    }

    private static func take(from region: UnsafeMutablePointer<Region>) -> UnsafeMutableRawPointer {
        region.pointee.used += 1
        if let piece = region.pointee.free {
            region.pointee.free = piece.load(as: UnsafeMutableRawPointer?.self)
            return piece
        }
        defer { region.pointee.fresh += region.pointee.sizeClass * step }
        return UnsafeMutableRawPointer(region) + region.pointee.fresh
    }

    private static func link(_ region: UnsafeMutablePointer<Region>, _ regions: inout Regions) {
        let next = regions.withRoom[region.pointee.sizeClass]
        region.pointee.previous = nil
        region.pointee.next = next
        next?.pointee.previous = region
        regions.withRoom[region.pointee.sizeClass] = region
    }

    private static func unlink(_ region: UnsafeMutablePointer<Region>, _ regions: inout Regions) {
        if let previous = region.pointee.previous {
            previous.pointee.next = region.pointee.next
        } else {
            regions.withRoom[region.pointee.sizeClass] = region.pointee.next
        }
        region.pointee.next?.pointee.previous = region.pointee.previous
        region.pointee.previous = nil
        region.pointee.next = nil
    }
}
