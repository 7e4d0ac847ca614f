import ControlInterface
import HouseholdAgent
import Libc
import LosslessJSON
import SyncProtocol
import TestSupport
import Testing

@testable import HTTPInterface

/// Encrypted transfer files that the page has opened, or made.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SealerTests {
    private static let inside = [UInt8](0..<100)
    private static let passphrase = "Äpfel \"und\" Birnen"

    private static func sealed() throws -> [UInt8] {
        let cost = try #require(ScryptCost(logN: 10, r: 8, p: 1))
        return try SealedTransfer.seal(
            inside, passphrase: Array(passphrase.utf8), salt: [UInt8](repeating: 7, count: SealedTransfer.saltSize),
            cost: cost)
    }

    private static func body(_ file: [UInt8], _ passphrase: String) -> String {
        let members: JSONValue = [
            "data": .string(JSONString(base64(file))), "passphrase": .string(JSONString(passphrase)),
        ]
        return String(decoding: members.jsonBytes, as: UTF8.self)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let message = ControlCoding.bytes(UnsealedFile(data: Base64Bytes(bytes: bytes)))
        guard case .string(let text)? = (try? JSONValue(parsing: message))?["data"] else { return "" }
        return text.string
    }

    private func ask(
        _ served: Served, _ port: Int, _ body: String, _ name: String = "unseal"
    ) async throws -> WireReply {
        try await exchange(port, Text.post(name, body, port, Text.bearer(try served.token())))
    }

    @Test func thePassphraseOpensAFileAndTheAgentLearnsNothingOfIt() async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, code) = try await served.open()
            let (cookie, proof, _) = try await served.session(port, code)
            let session = "cookie: \(cookie)\r\nx-hearth-proof: \(proof)\r\n"
            let reply = try await exchange(
                port, Text.post("unseal", Self.body(try Self.sealed(), Self.passphrase), port, session))
            #expect(reply.status == 200)
            #expect(reply.headers["cache-control"] == "no-store")
            let answer = try JSONValue(parsing: Array(reply.body.utf8))
            #expect(answer["data"] == .string(JSONString(Self.base64(Self.inside))))
            // And that is what the document of the interface says.
            let operation = try JSONValue(parsing: APIDescription.json())["paths"]?["/api/v1/unseal"]?["post"]
            let schema = try #require(
                operation?["responses"]?["200"]?["content"]?[JSONString(JSONType.whole)]?["schema"])
            #expect(ShapeCheck.fault(answer, schema) == nil)
            let sent = try #require(operation?["requestBody"]?["content"]?[JSONString(JSONType.whole)]?["schema"])
            #expect(ShapeCheck.fault(try JSONValue(parsing: Array(Self.body([], "x").utf8)), sent) == nil)
        }
        #expect(agent.requests.isEmpty)
    }

    @Test(arguments: ["", "x", "Äpfel \"und\" Birnen ", "äpfel \"und\" birnen"])
    func aWrongPassphraseIsAnsweredWithASentence(_ wrong: String) async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, Self.body(try Self.sealed(), wrong))
            #expect(reply.status == 422 && reply.body.contains("the passphrase is wrong"), "\(reply.body)")
            // It can be tried again at once.
            let right = try await ask(served, port, Self.body(try Self.sealed(), Self.passphrase))
            #expect(right.status == 200)
        }
    }

    @Test func whatIsNotEncryptedSaysSo() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            var signed = try Self.sealed()
            signed[10] = 0
            for (file, words) in [
                (signed, "is not encrypted"), ([1, 2, 3], "does not begin as a transfer file"), ([], ""),
            ] {
                let reply = try await ask(served, port, Self.body(file, Self.passphrase))
                #expect(reply.status == 422 && reply.body.contains(words), "\(reply.body)")
            }
            var newer = try Self.sealed()
            newer[8] = 2
            let reply = try await ask(served, port, Self.body(newer, Self.passphrase))
            #expect(reply.status == 409 && reply.body.contains("update Hearth"), "\(reply.body)")
        }
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"data":""}"#, #"{"passphrase":"secret words"}"#,
        #"{"data":"*","passphrase":"secret words"}"#,
        #"{"data":"","passphrase":7}"#, #"{"data":"","passphrase":"secret words","more":1}"#,
    ]) func whatIsNoFileWithAPassphraseIsRefused(_ body: String) async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, body)
            #expect(reply.status == 400, "\(reply.body)")
            #expect(!reply.body.contains("secret words"))
        }
    }

    @Test func withoutASessionOrWithTooMuchNothingIsOpened() async throws {
        try await serving(
            sealer: Sealer { _, _ in
                Issue.record("it was opened"); return []
            }
        ) { served in
            let (port, code) = try await served.open()
            let (cookie, proof, _) = try await served.session(port, code)
            let body = Self.body(try Self.sealed(), Self.passphrase)
            let (half, other) = ("cookie: \(cookie)\r\n", "origin: http://evil.example\r\n")
            for (headers, status) in [
                ("", 401), (half, 403), ("x-hearth-proof: \(proof)\r\n", 401), (Text.bearer("x"), 401),
                (half + "x-hearth-proof: \(proof)\r\n" + other, 403),
            ] {
                #expect(
                    try await exchange(port, Text.post("unseal", body, port, headers)).status == status, "\(headers)")
            }
            #expect(try await exchange(port, Text.get("/api/v1/unseal", port)).status == 405)
            let large = Text.post("unseal", "", port, Text.bearer(try served.token())).replacing(
                "content-length: 0", with: "content-length: \(ControlCoding.requestLimit + 1)")
            #expect(try await exchange(port, large).status == 413)
        }
    }

    @Test func whatWasEncryptedIsOpenedByTheSamePassphraseAlone() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            // The start of a signed file: what else is in it is not looked at here.
            let signed = try Array(Self.sealed()[..<10]) + [0, 0] + Self.inside
            let reply = try await ask(served, port, Self.body(signed, Self.passphrase), "seal")
            #expect(reply.status == 200, "\(reply.body)")
            let answer = try JSONValue(parsing: Array(reply.body.utf8))
            let operation = try JSONValue(parsing: APIDescription.json())["paths"]?["/api/v1/seal"]?["post"]
            let schema = try #require(
                operation?["responses"]?["200"]?["content"]?[JSONString(JSONType.whole)]?["schema"])
            #expect(ShapeCheck.fault(answer, schema) == nil)
            guard case .string(let made)? = answer["data"] else { return }
            let members: JSONValue = ["data": .string(made), "passphrase": .string(JSONString(Self.passphrase))]
            let opened = try await ask(served, port, String(decoding: members.jsonBytes, as: UTF8.self))
            #expect(opened.body.contains(Self.base64(signed)))
            // Each file has a key of its own.
            let again = try await ask(served, port, Self.body(signed, Self.passphrase), "seal")
            #expect(again.status == 200 && again.body != reply.body)
        }
    }

    @Test func nothingIsEncryptedThatNobodyCouldOpen() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let signed = try Array(Self.sealed()[..<10]) + [0, 0] + Self.inside
            let long = String(repeating: "x", count: Sealer.passphraseLimit + 1)
            for (file, passphrase) in [(signed, ""), (signed, long), (try Self.sealed(), "x"), ([1, 2, 3], "x")] {
                let reply = try await ask(served, port, Self.body(file, passphrase), "seal")
                #expect(reply.status == 400 && reply.body.contains("nothing was encrypted"), "\(reply.body)")
            }
            let stranger = try await exchange(port, Text.post("seal", Self.body(signed, "x"), port))
            #expect(stranger.status == 401)
        }
    }

    @Test func onePassphraseIsTriedAtATimeAndOthersKeepTheirTurn() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (end, start) = (ends[0], ends[1])
        defer { close(end) }
        let begun = AsyncStream.makeStream(of: Void.self)
        let sealer = Sealer { _, _ in
            begun.continuation.yield()
            var byte: UInt8 = 0
            _ = read(end, &byte, 1)
            return [42]
        }
        try await serving(sealer: sealer) { served in
            let (port, _) = try await served.open()
            let body = Self.body([1], "x")
            async let first = ask(served, port, body)
            _ = await begun.stream.first { _ in true }
            let second = try await ask(served, port, body)
            #expect(second.status == 503 && second.body.contains("try again"), "\(second.body)")
            #expect(
                try await exchange(port, Text.post("requests/devices", "{}", port, Text.bearer(try served.token())))
                    .status == 200)
            close(start)
            #expect(try await first.body.contains(Self.base64([42])))
            #expect(try await ask(served, port, body).status == 200)
        }
    }
}
