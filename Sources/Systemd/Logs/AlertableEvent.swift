/// The events that a monitor would alert on, each with its fixed `MESSAGE_ID`.
///
/// The shipped message catalog explains every one of them. An id is never changed, and never used for another event.
package enum AlertableEvent {
    package static let messageIDs: [String: String] = [
        "journal.line.rejected": "7bcc3754c3684a8ebe4e44ddc1e5ae45",
        "hold.raised": "d2437c68fb994e2ab70046e05ca51b04",
        "hold.decided": "6687debfc3b14ef192923ab47934da52",
        "conflict.decided": "6bd4c5c5210e4a44aeb1f47a1ea8e353",
        "stream.down": "7833651427284af89188233d51fbb51e",
        "push.refused": "c85235a1e57d4b1aa9fdcf674f891511",
        "remote.failed": "11033be11bc44b24be75a2abf9e51b13",
        "journal.unreadable": "d785789cc4d645078e17369501b0c240",
        "pull.quarantined": "1076fe690c424307b29dc60a1457cc1d",
        "journal.failed": "b04fd1ee63204a61b7061efb38d8f835",
        "state.failed": "628488f1859e491293ecbd42a7c46ce5",
        "feed.failed": "71c6db9ea60b4d94a4e05b429c619bbb",
        "state.corrupt": "4a78c6beb0ef4bc7ab9a3b71905b1842",
        "plugin.down": "ea85e6b9dd854055897ac557a0ed3755",
        "hook.quarantined": "a3b1c0d7e58f4f0e9a6c2d41f7b08e35",
        "configuration.rejected": "02ed280e0e724c369031cc6e6095401f",
        "daemon.started": "604098bd75b1409280866f0b0358d04c",
        "daemon.stopped": "3b5aaaa528454539b6317b7d1ced2dc4",
        "daemon.failed": "464693401a14489aa8f773cb63dbf4c1",
    ]

    /// The id of an event that is worth an alert, nil for all others.
    package static func messageID(of event: String) -> String? { messageIDs[event] }
}
