internal import Logging

extension AlertableEvent {
    /// All of them. An id is never changed, and never used for another event.
    package static let all: [AlertableEvent] = [
        AlertableEvent(
            "journal.line.rejected", "7bcc3754c3684a8ebe4e44ddc1e5ae45", .warning,
            summary: "a line went to quarantine",
            subject: "A journal line was put into quarantine",
            explanation: """
                A program appended a line that can't be applied (@MOVIESYNC_CODE@). It is in quarantine; reading \
                goes on with the next line. "moviesync quarantine" shows it with the reason. Append a correct \
                line and drop this one with "moviesync quarantine drop ID", or try it again with "moviesync \
                quarantine retry ID" when the reason is gone.
                """),
        AlertableEvent(
            "hold.raised", "d2437c68fb994e2ab70046e05ca51b04", .error,
            summary: "something waits for your decision",
            subject: "Something waits for your decision",
            explanation: """
                The daemon does not do something that may destroy data (@MOVIESYNC_KIND@) before you have \
                decided. Everything else goes on. "moviesync holds" shows what it is; answer with "moviesync \
                approve ID" or "moviesync reject ID".
                """),
        AlertableEvent(
            "hold.decided", "6687debfc3b14ef192923ab47934da52", .notice,
            summary: "a person approved or rejected it",
            subject: "A hold was decided",
            explanation: """
                A person approved or rejected what was held (@MOVIESYNC_KIND@: @MOVIESYNC_DECISION@).
                """),
        AlertableEvent(
            "conflict.decided", "6bd4c5c5210e4a44aeb1f47a1ea8e353", .notice,
            summary: "two edits of a record met; the later one won",
            subject: "A conflict was decided",
            explanation: """
                Two edits of a record were made without knowledge of each other; the later one won. The other \
                one is kept: "moviesync conflicts" shows both, "moviesync restore ID" writes the loser back.
                """),
        AlertableEvent(
            "stream.down", "7833651427284af89188233d51fbb51e", .warning,
            summary: "the event stream is down; connects again by itself",
            subject: "The connection to the remote is lost",
            explanation: """
                Edits made here are kept and sent later. The daemon connects again by itself. If this lasts, \
                look at the network and at "moviesync status".
                """),
        AlertableEvent(
            "push.refused", "c85235a1e57d4b1aa9fdcf674f891511", .warning,
            summary: "the remote does not take a record",
            subject: "The remote refused a record",
            explanation: """
                The remote does not accept a version of a record, and said why. It is in quarantine; "moviesync \
                quarantine" shows it. Edit the record, or change the rules of the remote and try it again with \
                "moviesync quarantine retry ID".
                """),
        AlertableEvent(
            "remote.failed", "11033be11bc44b24be75a2abf9e51b13", .warning,
            summary: "a request failed; `code` says how",
            subject: "The remote failed",
            explanation: """
                A request to the remote failed (@MOVIESYNC_CODE@). Edits made here are kept, and sent later. \
                "unauthorized": replace the credential and reload the daemon. "denied": the security rules \
                refuse the credential. "stopped": look at the database, which is disabled, gone or over its \
                quota. Everything else passes by itself.
                """),
        AlertableEvent(
            "journal.unreadable", "d785789cc4d645078e17369501b0c240", .error,
            summary: "the journal can't be read",
            subject: "The journal can't be read",
            explanation: """
                The daemon tries again when something changes there. Look at the owner and mode of the journal \
                and of its folder.
                """),
        AlertableEvent(
            "pull.quarantined", "1076fe690c424307b29dc60a1457cc1d", .warning,
            summary: "something in the database can't be a record",
            subject: "A record of the remote can't be read",
            explanation: """
                Something in the database can't be a record of its collection, or is dated in the future \
                (@MOVIESYNC_CODE@). It is left as it is, and shown by "moviesync quarantine". Correct it in the \
                database; what is dated in the future is read again when its time has come.
                """),
        AlertableEvent(
            "journal.failed", "b04fd1ee63204a61b7061efb38d8f835", .error,
            summary: "the journal can't be applied; tried again",
            subject: "The journal can't be applied",
            explanation: """
                The daemon tries again: @MOVIESYNC_REASON@. Look at the disk of the state and at the journal.
                """),
        AlertableEvent(
            "state.failed", "628488f1859e491293ecbd42a7c46ce5", .error,
            summary: "the state can't be written",
            subject: "The state can't be written",
            explanation: """
                Nothing is acknowledged meanwhile: @MOVIESYNC_REASON@. Look at the free space and health of the \
                disk.
                """),
        AlertableEvent(
            "feed.failed", "71c6db9ea60b4d94a4e05b429c619bbb", .error,
            summary: "the change feed can't be written",
            subject: "The change feed can't be written",
            explanation: """
                Programs that follow it see changes later: @MOVIESYNC_REASON@. Look at the free space of the \
                disk.
                """),
        AlertableEvent(
            "state.corrupt", "4a78c6beb0ef4bc7ab9a3b71905b1842", .critical,
            summary: "the state is damaged; the daemon ends",
            subject: "The state is corrupt",
            explanation: """
                The daemon's own database is damaged, and the daemon does not start. Move the state folder away \
                and start it: it builds a new state from the remote and the journal. Keep the old folder until \
                everything is there.
                """),
        AlertableEvent(
            "plugin.down", "ea85e6b9dd854055897ac557a0ed3755", .error,
            summary: "a plugin failed five times in five minutes; `moviesync plugin restart NAME` starts it again",
            subject: "A plugin stays down",
            explanation: """
                The plugin @MOVIESYNC_PLUGIN@ failed five times in five minutes: @MOVIESYNC_REASON@. It is not \
                started again by itself; everything else goes on. Look at what it wrote to the log, and at \
                "moviesync plugin list"; when the cause is gone, use "moviesync plugin restart \
                @MOVIESYNC_PLUGIN@".
                """),
        AlertableEvent(
            "hook.quarantined", "a3b1c0d7e58f4f0e9a6c2d41f7b08e35", .error,
            summary: "a hook did not take an event for a day; the next ones go on",
            subject: "A hook did not take an event",
            explanation: """
                The hook @MOVIESYNC_HOOK@ did not take the change @MOVIESYNC_SEQ@, which is put aside: \
                @MOVIESYNC_REASON@. The next ones are told. "moviesync hook failed" shows it, "moviesync hook \
                retry" tries it again, "moviesync hook drop" gives it up.
                """),
        AlertableEvent(
            "web.off", "a7c8cbdf5e4d4213a84bde86f492cb19", .error,
            summary: "the web page can't be served; the sync goes on",
            subject: "The web page can't be served",
            explanation: """
                What the configuration says in web.listen can't be had: @MOVIESYNC_ERROR@. Everything else goes on. \
                Correct it and reload the daemon, or stop what listens there and restart the daemon.
                """),
        AlertableEvent(
            "configuration.rejected", "02ed280e0e724c369031cc6e6095401f", .error,
            summary: "a reload was refused; the old configuration stays",
            subject: "The new configuration was refused",
            explanation: """
                The old one stays in force: @MOVIESYNC_PROBLEM@. Correct it, check it with "moviesyncd \
                check-config", and reload.
                """),
        AlertableEvent(
            "daemon.started", "604098bd75b1409280866f0b0358d04c", .notice,
            summary: "ready",
            subject: "The daemon is ready",
            explanation: """
                It reads the journal and answers on the control socket.
                """),
        AlertableEvent(
            "daemon.stopped", "3b5aaaa528454539b6317b7d1ced2dc4", .notice,
            summary: "ended, as it was told",
            subject: "The daemon has stopped",
            explanation: """
                It was told to.
                """),
        AlertableEvent(
            "daemon.failed", "464693401a14489aa8f773cb63dbf4c1", .critical,
            summary: "ended with an error",
            subject: "The daemon has failed",
            explanation: """
                It ended with an error: @MOVIESYNC_ERROR@. The exit code says whether systemd starts it again.
                """),
        AlertableEvent(
            "watchdog.withheld", "c1f39b0a6d5a4f6c9a0e47d18c2b7e53", .critical,
            summary: "a part of the daemon hangs (`parts`); the watchdog restarts it",
            subject: "A part of the daemon hangs",
            explanation: """
                The parts @MOVIESYNC_PARTS@ of the daemon neither move on nor wait for somebody else: a disk \
                that does not answer, or a fault of the program. The watchdog of systemd restarts the daemon, \
                and nothing that was acknowledged is lost. If this comes again, look at the disk (dmesg), and \
                report it.
                """),
        AlertableEvent(
            "place.lost", "0a3dbe8279214bfeaef9eb1b9d099ebc", .critical,
            summary: "the state's file, the journal's folder or the control socket is gone from its place; `reason`",
            subject: "Something is gone from its place",
            explanation: """
                @MOVIESYNC_REASON@. Somebody has moved or removed it while the daemon runs.
                """),
        AlertableEvent(
            "journal.waits", "3064567b868f4047a22c206166281247", .error,
            summary: """
                10,000 lines are in quarantine, and the journal is read on when some are retried or dropped; as a \
                warning: a check has to be asked that does not answer; `reason`
                """,
            subject: "The journal waits",
            explanation: """
                Lines are not read meanwhile, and none is lost: @MOVIESYNC_REASON@.
                """),
        AlertableEvent(
            "hook.off", "7b3e2c7f09774adebb5cf12bdd074a08", .error,
            summary: "a hook wants no more events (`hook`, `reason`); `moviesync hook retry` tells it of them again",
            subject: "A hook is off",
            explanation: """
                The hook @MOVIESYNC_HOOK@ has said that it wants no more events: @MOVIESYNC_REASON@. They wait for it. \
                Use "moviesync hook retry @MOVIESYNC_HOOK@" to tell it of them again, or take it out of the \
                configuration.
                """),
        AlertableEvent(
            "hook.refused", "55892428263c403f91dc8e9fcb1e454e", .error,
            summary: "a hook can't be used (`hook`, `reason`)",
            subject: "A hook can't be used",
            explanation: """
                The hook @MOVIESYNC_HOOK@ is told nothing: @MOVIESYNC_REASON@. Correct that, and reload the daemon.
                """),
        AlertableEvent(
            "plugin.refused", "4ab93d1e048148279e446d5ba41aa96f", .error,
            summary: "a plugin can't be used (`plugin`, `reason`)",
            subject: "A plugin can't be used",
            explanation: """
                The plugin @MOVIESYNC_PLUGIN@ is not used: @MOVIESYNC_REASON@. Correct that, and use "moviesync plugin \
                restart @MOVIESYNC_PLUGIN@".
                """),
        AlertableEvent(
            "people.ended", "18b5c758fdb1434dad35a5b8f3021913", .error,
            summary: "a person has to sign in again (`person`, `reason`)",
            subject: "A person has to sign in again",
            explanation: """
                What @MOVIESYNC_PERSON@ edits waits: @MOVIESYNC_REASON@. "moviesync login" signs in again.
                """),
        AlertableEvent(
            "commit.failed", "407fbd66578f48e79543a8d0f4ca2996", .error,
            summary: """
                the hub can't store writes: said at once, then once a minute, with `reason` and the `count` since it was \
                last said
                """,
            subject: "The hub can't store writes",
            explanation: """
                Whoever writes is told so, and nothing is acknowledged meanwhile: @MOVIESYNC_ERROR@. Look at the free \
                space and health of the disk.
                """),
        AlertableEvent(
            "commit.unsynchronized", "1daa8d72bad3408c8850c3c9b8469019", .error,
            summary: "the hub can't bring writes to the disk; `file`, `error`",
            subject: "The hub can't bring writes to the disk",
            explanation: """
                What was written last may be lost when the machine stops now: @MOVIESYNC_ERROR@. Look at the health \
                of the disk.
                """),
    ]
}
