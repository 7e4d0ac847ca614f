import AgentClients
import HouseholdAgent
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ControlInterface

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct SocketFolderTests {
    private func start(at path: String) async throws {
        try await serving(at: path, Scripted()) { _ in
            _ = try await ControlClient(socketPath: path).send(DevicesRequest())
        }
    }

    private func refusal(at path: String) async -> ControlServerError? {
        await #expect(throws: ControlServerError.self) { try await start(at: path) }
    }

    private func make(_ folder: String, mode: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    }

    @Test func aMissingFolderIsMadePrivateWithThoseAboveIt() async throws {
        try await withFolder { folder in
            let path = folder + "/a/b/control.sock"
            try await serving(at: path, Scripted()) { _ in
                #expect(FileFacts(folder + "/a")?.mode == 0o700)
                #expect(FileFacts(folder + "/a/b")?.mode == 0o700)
                #expect(FileFacts(path)?.kind == .socket)
                #expect(FileFacts(path)?.mode == 0o600)
            }
            #expect(FileFacts(path) == nil)
        }
    }

    @Test(arguments: [0o755, 0o777, 0o710, 0o2770, 0o701])
    func anOpenFolderIsMadePrivate(_ mode: Int) async throws {
        try await withFolder { folder in
            try make(folder + "/run", mode: mode)
            try await start(at: folder + "/run/control.sock")
            #expect(FileFacts(folder + "/run").map { $0.mode & 0o777 } == 0o700)
        }
    }

    @Test func aSharedFolderIsLeftAlone() async throws {
        try await withFolder { folder in
            try make(folder + "/run", mode: 0o1777)
            let error = await refusal(at: folder + "/run/control.sock")
            #expect(error?.reason == .unsafeFolder)
            #expect(error?.message.contains("shared by all users") == true)
            #expect(FileFacts(folder + "/run")?.mode == 0o1777)
        }
    }

    @Test func aSymbolicLinkIsRefused() async throws {
        try await withFolder { folder in
            try make(folder + "/real", mode: 0o700)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/run",
                withDestinationPath: folder + "/real"
            )
            let error = await refusal(at: folder + "/run/control.sock")
            #expect(error?.reason == .unsafeFolder)
            #expect(error?.message.contains("symbolic link") == true)
        }
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/run"))
            #expect(await refusal(at: folder + "/run/control.sock")?.reason == .unsafeFolder)
        }
    }

    @Test(.enabled(if: FileFacts("/proc/self")?.owner == 0, "only root can give a folder away"))
    func aFolderOfAnotherUserIsRefused() async throws {
        try await withFolder { folder in
            try make(folder + "/run", mode: 0o700)
            try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder + "/run")
            let error = await refusal(at: folder + "/run/control.sock")
            #expect(error?.reason == .unsafeFolder)
            #expect(error?.message.contains("belongs to user 65534") == true)
        }
    }

    @Test func aStaleSocketIsReplaced() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            // A killed agent leaves the file; NIO removes it at its first path only.
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: folder + "/first.sock").get()
            try FileManager.default.moveItem(atPath: folder + "/first.sock", toPath: path)
            try await listener.close()
            #expect(FileFacts(path)?.kind == .socket)
            // A program that is just being started may hold the listener for a moment.
            let isGone = await eventually {
                do {
                    _ = try await ControlClient(socketPath: path).send(StatusRequest())
                    return false
                } catch {
                    return error as? ControlClientError == .agentNotRunning(socketPath: path)
                }
            }
            #expect(isGone)
            try await start(at: path)
        }
    }

    @Test func aSocketThatAnswersIsLeftAlone() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try await serving(at: path, Scripted()) { _ in
                let error = await refusal(at: path)
                #expect(error?.reason == .alreadyRunning)
                #expect(error?.message.contains(path) == true)
                // The first agent is as it was.
                _ = try await ControlClient(socketPath: path).send(DevicesRequest())
            }
        }
    }

    @Test func ofManyThatStartAtOnceOneRuns() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (outcomes, ended) = AsyncStream<ControlServerError?>.makeStream()
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            let server = ControlServer(
                                socketPath: path,
                                logger: quiet,
                                onRunning: { ended.yield(nil) },
                                submit: Scripted().submit
                            )
                            try await server.run()
                        } catch let error as ControlServerError {
                            ended.yield(error)
                        }
                    }
                }
                var reasons: [ControlServerError.Reason?] = []
                for await outcome in outcomes {
                    reasons.append(outcome?.reason)
                    if reasons.count == 8 { break }
                }
                #expect(reasons.filter { $0 == nil }.count == 1)
                #expect(reasons.filter { $0 == .alreadyRunning }.count == 7)
                _ = try await ControlClient(socketPath: path).send(DevicesRequest())
                group.cancelAll()
                while let _ = await group.nextResult() {}
            }
        }
    }

    @Test func anotherKindOfFileIsLeftAlone() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try Data("keep".utf8).write(to: URL(fileURLWithPath: path))
            #expect(await refusal(at: path)?.reason == .socket)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("keep".utf8))
        }
    }

    @Test func aLongPathIsOneSentence() async throws {
        try await withFolder { folder in
            let room = SocketPath.limit - folder.utf8.count - 1
            let longest = folder + "/" + String(repeating: "s", count: room)
            #expect(ControlServer.fits(longest) && ControlClient.fits(longest))
            try await start(at: longest)
            #expect(!ControlServer.fits(longest + "s") && !ControlClient.fits(longest + "s"))
            let error = await refusal(at: longest + "s")
            #expect(error?.reason == .unusablePath)
            #expect(error?.message.contains("choose a shorter home") == true)
            await #expect(throws: ControlClientError.failed(SocketPath.excess(longest + "s"))) {
                try await ControlClient(socketPath: longest + "s").send(StatusRequest())
            }
        }
        #expect(await refusal(at: "control.sock")?.reason == .unusablePath)
    }
}
