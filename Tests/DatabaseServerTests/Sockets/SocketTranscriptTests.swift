import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Whole conversations, frame by frame, as apps have them.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SocketTranscriptTests {
    /// Lines that begin with `>` are sent, those with `<` must come, and those with `!` are writes of somebody else.
    struct Transcript: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var lines: String
    }

    static let transcripts = [
        Transcript(
            testDescription: "a web app: stats, presence, a list, an update, signing out",
            lines: """
                > {"t":"d","d":{"r":1,"a":"s","b":{"c":{"sdk.js.10-7-1":1}}}}
                < {"t":"d","d":{"r":1,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":2,"a":"gauth","b":{"cred":"owner","authvar":{"uid":"u1"}}}}
                < {"t":"d","d":{"r":2,"b":{"s":"ok","d":{"auth":{"uid":"u1"}}}}}
                > {"t":"d","d":{"r":3,"a":"o","b":{"p":"/online/u1","d":null}}}
                < {"t":"d","d":{"r":3,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":4,"a":"p","b":{"p":"/online/u1","d":true}}}
                < {"t":"d","d":{"r":4,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":5,"a":"q","b":{"p":"/films","h":""}}}
                < {"t":"d","d":{"a":"d","b":{"p":"films","d":{"a":{"title":"Alien","year":1979}}}}}
                < {"t":"d","d":{"r":5,"b":{"s":"ok","d":{}}}}
                > 0
                ! PATCH /films.json {"b":{"title":"Brazil","year":1985},"a/year":1980}
                < {"t":"d","d":{"a":"m","b":{"p":"films","d":{"b":{"title":"Brazil","year":1985},"a/year":1980}}}}
                > {"t":"d","d":{"r":6,"a":"m","b":{"p":"/films/a","d":{"seen":true}}}}
                < {"t":"d","d":{"a":"m","b":{"p":"films/a","d":{"seen":true}}}}
                < {"t":"d","d":{"r":6,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":7,"a":"n","b":{"p":"/films"}}}
                < {"t":"d","d":{"r":7,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":8,"a":"unauth","b":{}}}
                < {"t":"d","d":{"r":8,"b":{"s":"ok","d":""}}}
                > {"t":"d","d":{"r":9,"a":"oc","b":{"p":"/online/u1","d":null}}}
                < {"t":"d","d":{"r":9,"b":{"s":"ok","d":""}}}
                """),
        Transcript(
            testDescription: "a transaction that is late, sees the newer value, and goes through",
            lines: """
                ! PUT /likes.json 1
                > {"t":"d","d":{"r":1,"a":"q","b":{"p":"/likes","h":""}}}
                < {"t":"d","d":{"a":"d","b":{"p":"likes","d":1}}}
                < {"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}
                ! PUT /likes.json 2
                < {"t":"d","d":{"a":"d","b":{"p":"likes","d":2}}}
                > {"t":"d","d":{"r":2,"a":"p","b":{"p":"/likes","d":2,"h":"YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="}}}
                < {"t":"d","d":{"r":2,"b":{"s":"datastale","d":"The value has changed"}}}
                > {"t":"d","d":{"r":3,"a":"p","b":{"p":"/likes","d":3,"h":"WtSt2Xo3L0JtPuArzQHofPrZOuU="}}}
                < {"t":"d","d":{"a":"d","b":{"p":"likes","d":3}}}
                < {"t":"d","d":{"r":3,"b":{"s":"ok","d":""}}}
                """),
        Transcript(
            testDescription: "a transaction on what nobody listens to is told what is there",
            lines: """
                ! PUT /likes.json {"a":1,"b":"x"}
                > {"t":"d","d":{"r":1,"a":"q","b":{"p":"/likes/a","h":""}}}
                < {"t":"d","d":{"a":"d","b":{"p":"likes/a","d":1}}}
                < {"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}
                > {"t":"d","d":{"r":2,"a":"p","b":{"p":"/likes","d":2,"h":""}}}
                < {"t":"d","d":{"a":"d","b":{"p":"likes","d":{"a":1,"b":"x"}}}}
                < {"t":"d","d":{"r":2,"b":{"s":"datastale","d":"The value has changed"}}}
                > {"t":"d","d":{"r":3,"a":"p","b":{"p":"/likes/a/n","d":2,"h":"YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="}}}
                < {"t":"d","d":{"r":3,"b":{"s":"datastale","d":"The value has changed"}}}
                > {"t":"d","d":{"r":4,"a":"p","b":{"p":"/none","d":2,"h":"YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="}}}
                < {"t":"d","d":{"a":"d","b":{"p":"none","d":null}}}
                < {"t":"d","d":{"r":4,"b":{"s":"datastale","d":"The value has changed"}}}
                """),
        Transcript(
            testDescription: "an Android app that comes back with what it keeps",
            lines: """
                ! PUT /films.json {"a":1,"b":"x"}
                > 4
                > {"t":"d","d":{"r":1,"a":"q",
                > "b":{"p":"films","h":"jRI9dwRS9sb4SWm8uuoN7+xBk4g=",
                > "ch":{"hs":["7z","8y"],
                > "ps":["a"]}}}}
                < {"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}
                ! PUT /films/a/.priority.json 5
                < {"t":"d","d":{"a":"d","b":{"p":"films/a","d":{".value":1,".priority":5}}}}
                > {"t":"d","d":{"r":2,"a":"q","b":{"p":"films","q":{"i":".priority","sp":5,"sin":true,"l":1,"vf":"l"},"t":2,"h":""}}}
                < {"t":"d","d":{"a":"d","b":{"p":"films","d":{"a":{".value":1,".priority":5}},"t":2}}}
                < {"t":"d","d":{"r":2,"b":{"s":"ok","d":{}}}}
                > {"t":"d","d":{"r":3,"a":"g","b":{"p":"films/b","q":{}}}}
                < {"t":"d","d":{"r":3,"b":{"s":"ok","d":"x"}}}
                > {"t":"c","d":{"t":"p","d":{}}}
                < {"t":"c","d":{"t":"o","d":{}}}
                """),
        Transcript(
            testDescription: "an Android app that comes back to what has changed",
            lines: """
                ! PUT /films.json {"a":1,"b":"x","c":[1,2]}
                > {"t":"d","d":{"r":1,"a":"q","b":{"p":"films","h":"old","ch":{"hs":["0mM8iXxfqbj5xrSZeenGfylon9c=","old",""],"ps":["a","b"]}}}}
                < {"t":"d","d":{"a":"rm","b":{"p":"films","d":[{"s":"a","m":{"b":"x","c":{"0":1,"1":2}}}]}}}
                < {"t":"d","d":{"r":1,"b":{"s":"ok","d":{}}}}
                > {"t":"d","d":{"r":2,"a":"q","b":{"p":"films","q":{"i":".key","l":2,"vf":"l"},"t":2,"h":"old","ch":{"hs":["old","old",""],"ps":["A","b"]}}}}
                < {"t":"d","d":{"a":"rm","b":{"p":"films","d":[{"e":"b","m":{"a":1,"b":"x"}}],"t":2}}}
                < {"t":"d","d":{"r":2,"b":{"s":"ok","d":{}}}}
                > {"t":"d","d":{"r":3,"a":"n","b":{"p":"films","q":{"i":".key","l":2,"vf":"l"},"t":2}}}
                < {"t":"d","d":{"r":3,"b":{"s":"ok","d":""}}}
                ! PUT /films/b.json "y"
                < {"t":"d","d":{"a":"d","b":{"p":"films/b","d":"y"}}}
                > {"t":"d","d":{"r":4,"a":"q","b":{"p":"films/b","h":"old","ch":{"hs":["old"],"ps":["/"]}}}}
                < {"t":"d","d":{"a":"d","b":{"p":"films/b","d":"y"}}}
                < {"t":"d","d":{"r":4,"b":{"s":"ok","d":{}}}}
                """),
    ]

    @Test(arguments: transcripts) func `a conversation goes as it should`(_ transcript: Transcript) async throws {
        try await withServer { client in
            try await Step("PUT /films/a.json", #"{"title":"Alien","year":1979}"#).perform(client)
            try await client.withSocket("v=5") { socket in
                for line in transcript.lines.split(separator: "\n") {
                    let text = line.dropFirst(2)
                    switch line.prefix(1) {
                    case ">": try await socket.frame(String(text))
                    case "!":
                        let parts = text.split(separator: " ", maxSplits: 2)
                        try await Step("\(parts[0]) \(parts[1])", String(parts[2])).perform(client)
                    default:
                        let wanted = try JSONReader.value(Array(text.utf8))
                        let found = try await socket.message()
                        #expect(found == wanted)
                    }
                }
            }
        }
    }
}
