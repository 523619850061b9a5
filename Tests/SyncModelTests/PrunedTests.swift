import JSONText
import SyncModel
import Testing

/// What Firebase gives back after storing a value.
struct PrunedTests {
    @Test(
        arguments: [
            (nil, nil), ([:], nil), ([], nil), ([nil], nil), ([[:], [nil], []], nil),
            (["a": nil, "b": ["c": [:]]], nil),
            (true, true), (false, false), ("", ""), (0, 0), (5.0, 5), (-0.0, 0), (1e3, 1000), (2.5, 2.5),
            (.number(9_007_199_254_740_992), .integer(9_007_199_254_740_992)), (1e300, 1e300),
            (.number(.infinity), nil),
            (["a": 1, "b": nil], ["a": 1]), (["a": ["b": [1, nil]]], ["a": ["b": [1]]]),
            ([1, nil, 3], [1, nil, 3]), ([nil, nil, 3], ["2": 3]), ([nil, 2], [nil, 2]),
            (["0": "a", "1": "b"], ["a", "b"]), (["0": "a", "2": "c"], ["a", nil, "c"]),
            (["0": "a", "3": "d"], ["a", nil, nil, "d"]),
            (["0": "a", "4": "e"], ["0": "a", "4": "e"]),
            (["1": "b"], [nil, "b"]), (["2": "c"], ["2": "c"]), (["00": "a"], ["00": "a"]),
            (["0": "a", "x": 1], ["0": "a", "x": 1]),
            (["-1": 1], ["-1": 1]), (["+1": 1], ["+1": 1]), (["01": 1, "0": 1], ["01": 1, "0": 1]),
        ] as [(JSONValue, JSONValue?)])
    func `values come back as Firebase stores them`(value: JSONValue, stored: JSONValue?) {
        #expect(value.pruned == stored)
    }

    @Test(
        arguments: [
            (["a": 1], ["a": 1.0], true), (["a": 1, "b": nil], ["a": 1], true), (["a": ["x": [:]]], [:], true),
            (["a": ["0": 1, "1": 2]], ["a": [1, 2]], true), (["a": 1], ["a": 2], false), (["a": 1], ["a": "1"], false),
            (["a": true], ["a": 1], false), (["a": ""], [:], false), (["a": 0], [:], false),
            (["é": 1], ["e\u{301}": 1], false),
        ] as [([String: JSONValue], [String: JSONValue], Bool)])
    func `contents are equal exactly when Firebase could not tell them apart`(
        left: [String: JSONValue], right: [String: JSONValue], equal: Bool
    ) {
        #expect((Content(fields: left) == Content(fields: right)) == equal)
    }
}
