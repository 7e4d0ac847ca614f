import LosslessJSON
import MergeCore
import Testing

@testable import ControlPage
@testable import HouseholdAgent

@Suite struct CodingTests {
    /// Neither type is Equatable; Swift's own description names every field.
    private func same<Value>(_ a: Value, _ b: Value) -> Bool { String(reflecting: a) == String(reflecting: b) }

    @Test func everyRequestComesBackAsItWent() throws {
        for request in try Samples.requests() {
            let bytes = ControlCoding.bytes(request)
            #expect(!bytes.contains(0x0A))
            #expect(same(try ControlCoding.request(bytes), request), "\(request)")
        }
    }

    @Test func everyReplyComesBackAsItWent() throws {
        for reply in Samples.replies {
            let bytes = ControlCoding.bytes(reply)
            #expect(!bytes.contains(0x0A))
            #expect(same(try ControlCoding.reply(bytes), reply), "\(reply)")
        }
    }

    @Test func rulesTravelWhole() throws {
        let rules = try Samples.rules()
        let bytes = ControlCoding.bytes(.add(path: "/p", name: "n", rules: rules))
        guard case .add(_, _, let back?) = try ControlCoding.request(bytes) else {
            Issue.record("no rules came back")
            return
        }
        #expect(back == rules)
        #expect(back.json.jsonBytes == rules.json.jsonBytes)
    }

    @Test func theWrittenFormIsAsDocumented() {
        func text(_ reply: AgentReply) -> String { String(decoding: ControlCoding.bytes(reply), as: UTF8.self) }
        #expect(text(.code("K7QM", expires: 5)) == #"{"event":"code","code":"K7QM","expires":5}"#)
        #expect(
            text(.paired(Samples.otherDevice))
                == #"{"event":"paired","device":{"connected":false,"id":"d2","isThisDevice":true,"name":"","#
                + #""reason":"asleep\nsince noon"}}"#
        )
        #expect(
            text(.synced(SyncReport(inStep: ["a"], behind: []))) == #"{"event":"synced","behind":[],"inStep":["a"]}"#
        )
        #expect(
            text(.status(Samples.bareStatus))
                == #"{"event":"status","device":{"connected":false,"id":"d2","isThisDevice":true,"name":"","#
                + #""reason":"asleep\nsince noon"},"discovery":"off","household":[],"profiles":[],"troubles":[]}"#
        )
        #expect(text(.devices([])) == #"{"event":"devices","devices":[]}"#)
        #expect(text(.document(Array(#"{"a":"b"}"#.utf8))) == #"{"event":"document","document":"{\"a\":\"b\"}"}"#)
        #expect(text(.failure(.needsDecision, "Which?")) == #"{"event":"error","code":3,"message":"Which?"}"#)
        let request = ControlCoding.bytes(.join(code: "K", address: PeerAddress(host: "::1", port: 9)))
        #expect(String(decoding: request, as: UTF8.self) == #"{"request":"join","code":"K","address":"[::1]:9"}"#)
    }

    @Test(arguments: [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[]", "is no JSON object"),
        ("{}", "\"request\" is missing"),
        (#"{"request":7}"#, "is no string"),
        (#"{"request":"dance"}"#, "knows no request \"dance\""),
        (#"{"request":"remove"}"#, "The request \"remove\": the member \"profile\" is missing"),
        (#"{"request":"remove","profile":null}"#, "\"profile\" is missing"),
        (#"{"request":"remove","profile":"p","x":1}"#, "\"x\" is unknown"),
        (#"{"request":"sync","proflie":"p"}"#, "\"proflie\" is unknown"),
        (#"{"request":"sync","profile":"\ud800"}"#, "surrogate"),
        (#"{"request":"add","path":"a.json","name":"n"}"#, "is no absolute path"),
        (#"{"request":"add","path":"/a\u0000","name":"n"}"#, "NUL"),
        (#"{"request":"add","path":"/a","name":"n","rules":[]}"#, "rules\" cannot be used"),
        (#"{"request":"add","path":"/a","name":"n","rules":{"rules":[{"path":"/x","merge":"guess"}]}}"#, "guess"),
        (#"{"request":"join","code":"K","address":"nowhere"}"#, "host:port"),
        (#"{"request":"status","request":"pair"}"#, "is no JSON"),
    ])
    func aWrongRequestIsRefusedInOneSentence(_ text: String, _ expected: String) {
        let error = #expect(throws: ControlCodingError.self) { try ControlCoding.request(Array(text.utf8)) }
        #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test(arguments: [
        (#"{"event":"dance"}"#, "is the agent newer?"),
        (#"{"event":"code","code":"K"}"#, "\"expires\" is missing"),
        (#"{"event":"code","code":"K","expires":1e40}"#, "whole number"),
        (#"{"event":"paired","device":{"id":"d"}}"#, "is missing"),
        (#"{"event":"devices","devices":[{"id":7}]}"#, "wrong kind"),
        (#"{"event":"document","document":{}}"#, "is no string"),
    ])
    func aWrongReplyIsRefusedInOneSentence(_ text: String, _ expected: String) {
        let error = #expect(throws: ControlCodingError.self) { try ControlCoding.reply(Array(text.utf8)) }
        #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func newerMembersOfARepliesArePassedOver() throws {
        let text = #"{"event":"synced","inStep":["a"],"behind":[],"since":7}"#
        guard case .synced(let report) = try ControlCoding.reply(Array(text.utf8)) else {
            Issue.record("another event")
            return
        }
        #expect(report == SyncReport(inStep: ["a"], behind: []))
    }

    @Test func aLongRequestIsRefusedBeforeItIsRead() {
        let text = #"{"request":"sync","profile":""# + String(repeating: "x", count: ControlCoding.requestLimit) + "\"}"
        #expect(throws: ControlCodingError.self) { try ControlCoding.request(Array(text.utf8)) }
    }

    @Test func whatCannotBeWrittenBecomesAFailure() throws {
        let reply = try ControlCoding.reply(ControlCoding.bytes(.document([0x22, 0xFF, 0x22])))
        guard case .failure(.failed, let message) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(message == "The document is no UTF-8.")
    }

    @Test func linesAreCutWhereverTheBytesAre() throws {
        let text = Array("one\n\ntwo\nthree".utf8)
        for size in 1...text.count {
            var lines = ReplyLines(limit: 5)
            var cut: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                cut += try lines.take(text[start..<min(start + size, text.count)]).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            #expect(cut == ["one", "", "two"])
        }
        var lines = ReplyLines(limit: 5)
        _ = try lines.take(Array("12345".utf8))
        #expect(throws: ControlCodingError.self) { try lines.take([0x36]) }
    }
}
