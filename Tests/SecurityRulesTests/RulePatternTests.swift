import TestSupport
import Testing

@testable import SecurityRules

struct RulePatternTests {
    @Test(arguments: [
        ("a", "xay", true), ("a", "xyz", false), ("", "", true), ("", "abc", true), ("^$", "", true),
        ("^$", "a", false),
        ("$", "abc", true), ("^a", "ba", false), ("^a", "ab", true), ("a$", "ab", false), ("a$", "ba", true),
        ("^a*$", "", true), ("^a*$", "aaa", true), ("^a*$", "aab", false), ("^a+$", "", false), ("^a+$", "aa", true),
        ("^a?b$", "b", true), ("^a?b$", "aab", false), ("^.$", "\n", true), ("^...$", "äöü", true),
        ("^..$", "🎬", true), ("^(ab)*$", "abab", true), ("^(ab)*$", "aba", false), ("^(a|bc)$", "bc", true),
        ("^(a|b)?c$", "c", true), ("^a|b$", "ab", false), ("^a|b$", "b", true), ("a|bc", "xbc", true),
        ("^[A-F0-9]+$", "09AF", true), ("^[A-F0-9]+$", "0G", false), ("^[^0-9]+$", "abc", true),
        ("^[^0-9]$", "5", false),
        ("^[-a]+$", "-a-", true), ("^[a-]+$", "a-", true), ("^[\\]\\\\]+$", "]\\", true), ("^[\\d.]+$", "1.5", true),
        ("^[^\\W_]+$", "ab1", true), ("^[^\\W_]+$", "a_", false), ("^[\\S]$", " ", false), ("^[.]$", "a", false),
        ("^\\d\\D\\w\\W\\s\\S$", "1aa- x", true), ("^\\d$", "٣", false), ("^a{3}$", "aaa", true),
        ("^a{3}$", "aa", false),
        ("^a{2,}$", "aaaa", true), ("^a{2,}$", "a", false), ("^a{2,3}$", "aaaa", false), ("^a{0}b$", "b", true),
        ("^a{0,2}b$", "aab", true), ("^(ab){2}$", "abab", true), ("^(a{2}){2}$", "aaaa", true),
        ("^\\.\\*\\$\\^\\/$", ".*$^/", true),
        ("a\\$", "a$b", true), ("^a\\\\$", "a\\", true), ("^(a*)*$", "aaa", true), ("^(a?){3}$", "aa", true),
        ("(19|20)[0-9][0-9][-\\/. ](0[1-9]|1[012])", "on 1999-12", true),
        ("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false),
        ("^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}$", "6F9619FF-8B86", true), ("\\{foo}", "{foo}", true), ("^a}$", "a}", true),
    ]) func `a pattern matches as the documentation says`(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try RulePatternParser.pattern(pattern, ignoresCase: false).matches(text) == expected)
    }

    @Test(arguments: [
        ("^hello$", "HeLLo", true), ("^[a-f]+$", "ABC", true), ("^[^a]$", "A", false), ("^ä$", "Ä", true),
        ("^\\d$", "a", false),
        ("^[A-Z0-9._%+-]+@[A-Z0-9.-]+\\.[A-Z]{2,4}$", "somebody@example.com", true),
    ]) func `a pattern may ignore case`(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try RulePatternParser.pattern(pattern, ignoresCase: true).matches(text) == expected)
    }

    @Test(arguments: [
        "(", ")", "(a", "a)", "[", "[a", "[]", "[b-a]", "*", "+a", "?", "a|*", "(*a)", "a**", "a+?", "a{", "a{2",
        "a{2,1}",
        "a{x}", "a{1001}", "{1}", "^(foo|)$", "|a", "a||b", "()", "(|a)+", "a]", "a^b", "a$b", "(^a)", "(?:a)", "(?=a)",
        "\\b", "\\1", "\\p{L}", "\\n",
        "a\\", "((a{1000}){1000}){1000}", "(a{500}){500}",
    ]) func `what is no pattern is refused`(_ pattern: String) {
        #expect(throws: RulePatternError.self) { try RulePatternParser.pattern(pattern, ignoresCase: false) }
    }

    @Test(.inTurn, .timeLimit(.minutes(1)))
    func `a pattern that a text takes too long for has no answer`() throws {
        let pattern = try RulePatternParser.pattern("^[a-z]*$", ignoresCase: false)
        #expect(pattern.matches(String(repeating: "a", count: 1_000_000)) == true)
        #expect(pattern.matches(String(repeating: "a", count: 4_100_000)) == nil)
    }

    @Test(
        .inTurn, .timeLimit(.minutes(1)),
        arguments: ["^(a+)+$", "(a*)*b", "(a|a)*b", "(.*)(.*)(.*)(.*)x", "(a?){500}b"])
    func `no pattern takes long`(_ pattern: String) throws {
        let text = String(repeating: "a", count: 2000) + "c"
        #expect(try RulePatternParser.pattern(pattern, ignoresCase: false).matches(text) != true)
    }
}
