import TestSupport

#if os(Linux)
    import DiskStore
    import Glibc
    import MergeCore
    import ProfileKeeping
    import Testing

    /// Files of another user, and what travels with a file: told on a thread that acts as nobody in particular.
    @Suite(.timeLimit(.minutes(5))) struct DeniedTests {
        let folder = TemporaryFolder()

        @Test(.enabled(if: geteuid() == 0, "only root may act as somebody else"))
        func permissionsAreRespected() {
            let (path, home) = (folder["game/save.json"], folder["home"])
            mkdir(folder["game"], 0o755)
            chmod(folder.path, 0o755)
            Disk.write("x", path, mode: 0o000)
            mkdir(home, 0o755)
            Self.asNobody {
                let files = DiskFiles(home: home)
                let unread = #expect(throws: StorageFault.self) { try files.read(path, limit: 10) }
                let unstaged = #expect(throws: StorageFault.self) {
                    try files.stage([1], as: ".hearth-1", beside: path)
                }
                let unkept = #expect(throws: StorageFault.self) {
                    try files.keepBackup([1], of: ProfileID(high: 1, low: 1), as: BackupNote(time: 1, pools: .changes))
                }
                let unlocked = #expect(throws: StorageFault.self) { _ = try HomeLock(home: home) }
                let unopened = #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: home) }
                #expect(unstaged?.message.contains("cannot make a file in \(folder["game"]): ") == true)
                for fault in [unread, unstaged, unkept, unlocked, unopened] {
                    #expect(fault?.reason == .denied)
                    #expect(fault?.message.contains("permission denied; give this user access") == true)
                }
            }
            #expect(Disk.names(in: folder["game"]) == ["save.json"])
            #expect(Disk.names(in: home) == [])
        }

        /// Somebody else's save in a folder that both may write: the owner goes, as only root may give files away, and
        /// what is in it comes.
        @Test(.enabled(if: geteuid() == 0, "only root may act as somebody else"))
        func aReadOnlySaveOfAnotherUserIsReplaced() {
            let path = folder["game/save.json"]
            mkdir(folder["game"], 0o777)
            chmod(folder["game"], 0o777)
            chmod(folder.path, 0o755)
            Disk.write("old", path, mode: 0o444)
            let home = folder["home"]
            Self.asNobody {
                let files = DiskFiles(home: home)
                #expect(throws: Never.self) {
                    try files.stage(Array("new".utf8), as: ".hearth-1", beside: path)
                    try files.exchange(".hearth-1", with: path)
                    try files.removeStaged(".hearth-1", beside: path)
                }
            }
            #expect(Disk.text(path) == "new")
            #expect(Disk.mode(path) == 0o444)
        }

        /// An access list is an extended attribute of the system's own.
        @Test func anAccessListIsKept() throws {
            let path = folder["save.json"]
            Disk.write("old", path, mode: 0o640)
            // Version 2; the owner rw, user 12345 r, group r, mask r, others nothing.
            var list: [UInt8] = [2, 0, 0, 0]
            for (tag, permissions, id) in [
                (0x01, 6, UInt32.max), (0x02, 4, 12_345), (0x04, 4, .max), (0x10, 4, .max), (0x20, 0, .max),
            ] as [(UInt16, UInt16, UInt32)] {
                withUnsafeBytes(of: tag.littleEndian) { list += $0 }
                withUnsafeBytes(of: permissions.littleEndian) { list += $0 }
                withUnsafeBytes(of: id.littleEndian) { list += $0 }
            }
            let name = "system.posix_acl_access"
            guard Attributes.set(path, name, list) else { return }  // a file system without access lists
            let files = DiskFiles(home: folder["home"])
            try files.stage(Array("new".utf8), as: ".hearth-1", beside: path)
            try files.exchange(".hearth-1", with: path)
            try files.removeStaged(".hearth-1", beside: path)
            #expect(Disk.text(path) == "new")
            #expect(Attributes.get(path, name) == list)
            #expect(Disk.mode(path) == 0o640)
        }

        /// Does something on a thread whose access to files is that of user 65534.
        private static func asNobody(_ body: @escaping @Sendable () -> Void) {
            MountNamespace.run {
                guard Attributes.actAsNobody() else {
                    Issue.record("the user cannot be changed")
                    return
                }
                body()
            }
        }
    }

    /// Calls that the Swift module of the C library leaves out.
    private enum Attributes {
        private typealias SetUser = @convention(c) (UInt32) -> Int32
        private typealias SetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32
            ) -> Int32
        private typealias GetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
            ) -> Int

        /// For this thread and its access to files alone.
        static func actAsNobody() -> Bool {
            guard let user = dlsym(nil, "setfsuid"), let group = dlsym(nil, "setfsgid") else { return false }
            _ = unsafeBitCast(group, to: SetUser.self)(65_534)
            let set = unsafeBitCast(user, to: SetUser.self)
            _ = set(65_534)
            // The call returns what was in force before it.
            return set(65_534) == 65_534
        }

        static func set(_ path: String, _ name: String, _ bytes: [UInt8]) -> Bool {
            guard let call = dlsym(nil, "setxattr") else { return false }
            return unsafeBitCast(call, to: SetAttribute.self)(path, name, bytes, bytes.count, 0) == 0
        }

        static func get(_ path: String, _ name: String) -> [UInt8]? {
            guard let call = dlsym(nil, "getxattr") else { return nil }
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = unsafeBitCast(call, to: GetAttribute.self)(path, name, &bytes, bytes.count)
            return count >= 0 ? Array(bytes.prefix(count)) : nil
        }
    }
#endif
