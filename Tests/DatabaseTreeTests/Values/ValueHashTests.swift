import Testing

@testable import DatabaseTree

struct ValueHashTests {
    /// A body, and its hash: SHA-1 of what is written beside it, `#` standing for the hash of what it names.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var body: String
        var hash: String
    }

    static let cases = [
        Case(testDescription: "nothing", body: "null", hash: ""),
        Case(testDescription: "boolean:true", body: "true", hash: "E5z61QM0lN/U2WsOnusszCTkR8M="),
        Case(testDescription: "number:0000000000000000", body: "0", hash: "7ysMph9WPitGP7poMnMHMVPtUlI="),
        Case(testDescription: "number:3ff0000000000000", body: "1", hash: "YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="),
        Case(testDescription: "number:c004000000000000", body: "-2.5", hash: "eBj7htp2uFU6m+ykmQDcicyETbY="),
        Case(
            testDescription: "a whole number that no double holds", body: "9007199254740993",
            hash: "m4qsp/5BbIWTdjthNlnOX+WCTB0="),
        Case(testDescription: "number:7e37e43c8800759c", body: "1e300", hash: "PATxuxN46FZOmKG2i19P8ZCsqpw="),
        Case(testDescription: "string:", body: #""""#, hash: "Ki0Xy0V6morg0TO3Sxi/jwugYDQ="),
        Case(testDescription: "string:hello", body: #""hello""#, hash: "z6sRbrNLwbHX5fdjpvsTtWgXUFc="),
        Case(testDescription: "string:Überfilm 😀", body: #""Überfilm 😀""#, hash: "71HDnIl6m1HTJ9QhyeKc9t8z3gM="),
        Case(
            testDescription: "priority:number:4014000000000000:string:x", body: #"{".value":"x",".priority":5}"#,
            hash: "r7F6VPxCzGOC+y8S8XLO1QeQxfY="),
        Case(
            testDescription: "priority:string:p:number:3ff0000000000000", body: #"{".value":1,".priority":"p"}"#,
            hash: "s13vB6y8qX48gxbXkr8YCSDaUwM="),
        Case(testDescription: ":a:#:b:#", body: #"{"b":"x","a":1}"#, hash: "jRI9dwRS9sb4SWm8uuoN7+xBk4g="),
        Case(
            testDescription: ":9:#:10:#:a:#, as keys are ordered", body: #"{"10":1,"9":1,"a":1}"#,
            hash: "evCfROj4O5BuYeBWBzyApN5V/lQ="),
        Case(testDescription: ":0:#:1:#", body: "[true,true]", hash: "/SBEYgQhCiyXYuLdyV+XKQYcwSQ="),
        Case(
            testDescription: ":b:#:c:#:a:#, as priorities are ordered",
            body: #"{"a":{".value":1,".priority":"z"},"c":{".value":1,".priority":1},"b":1}"#,
            hash: "esrAgKqwqdNXskD42hsOJ1KcaUA="),
        Case(
            testDescription: "priority:number:3ff0000000000000::a:#", body: #"{"a":1,".priority":1}"#,
            hash: "9fOzg9w0PJT6UBOo2FtrMq79FGQ="),
        Case(testDescription: ":m:#", body: #"{"m":{"a":1,"none":null}}"#, hash: "H+s3N3I3pibc9KUXX1m4Dhs+qq8="),
    ]

    @Test(arguments: cases) func `a hash is that of the client libraries`(_ vector: Case) throws {
        let body = try Array(vector.body.utf8).withUnsafeBufferPointer { try PutBody($0, depth: 0) }
        #expect(ValueHash(of: body.value.canonicalText.map { Node(canonical: $0) }).text == vector.hash)
    }

    @Test func `a large node has the hash of its text`() throws {
        let members = (0..<3000).map { #""\#($0 % 2 == 0 ? "" : "k")\#($0)":{"n":\#($0)}"# }
        let text = "{" + members.joined(separator: ",") + "}"
        let body = try Array(text.utf8).withUnsafeBufferPointer { try PutBody($0, depth: 0) }
        let canonical = try #require(body.value.canonicalText)
        let branch = Node(canonical: canonical)
        guard case .branch = branch else {
            Issue.record("the node is packed")
            return
        }
        #expect(ValueHash(of: branch) == ValueHash(of: .packed(row: 0, text: canonical)))
    }
}
