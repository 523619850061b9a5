internal import Dispatch
internal import Glibc
internal import Synchronization

/// Says when something happened to folders and files, without saying what.
///
/// A folder that does not exist, or may not be read, is waited for at its nearest existing ancestor, step by step; one that is deleted, moved
/// or made again is found again. Events that come close together, and events the system had no room for, are one hint:
/// who gets one looks at everything again. The system does not tell that a file system is mounted over a folder, or that a link among the
/// *folders* of a path is pointed elsewhere: for these it is looked now and then. Not seen are writes from another host to a network file
/// system.
package final class DirectoryWatch: Sendable {
    /// One element for all that happened since the last one was taken; ends when the watch is gone. For one reader.
    package let hints: AsyncStream<Void>

    private let notifier: Descriptor
    private let continuation: AsyncStream<Void>.Continuation
    private let state: Mutex<State>

    private struct State {
        var source: (any DispatchSourceRead)?
        var looks: (any DispatchSourceTimer)?
        var folders: [String] = []
        /// What stood in place of each of them when they were watched.
        var seen: [FileIdentity?] = []
        /// What each watch of the system is for.
        var folderWatches: [CInt: Place] = [:]
        /// The same of the files; one that is open stays watched, whatever its names become.
        var fileWatches: [CInt: ReadableFile] = [:]
    }

    private enum Place {
        /// A folder that was asked for, or the nearest there is: any name in it may matter.
        case names
        /// A folder above it: matters when it is moved or deleted.
        case above
    }

    private static let namesMask = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB
    private static let selfMask = IN_DELETE_SELF | IN_MOVE_SELF
    private static let fileMask = IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF

    /// - Parameter pause: how often it is looked whether other folders stand in place of those that are watched.
    package init(lookingEvery pause: Duration = .seconds(10)) throws(SystemError) {
        let number = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else {
            let failure = SystemError.last("watch folders")
            guard failure.code == EMFILE else { throw failure }
            throw SystemError(
                code: EMFILE, operation: failure.operation,
                detail: "this user watches in too many places; raise fs.inotify.max_user_instances")
        }
        let notifier = Descriptor(owning: number)
        self.notifier = notifier
        (hints, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Mutex(State())
        let queue = DispatchQueue(label: "folder watch")
        state.withLock { state in
            let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
            source.setEventHandler { [weak self] in self?.somethingHappened() }
            // The descriptor must stay open until the source has let go of it.
            source.setCancelHandler { [continuation] in
                continuation.finish()
                withExtendedLifetime(notifier) {}
            }
            source.activate()
            state.source = source
            let milliseconds = Int(pause / .milliseconds(1))
            let looks = DispatchSource.makeTimerSource(queue: queue)
            looks.schedule(
                deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
                leeway: .milliseconds(milliseconds / 5))
            looks.setEventHandler { [weak self] in self?.look() }
            looks.activate()
            state.looks = looks
        }
    }

    deinit {
        state.withLock { state in
            state.looks?.cancel()
            state.source?.cancel()
        }
    }

    /// Watches these folders and nothing else; when it returns, whatever happens in them from now on is a hint.
    ///
    /// Returns whether other places are watched for them than before. Throws where the system allows no more watches; folders already watched stay so.
    @discardableResult
    package func watch(folders: [String]) throws(SystemError) -> Bool {
        try state.withLock { (state) throws(SystemError) in
            let before = state.folderWatches
            state.folders = folders
            try arm(&state)
            return state.folderWatches != before
        }
    }

    /// Watches these open files for changes of their content, under whatever names, and no others any more.
    package func watch(files: [ReadableFile]) throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            var wanted: [CInt: ReadableFile] = [:]
            for file in files {
                if let known = state.fileWatches.first(where: { $0.value === file }) {
                    wanted[known.key] = file
                } else {
                    let path = "/proc/self/fd/\(file.descriptor.number)"
                    wanted[try add(path, DirectoryWatch.fileMask, shownAs: file.path)] = file
                }
            }
            for watch in state.fileWatches.keys where wanted[watch] == nil { inotify_rm_watch(notifier.number, watch) }
            state.fileWatches = wanted
        }
    }

    /// Makes one more hint, as if something had happened.
    package func hint() { continuation.yield() }

    /// Watches anew where other folders stand in place of those that are watched.
    private func look() {
        state.withLock { state in
            let present = DirectoryWatch.identities(of: state.folders)
            let isSame = present.elementsEqual(state.seen) { one, other in
                guard let one, let other else { return one == nil && other == nil }
                return one.isSameFile(as: other)
            }
            guard !isSame else { return }
            try? arm(&state)
            continuation.yield()
        }
    }

    private static func identities(of folders: [String]) -> [FileIdentity?] {
        folders.map { folder in try? FileIdentity.of(path: folder) }
    }

    private func arm(_ state: inout State) throws(SystemError) {
        state.seen = DirectoryWatch.identities(of: state.folders)
        var wanted: [CInt: Place] = [:]
        var nearest: [String] = []
        for folder in state.folders {
            let (path, watch) = try armNearest(to: folder)
            wanted[watch] = .names
            nearest.append(path)
        }
        for path in nearest { armAbove(path, known: state.folderWatches, &wanted) }
        for watch in state.folderWatches.keys where wanted[watch] == nil { inotify_rm_watch(notifier.number, watch) }
        state.folderWatches = wanted
    }

    /// Watches the folder, or the nearest one above it that exists.
    private func armNearest(to folder: String) throws(SystemError) -> (path: String, watch: CInt) {
        var path = folder
        var below: String?
        while true {
            do throws(SystemError) {
                let watch = try add(
                    path, DirectoryWatch.namesMask | DirectoryWatch.selfMask | IN_ONLYDIR, shownAs: path)
                // What came into being before the watch did is no event: go down again.
                guard let child = below, (try? FileIdentity.of(path: child))?.kind == .folder else {
                    return (path, watch)
                }
                path = folder
                below = nil
            } catch {
                let parent = Folder.containing(path)
                guard error.isMissing || error.isPermission, parent != path, path != "." else { throw error }
                // One that may not be read shows in the folder above when that changes.
                below = error.isMissing ? path : nil
                path = parent
            }
        }
    }

    /// Watches the folders above for being moved or deleted themselves; what they hold is no business of ours.
    private func armAbove(_ folder: String, known: [CInt: Place], _ wanted: inout [CInt: Place]) {
        var path = folder
        while path != "/", path != "." {
            let isParent = path == folder
            path = Folder.containing(path)
            // A folder above one journal may be the folder of another: never take from its watch.
            // A deleted folder does not say so itself while a deleted file of it is open: its parent does.
            let mask = DirectoryWatch.selfMask | IN_ONLYDIR | (isParent ? IN_DELETE : 0)
            // One that we may not read can't be watched, and that is no loss worth stopping for.
            guard let watch = try? add(path, mask | IN_MASK_ADD, shownAs: path) else { continue }
            if wanted[watch] == nil, known[watch] == .names { _ = try? add(path, mask, shownAs: path) }
            wanted[watch] = wanted[watch] ?? .above
        }
    }

    private func add(_ path: String, _ mask: Int32, shownAs shown: String) throws(SystemError) -> CInt {
        let watch = inotify_add_watch(notifier.number, path, UInt32(bitPattern: mask))
        guard watch >= 0 else {
            let failure = SystemError.last("watch", shown)
            guard failure.code == ENOSPC else { throw failure }
            throw SystemError(
                code: ENOSPC, operation: "watch", path: shown,
                detail: "this user has too many watches; raise fs.inotify.max_user_watches")
        }
        return watch
    }

    private func somethingHappened() {
        state.withLock { state in
            var isMoved = false
            var isHint = false
            while let events = nextEvents() {
                for event in events {
                    let isFile = state.fileWatches[event.watch] != nil
                    let changesFolders = event.mask & (IN_ISDIR | IN_IGNORED | DirectoryWatch.selfMask) != 0
                    let place = state.folderWatches[event.watch]
                    let isFolder = place == .names || (place == .above && changesFolders)
                    let isLost = event.mask & IN_Q_OVERFLOW != 0
                    guard isFile || isFolder || isLost else { continue }
                    isHint = true
                    if event.mask & IN_IGNORED != 0 { state.fileWatches[event.watch] = nil }
                    isMoved = isMoved || isLost || changesFolders
                }
            }
            // Where the system allows no more watches, the reader finds out when it arms its own.
            if isMoved { try? arm(&state) }
            if isHint { continuation.yield() }
        }
    }

    /// The events that are there; nil when there are none.
    private func nextEvents() -> [(watch: CInt, mask: Int32)]? {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            let count = uninterrupted { read(notifier.number, buffer.baseAddress, buffer.count) }
            guard count > 0 else { return nil }
            var events: [(CInt, Int32)] = []
            var place = 0
            let header = MemoryLayout<inotify_event>.size
            while place + header <= count {
                let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                events.append((event.wd, Int32(bitPattern: event.mask)))
                place += header + Int(event.len)
            }
            return events
        }
    }
}
