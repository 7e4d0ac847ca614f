import LosslessJSON
import MergeCore
import TestSupport
import Testing

@testable import ControlInterface
@testable import HouseholdAgent

@Suite struct CodingTests {
    /// Neither type is Equatable; Swift's own description names every field.
    private func same<Value>(_ a: Value, _ b: Value) -> Bool { String(reflecting: a) == String(reflecting: b) }

    @Test func everyRequestComesBackAsItWent() throws {
        for request in try Samples.requests() {
            let bytes = try ControlCoding.bytes(request)
            #expect(!bytes.contains(0x0A))
            let back = try ControlCoding.request(type(of: request).name, bytes)
            #expect(same(back, request), "\(request)")
        }
    }

    /// A request type that is missing in the table would be unknown to the agent.
    @Test func theTableHasEveryRequestOfItsFolder() throws {
        let folder = ExampleFiles.root + "/Sources/HouseholdAgent/Requests"
        let types = Disk.names(in: folder).map { String($0.prefix { $0 != "." }) }
            .filter { Disk.text("\(folder)/\($0).swift").contains("package struct \($0): ") }
            .filter { $0.hasSuffix("Request") && $0 != "PreviewRequest" }
        #expect(types.contains("ExplainRequest"))
        let table = RequestTable.all.map { String(describing: $0) }
        #expect(table.filter { !$0.hasPrefix("PreviewRequest<") }.sorted() == types)
        #expect(table.contains("PreviewRequest<RestoreRequest>"))
    }

    @Test func everyRequestHasANameOfItsOwnAndASample() throws {
        let names = RequestTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(try Samples.requests().map { type(of: $0).name }))
    }

    @Test func everyMessageComesBackAsItWent() throws {
        func back<Message: AgentMessage>(_ message: Message) throws -> Any? {
            let bytes = ControlCoding.bytes(message)
            #expect(!bytes.contains(0x0A))
            guard case .response(let back) = try ControlCoding.reply(bytes, to: Asking<Message>.self) else {
                return nil
            }
            return back
        }
        for message in Samples.messages {
            let back = try #require(try back(message))
            #expect(String(reflecting: back) == String(reflecting: message))
        }
        for failure in Samples.failures {
            let reply = try ControlCoding.reply(ControlCoding.bytes(failure), to: StatusRequest.self)
            guard case .failure(failure) = reply else {
                Issue.record("\(reply)")
                continue
            }
        }
    }

    @Test func eventsAndResponsesAreToldApart() throws {
        let code = PairingCodeMessage(code: "K7QM", expires: 5)
        guard case .event(code) = try ControlCoding.reply(ControlCoding.bytes(code), to: PairRequest.self) else {
            Issue.record("no event")
            return
        }
        let paired = PairedDevice(device: Samples.device)
        guard case .response(paired) = try ControlCoding.reply(ControlCoding.bytes(paired), to: PairRequest.self) else {
            Issue.record("no response")
            return
        }
    }

    @Test func rulesTravelWhole() throws {
        let rules = try Samples.rules()
        let bytes = try ControlCoding.bytes(AddRequest(path: "/p", name: "n", rules: rules))
        let back = try #require((try ControlCoding.request("add", bytes) as? AddRequest)?.rules)
        #expect(back == rules)
        #expect(back.json.jsonBytes == rules.json.jsonBytes)
    }

    @Test func theWrittenFormIsAsDocumented() throws {
        func text(_ message: some AgentMessage) -> String {
            String(decoding: ControlCoding.bytes(message), as: UTF8.self)
        }
        #expect(text(PairingCodeMessage(code: "K7QM", expires: 5)) == #"{"event":"code","code":"K7QM","expires":5}"#)
        #expect(
            text(PairedDevice(device: Samples.otherDevice))
                == #"{"event":"paired","device":{"connected":false,"id":"d2","isThisDevice":true,"name":"","#
                + #""reason":"asleep\nsince noon"}}"#
        )
        #expect(
            text(SyncReport(inStep: ["a"], behind: [])) == #"{"event":"synced","behind":[],"inStep":["a"]}"#
        )
        #expect(
            text(Samples.bareStatus)
                == #"{"event":"status","device":{"connected":false,"id":"d2","isThisDevice":true,"name":"","#
                + #""reason":"asleep\nsince noon"},"discovery":"off","household":[],"profiles":[],"troubles":[]}"#
        )
        #expect(text(DeviceList(devices: [])) == #"{"event":"devices","devices":[]}"#)
        #expect(text(DocumentText(document: #"{"a":"b"}"#)) == #"{"event":"document","document":"{\"a\":\"b\"}"}"#)
        let failure = ControlCoding.bytes(.failure(.needsDecision, "Which?"))
        #expect(String(decoding: failure, as: UTF8.self) == #"{"event":"error","code":3,"message":"Which?"}"#)
        let join = try ControlCoding.bytes(JoinRequest(code: "K", address: PeerAddress(host: "::1", port: 9)))
        #expect(String(decoding: join, as: UTF8.self) == #"{"address":"[::1]:9","code":"K"}"#)
    }

    @Test(arguments: [
        ("status", "{", "is no JSON"),
        ("status", "[]", "is no JSON object"),
        ("dance", "{}", "knows no request \"dance\""),
        ("remove", "{}", "The request \"remove\": the member \"profile\" is missing"),
        ("remove", "", "\"profile\" is missing"),
        ("remove", #"{"profile":null}"#, "\"profile\" is missing"),
        ("remove", #"{"profile":7}"#, "\"profile\" is of the wrong kind"),
        ("remove", #"{"profile":"p","x":1}"#, "\"x\" is unknown"),
        ("sync", #"{"proflie":"p"}"#, "\"proflie\" is unknown"),
        ("sync", #"{"profile":"\ud800"}"#, "surrogate"),
        ("add", #"{"path":"a.json","name":"n"}"#, "is no absolute path"),
        ("preview.restore", #"{"path":"a.json","profile":"n","apart":false}"#, "is no absolute path"),
        ("add", #"{"path":"/a\u0000","name":"n"}"#, "NUL"),
        ("add", #"{"path":"/a","name":"n","rules":"[]"}"#, "\"rules\" cannot be used"),
        ("add", #"{"path":"/a","name":"n","rules":"{"}"#, "\"rules\" cannot be used"),
        ("add", #"{"path":"/a","name":"n","rules":"{\"rules\":[{\"path\":\"/x\",\"merge\":\"guess\"}]}"}"#, "guess"),
        ("join", #"{"code":"K","address":"nowhere"}"#, "\"address\" is no \"host:port\""),
        ("play", #"{"profile":"p","game":"g","mark":{"token":"x","process":1,"processStart":2}}"#, "hexadecimal"),
        (
            "play", #"{"profile":"p","game":"g","mark":{"token":"a","process":1,"processStart":2,"y":3}}"#,
            "\"mark.y\" is unknown"
        ),
        ("undo", #"{"profile":"p","force":false,"step":1e40}"#, "a number in it is out of range"),
        ("status", #"{"x":1,"x":2}"#, "is no JSON"),
    ])
    func aWrongRequestIsRefusedInOneSentence(_ name: String, _ text: String, _ expected: String) {
        let error = #expect(throws: ControlCodingError.self) { try ControlCoding.request(name, Array(text.utf8)) }
        #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test(arguments: [
        (#"{"event":"dance"}"#, "is the agent newer?"),
        (#"{"event":"status"}"#, "is the agent newer?"),
        (#"{"event":"code","code":"K"}"#, "\"expires\" is missing"),
        (#"{"event":"code","code":"K","expires":1e40}"#, "a number in it is out of range"),
        (#"{"event":"paired","device":{"id":"d"}}"#, "is missing"),
        (#"{"event":"paired","device":[7]}"#, "wrong kind"),
        (#"{"event":7}"#, "\"event\" is of the wrong kind"),
        ("{}", "\"event\" is missing"),
    ])
    func aWrongReplyIsRefusedInOneSentence(_ text: String, _ expected: String) {
        let error = #expect(throws: ControlCodingError.self) {
            try ControlCoding.reply(Array(text.utf8), to: PairRequest.self)
        }
        #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
    }

    @Test func newerMembersOfARepliesArePassedOver() throws {
        let text = #"{"event":"synced","inStep":["a"],"behind":[],"since":7}"#
        guard case .response(let report) = try ControlCoding.reply(Array(text.utf8), to: SyncRequest.self) else {
            Issue.record("another event")
            return
        }
        #expect(report == SyncReport(inStep: ["a"], behind: []))
    }

    @Test func aFailureOfANewerAgentKeepsItsSentence() throws {
        let text = #"{"event":"error","code":77,"message":"No room.","hint":"make some"}"#
        guard case .failure(let failure) = try ControlCoding.reply(Array(text.utf8), to: SyncRequest.self) else {
            Issue.record("no failure")
            return
        }
        #expect(failure == AgentFailure(.failed, "No room."))
    }

    @Test func aLongRequestIsRefusedBeforeItIsRead() {
        let text = #"{"profile":""# + String(repeating: "x", count: ControlCoding.requestLimit) + "\"}"
        #expect(throws: ControlCodingError.self) { try ControlCoding.request("sync", Array(text.utf8)) }
    }

    @Test func whatIsTooLongToBeWrittenBecomesAFailure() throws {
        let document = DocumentText(document: String(repeating: "x", count: ControlCoding.messageLimit))
        guard case .failure(let failure) = try ControlCoding.reply(ControlCoding.bytes(document), to: ShowRequest.self)
        else {
            Issue.record("it was written")
            return
        }
        #expect(failure.code == .failed && failure.message.contains("the most is \(ControlCoding.messageLimit)"))
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
