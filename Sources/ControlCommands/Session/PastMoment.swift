internal import ArgumentParser
internal import ControlAPI

/// A moment as people give it: RFC 3339, or how long ago (`90s`, `30m`, `2h`, `7d`).
struct PastMoment: ExpressibleByArgument, Hashable, Sendable {
    let moment: Moment

    init?(argument: String) { self.init(argument, now: .now()) }

    init?(_ text: String, now: Moment) {
        if let moment = Moment(text) {
            self.moment = moment
            return
        }
        let units: [Character: UInt64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt64(text.dropLast()), count < 1_000_000 else {
            return nil
        }
        moment = Moment(milliseconds: now.milliseconds - min(now.milliseconds, count * unit))
    }
}
