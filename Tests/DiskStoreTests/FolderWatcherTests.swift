import DiskStore
import Glibc
import Logging
import ProfileKeeping
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FolderWatcherTests {
    /// What a watcher reported.
    final class Heard: Sendable {
        struct Report: Hashable {
            var path: String
            var event: String
        }

        private let reports = Mutex<[Report]>([])

        func add(_ path: String, _ event: FileDebouncer.Event) {
            reports.withLock { $0.append(Report(path: path, event: "\(event)")) }
        }

        var all: [Report] { reports.withLock { $0 } }

        func clear() { reports.withLock { $0 = [] } }

        func has(_ path: String, _ event: String) -> Bool { all.contains(Report(path: path, event: event)) }

        /// Waits until it was heard; false where it is not heard in time.
        func waits(for path: String, _ event: String) async throws -> Bool {
            await eventually { has(path, event) }
        }
    }

    let folder = TemporaryFolder()
    let heard = Heard()
    let watcher: FolderWatcher

    init() throws {
        let heard = heard
        watcher = try FolderWatcher(logger: Logger(label: "test")) { heard.add($0, $1) }
    }

    @Test func aRenameIsComplete() async throws {
        let path = folder["save.json"]
        watcher.watch([path])
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        #expect(!heard.has(path, "written"))
    }

    @Test func writingInPlaceIsNot() async throws {
        let path = folder["save.json"]
        Disk.write("old", path)
        watcher.watch([path])
        Disk.write("new", path)
        #expect(try await heard.waits(for: path, "written"))
        unlink(path)
        heard.clear()
        Disk.write("newer", path)
        #expect(try await heard.waits(for: path, "written"))
        #expect(!heard.has(path, "replaced"))
    }

    @Test func deletingIsHeard() async throws {
        let path = folder["save.json"]
        Disk.write("old", path)
        watcher.watch([path])
        unlink(path)
        #expect(try await heard.waits(for: path, "written"))
    }

    @Test func severalFilesShareAFolder() async throws {
        let paths = (0..<5).map { folder["\($0).json"] }
        watcher.watch(Set(paths))
        Disk.replace(paths[3], with: [1])
        #expect(try await heard.waits(for: paths[3], "replaced"))
        #expect(Set(heard.all.map(\.path)) == [paths[3]])
        watcher.watch([], without: Set(paths).subtracting([paths[1]]))
        heard.clear()
        Disk.replace(paths[3], with: [1])
        Disk.replace(paths[1], with: [1])
        #expect(try await heard.waits(for: paths[1], "replaced"))
        #expect(Set(heard.all.map(\.path)) == [paths[1]])
    }

    @Test func ourOwnTemporariesAreQuiet() async throws {
        let path = folder["save.json"]
        watcher.watch([path, folder[".hearth-1"]])
        Disk.write("x", folder[".hearth-1"])
        Disk.write("x", folder["other.json"])
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        #expect(Set(heard.all.map(\.path)) == [path])
    }

    @Test func aBurstIsHeardBriefly() async throws {
        let path = folder["save.json"]
        Disk.write("x", path)
        watcher.watch([path])
        let file = open(path, O_WRONLY | O_CLOEXEC)
        for number in 0..<20_000 {
            var byte = UInt8(truncatingIfNeeded: number)
            pwrite(file, &byte, 1, off_t(number))
        }
        close(file)
        #expect(try await heard.waits(for: path, "written"))
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        #expect(heard.all.count < 10_000, "\(heard.all.count)")
    }

    @Test func anOverflowMakesAllUnsure() async throws {
        let limit = Int(Disk.text("/proc/sys/fs/inotify/max_queued_events").dropLast()) ?? 16_384
        try #require(limit < 200_000)
        let paths = (0..<2).map { folder["\($0).json"] }
        for path in paths { Disk.write("x", path) }
        let heard = heard
        let holding = Mutex(true)
        let slow = try FolderWatcher(logger: Logger(label: "test")) { path, event in
            while holding.withLock({ $0 }) { usleep(1_000) }
            heard.add(path, event)
        }
        slow.watch(Set(paths))
        let files = paths.map { open($0, O_WRONLY | O_CLOEXEC) }
        var byte: UInt8 = 1
        // Two in turn, since the kernel itself merges equal neighbours.
        for number in 0..<(limit + 4_000) { pwrite(files[number % 2], &byte, 1, 0) }
        for file in files { close(file) }
        holding.withLock { $0 = false }
        for path in paths { #expect(try await heard.waits(for: path, "unsure")) }
        slow.stop()
    }

    @Test func aReplacedFolderIsFoundAgain() async throws {
        let path = folder["saves/save.json"]
        mkdir(folder["saves"], 0o755)
        Disk.write("x", path)
        watcher.watch([path])
        rename(folder["saves"], folder["old"])
        #expect(try await heard.waits(for: path, "unsure"))
        heard.clear()
        mkdir(folder["new"], 0o755)
        Disk.write("y", folder["new/save.json"])
        rename(folder["new"], folder["saves"])
        #expect(try await heard.waits(for: path, "unsure"))
        heard.clear()
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        heard.clear()
        Disk.replace(folder["old/save.json"], with: [1])
        Disk.remove(folder["saves"])
        #expect(try await heard.waits(for: path, "unsure"))
        #expect(!heard.has(path, "replaced"))
    }

    @Test func aFolderThatIsMissingAtFirstIsFound() async throws {
        let path = folder["later/save.json"]
        watcher.watch([path])
        mkdir(folder["later"], 0o755)
        #expect(try await heard.waits(for: path, "unsure"))
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
    }

    @Test func aFolderExchangedHigherUpIsFoundByRefresh() async throws {
        let path = folder["a/saves/save.json"]
        for name in ["a", "a/saves", "b", "b/saves"] { mkdir(folder[name], 0o755) }
        watcher.watch([path])
        rename(folder["a"], folder["c"])
        rename(folder["b"], folder["a"])
        watcher.refresh()
        #expect(heard.has(path, "unsure"))
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
    }

    @Test func bothEndsOfALinkAreWatched() async throws {
        for name in ["here", "there", "elsewhere"] { mkdir(folder[name], 0o755) }
        let path = folder["here/save.json"]
        Disk.write("x", folder["there/real.json"])
        symlink("../there/real.json", path)
        watcher.watch([path])
        Disk.replace(folder["there/real.json"], with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        heard.clear()
        // The link is pointed elsewhere.
        Disk.write("x", folder["elsewhere/real.json"])
        symlink("../elsewhere/real.json", folder["here/link"])
        rename(folder["here/link"], path)
        #expect(try await heard.waits(for: path, "unsure"))
        heard.clear()
        Disk.replace(folder["elsewhere/real.json"], with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
    }

    @Test func stoppingIsFinal() async throws {
        let path = folder["save.json"]
        watcher.watch([path])
        watcher.stop()
        watcher.stop()
        Disk.replace(path, with: [1])
        watcher.watch([path])
        try await Task.sleep(for: .milliseconds(50))
        #expect(heard.all == [])
    }
}
