import TestSupport

#if os(Linux)
    import DiskStore
    import Glibc
    import HouseholdSimulation
    import MergeCore
    import ProfileKeeping
    import Testing

    /// Disks that are full, read-only, or mounted in odd places.
    @Suite(.enabled(if: MountNamespace.isAllowed, "mounts need root and a mount namespace"), .timeLimit(.minutes(5)))
    struct BadDiskTests {
        /// Deeper than any one step: the projection fails at another step each time, and nothing is left half done.
        @Test func aDiskThatIsFullAtAnyStep() { onDisk(of: "512k", Self.fill) }

        /// Does something in a folder on a disk of its own, of a size as mount takes it.
        private func onDisk(of size: String, _ body: @escaping @Sendable (String) throws -> Void) {
            let folder = TemporaryFolder()
            let path = folder.path
            MountNamespace.run {
                guard MountNamespace.mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=700") else {
                    Issue.record("no tmpfs")
                    return
                }
                do { try body(path) } catch { Issue.record(error) }
            }
        }

        private static func fill(_ folder: String) throws {
            let save = folder + "/save.json"
            let home = folder + "/home"
            try HomeFolder.create(home)
            let padding = String(repeating: "x", count: 9_000)
            Disk.write(TestSave.bytes(coins: 100, level: 1, name: padding), save)
            let memory = MemoryRecord()
            var device = try TestDevice(DiskFiles(home: home), memory, path: save, number: 1)
            let id = try device.add()
            var other = try TestDevice(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
            try other.restore(id, from: device)
            other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 2, name: padding), at: other.path)
            try other.settle(id)
            try device.join(id, from: other)

            var reasons = 0
            // Leaves room for 0, 4, 8 … KiB.
            for room in 0..<12 {
                let filler = folder + "/filler"
                occupy(filler, leaving: room * 4_096)
                let outcome = device.project(id)
                unlink(filler)
                let names = Disk.names(in: folder)
                if outcome == .written {
                    // The backup takes a page, the staged file three, and the second is tried with the first there.
                    #expect(room > 2)
                    #expect(reasons > 2)
                    #expect(Disk.read(save) == TestSave.bytes(coins: 140, level: 2, name: padding))
                    return
                }
                reasons += 1
                #expect(outcome == .postponed)
                #expect(device.engine.profiles[id]?.trouble?.contains("disk is full") == true)
                #expect(names == ["home", "save.json"])
                #expect(Disk.read(save) == TestSave.bytes(coins: 100, level: 1, name: padding))
            }
            Issue.record("it was never written")
        }

        /// Uses up all but so many bytes.
        private static func occupy(_ path: String, leaving room: Int) {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            let block = [UInt8](repeating: 0, count: 4_096)
            var size = 0
            while write(file, block, block.count) == block.count { size += block.count }
            ftruncate(file, off_t(max(0, size - room)))
            close(file)
        }

        @Test func aRecordOnAFullDisk() { onDisk(of: "2m", Self.fillRecord) }

        private static func fillRecord(_ folder: String) throws {
            let record = try SQLiteRecord(home: folder)
            let id = ProfileID(high: 1, low: 1)
            let replica = ReplicaID(high: 1, low: 1)
            var change = RecordChange.ProfileChange(id)
            change.replica = replica
            change.atoms = SQLiteRecordTests.atoms(100, replica)
            try record.commit(RecordChange(change))
            change.atoms = SQLiteRecordTests.atoms(50_000, replica)
            change.file = .some("/new")
            let fault = #expect(throws: StorageFault.self) { try record.commit(RecordChange(change)) }
            #expect(fault?.reason == .noSpace, "\(fault?.message ?? "")")
            #expect(try record.load(id)?.atoms.count == 100)
            #expect(try record.load(id)?.file == nil)
            // Small changes go on, and the record opens again.
            change.atoms = []
            try record.commit(RecordChange(change))
            record.close()
            #expect(try SQLiteRecord(home: folder).load(id)?.file == "/new")
        }

        @Test func aReadOnlyFileSystem() {
            let folder = TemporaryFolder()
            let path = folder.path
            Disk.write("old", path + "/save.json")
            mkdir(path + "/home", 0o700)
            MountNamespace.run {
                guard MountNamespace.mount(path, path, nil, MountNamespace.bind),
                    MountNamespace.mount(
                        path, path, nil, MountNamespace.bind | MountNamespace.remount | MountNamespace.readOnly)
                else {
                    Issue.record("no bind mount")
                    return
                }
                let files = DiskFiles(home: path + "/home")
                let save = path + "/save.json"
                let profile = ProfileID(high: 1, low: 1)
                #expect(throws: Never.self) { try files.read(save, limit: 10) }
                let stage = #expect(throws: StorageFault.self) { try files.stage([1], as: ".hearth-1", beside: save) }
                #expect(stage?.reason == .denied)
                #expect(stage?.message.contains("read-only") == true)
                let backup = #expect(throws: StorageFault.self) {
                    try files.keepBackup([1], of: profile, as: BackupNote(time: 1, pools: .changes))
                }
                #expect(backup?.reason == .denied)
                #expect(throws: StorageFault.self) { _ = try HomeLock(home: path + "/home") }
                #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: path + "/home") }
            }
            #expect(Disk.names(in: path) == ["home", "save.json"])
        }

        @Test func aFileThatIsMountedByItselfIsRefused() {
            let folder = TemporaryFolder()
            let path = folder.path
            Disk.write("theirs", path + "/elsewhere.json")
            Disk.write("ours", path + "/save.json")
            MountNamespace.run {
                let (theirs, ours) = (path + "/elsewhere.json", path + "/save.json")
                guard MountNamespace.mount(theirs, ours, nil, MountNamespace.bind) else {
                    Issue.record("no bind mount")
                    return
                }
                let files = DiskFiles(home: path + "/home")
                let fault = #expect(throws: StorageFault.self) {
                    try files.stage([1], as: ".hearth-1", beside: path + "/save.json")
                }
                #expect(fault?.reason == .shared, "\(fault?.message ?? "")")
            }
            #expect(Disk.names(in: path) == ["elsewhere.json", "save.json"])
        }
    }
#endif
