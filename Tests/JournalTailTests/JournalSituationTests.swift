import Testing

@testable import JournalTail

@Suite struct JournalSituationTests {
    private static let rows: [(JournalSituation, String)] = [
        (JournalSituation(atPath: .nothing), "wait"),
        (JournalSituation(atPath: .nothing, isRenamed: true), "finishRenamed"),
        (JournalSituation(atPath: .nothing, isCopied: true), "finishCopy"),
        (JournalSituation(atPath: .nothing, isRenamedAnew: true), "beginRenamed"),
        (JournalSituation(atPath: .nothing, isRenamedAnew: true, isSucceeded: true), "beginRenamed"),
        (JournalSituation(atPath: .nothing, isRenamed: true, isSucceeded: true), "finishRenamed"),
        (JournalSituation(atPath: .nothing, isSucceeded: true), "replaced"),
        (JournalSituation(atPath: .same(.continues, isShorter: false)), "resume"),
        (JournalSituation(atPath: .same(.differs, isShorter: true)), "truncated"),
        (JournalSituation(atPath: .same(.differs, isShorter: true), isCopied: true), "finishCopy"),
        (JournalSituation(atPath: .same(.differs, isShorter: false), isCopied: true), "finishCopy"),
        (JournalSituation(atPath: .same(.beginsAlike, isShorter: true)), "ask"),
        (JournalSituation(atPath: .same(.beginsAlike, isShorter: false)), "ask"),
        (JournalSituation(atPath: .same(.differs, isShorter: false)), "ask"),
        (JournalSituation(atPath: .other(.differs)), "replaced"),
        (JournalSituation(atPath: .other(.continues)), "resume"),
        (JournalSituation(atPath: .other(.beginsAlike)), "ask"),
        (JournalSituation(atPath: .other(.differs), isRenamed: true), "finishRenamed"),
        (JournalSituation(atPath: .other(.beginsAlike), isRenamed: true), "finishRenamed"),
        (JournalSituation(atPath: .other(.differs), isCopied: true), "finishCopy"),
        (JournalSituation(atPath: .other(.differs), isRenamedAnew: true), "beginRenamed"),
        (JournalSituation(atPath: .nothing, isRenamedRewritten: true), "askAboutRenamed"),
        (JournalSituation(atPath: .other(.differs), isRenamedRewritten: true), "askAboutRenamed"),
        (JournalSituation(atPath: .other(.differs), isRenamedRewritten: true, isCopied: true), "finishCopy"),
    ]

    @Test(arguments: rows)
    func `what is known decides`(situation: JournalSituation, word: String) {
        #expect(JournalSituationTests.word(situation.verdict) == word)
    }

    private static func word(_ verdict: JournalSituation.Verdict) -> String {
        switch verdict {
        case .resume: "resume"
        case .finishRenamed: "finishRenamed"
        case .finishCopy: "finishCopy"
        case .begin(let kind): kind.rawValue
        case .beginRenamed: "beginRenamed"
        case .ask: "ask"
        case .askAboutRenamed: "askAboutRenamed"
        case .wait: "wait"
        }
    }
}
