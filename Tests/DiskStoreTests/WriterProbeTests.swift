import Glibc
import LocalFiles
import Logging
import MergeCore
import ProfileKeeping
import Synchronization
import TestSupport
import Testing

@testable import DiskStore

/// Who writes a watched file, with real processes.
@Suite(.timeLimit(.minutes(5))) struct WriterProbeTests {
    /// What a probe told.
    final class Told: Sendable {
        private let list = Mutex<[(path: String, process: SeenProcess)]>([])

        func add(_ path: String, _ process: SeenProcess) { list.withLock { $0.append((path, process)) } }

        var all: [(path: String, process: SeenProcess)] { list.withLock { $0 } }
    }

    private let folder = TemporaryFolder()
    /// Not watched.
    private let elsewhere = TemporaryFolder()
    private let told = Told()
    private let heard = FolderWatcherTests.Heard()
    private let path: String
    private let watcher: FolderWatcher

    init() throws {
        path = folder["save.json"]
        Disk.write("one", path)
        let (told, heard) = (told, heard)
        let probe = WriterProbe(look: UserProcesses.writers) { told.add($0, $1) }
        watcher = try FolderWatcher(logger: Logger(label: "test"), probe: probe) { heard.add($0, $1) }
        watcher.watch([path])
    }

    /// A file that is written slowly is caught once in a while, and so is who writes it.
    @Test(arguments: [
        "exec 3>'F.tmp'; printf two >&3; sleep 0.3; printf three >&3; exec 3>&-; mv 'F.tmp' 'F'",
        "exec 3>'F'; printf two >&3; sleep 0.3; printf three >&3; exec 3>&-",
    ]) func whoWritesIsFound(command: String) async throws {
        let save = command.split(separator: "F", omittingEmptySubsequences: false).joined(separator: path)
        let script = elsewhere["game.sh"]
        Disk.write("while :; do \(save); sleep 0.1; done", script)
        let began = MonotonicTime.now
        let child = try ChildProcess.shell("exec /bin/sh '\(script)'")
        defer { child.kill() }
        let found = try await poll { told.all.first }
        #expect(found?.path == path)
        #expect(found?.process.id == child.id)
        #expect(found?.process.program?.script == script)
        #expect(found?.process.program?.name == "game.sh")
        let now = MonotonicTime.now
        #expect((began - .seconds(2)...now + .seconds(2)).contains(found?.process.start ?? 0))
    }

    /// Who has it open for reading is no writer, nor is who writes something else.
    @Test func whoReadsIsNoWriter() async throws {
        let wait = "mkfifo '\(path).pipe'; touch '\(path).ready'; read x < '\(path).pipe'"
        let child = try ChildProcess.shell("exec 3<'\(path)'; exec 4>>'\(path).log'; echo >&4; \(wait)")
        defer { child.kill() }
        #expect(await eventually { access(path + ".ready", F_OK) == 0 })
        Disk.replace(path, with: [1])
        #expect(try await heard.waits(for: path, "replaced"))
        #expect(told.all.isEmpty)
        let found = UserProcesses.writers(in: [folder.path])
        #expect(found.map(\.name) == ["save.json.log"])
        #expect(found.map(\.process.id) == [child.id])
    }

    /// Programs of running processes are found again, by executable and script.
    @Test func programsAreFoundAgain() async throws {
        let script = elsewhere["another game.sh"]
        // It waits without a child: one that is split off runs the same script for a moment.
        Disk.write("mkfifo '\(path).pipe'; touch '\(path).up'; read x < '\(path).pipe'", script)
        let child = try ChildProcess.shell("exec /bin/sh '\(script)'")
        #expect(await eventually { access(path + ".up", F_OK) == 0 })
        let program = try #require(UserProcesses.seen(child.id)?.program)
        #expect(program.script == script)
        let other = try #require(Program(executable: program.executable, script: elsewhere["none.sh"]))
        let processes = OldestProcesses()
        let starts = processes.starts(of: [program, other])
        #expect(starts[program] != nil)
        #expect(starts[program] == UserProcesses.start(child.id))
        // The start is read from two clocks, and still is the same at every look.
        #expect(Set((0..<1_000).map { _ in UserProcesses.start(child.id) }).count == 1)
        #expect(starts[other] == nil)
        child.kill()
        #expect(processes.starts(of: [program]).isEmpty)
    }

    @Test func interpretersAreSeenThrough() {
        func script(_ executable: String, _ words: String...) -> String? {
            UserProcesses.program(executable: executable, words: words, folder: "/here")?.script
        }
        #expect(script("/usr/bin/python3.12", "python3", "-X", "dev", "-O", "game.py", "--fast") == "/here/game.py")
        #expect(script("/usr/bin/python3.12", "python3", "-m", "game") == "/here/game")
        #expect(script("/usr/lib/jvm/bin/java", "java", "-Xmx1G", "-cp", "a.jar:b.jar", "org.Game") == "/here/org.Game")
        #expect(script("/usr/lib/jvm/bin/java", "java", "-jar", "/opt/g.jar") == "/opt/g.jar")
        #expect(script("/usr/bin/wine64-preloader", "C:\\games\\rpg.exe", "-w") == "C:\\games\\rpg.exe")
        #expect(script("/usr/bin/wine64-preloader", "wine64", "/g/Rpg.EXE") == "/g/Rpg.EXE")
        #expect(script("/usr/bin/mono-sgen", "mono", "/g/rpg.exe") == "/g/rpg.exe")
        // What runs a word of its command line, or nothing at all, has no name.
        #expect(UserProcesses.program(executable: "/bin/bash", words: ["bash", "-c", "x"], folder: "/") == nil)
        #expect(UserProcesses.program(executable: "/bin/bash", words: ["-bash"], folder: "/") == nil)
        #expect(UserProcesses.program(executable: "/opt/rpg", words: ["rpg", "a"], folder: "/")?.script == nil)
    }

    /// What counts as a program's name in `config.yaml`: what runs, and no other word of a command line.
    @Test func namesOfWhatRuns() {
        func names(_ executable: String?, _ words: String...) -> Set<String> {
            UserProcesses.names(executable: executable, words: words)
        }
        #expect(names("/opt/rpg", "./game", "x") == ["rpg", "game"])
        #expect(names("/usr/bin/tail", "tail", "-f", "/tmp/rpg") == ["tail"])
        #expect(names("/usr/bin/grep", "grep", "-r", "x", "rpg") == ["grep"])
        #expect(names("/bin/busybox", "tail", "-f", "rpg") == ["busybox", "tail"])
        #expect(names("/bin/busybox", "sh", "/g/rpg") == ["busybox", "sh", "rpg"])
        #expect(names("/usr/bin/python3.12", "python3", "-u", "/g/rpg", "x") == ["python3.12", "python3", "rpg", "x"])
        #expect(names("/usr/bin/python3.12", "python3", "-c", "code", "rpg") == ["python3.12", "python3"])
        #expect(
            names("/usr/lib/jvm/bin/java", "java", "-Xmx1G", "-Da=b", "-cp", "a", "-jar", "rpg.jar") == [
                "java", "rpg.jar",
            ])
        // Which argument an option of another interpreter takes is not known.
        #expect(names("/usr/bin/ruby", "ruby", "-I", "lib", "rpg.rb").contains("rpg.rb"))
        #expect(names("/usr/bin/wine64-preloader", "C:\\games\\rpg.exe", "-w") == ["wine64-preloader", "rpg.exe"])
        #expect(names("/usr/bin/dotnet", "dotnet", "rpg.dll") == ["dotnet", "rpg.dll"])
        #expect(names(nil, "sh", "rpg.sh") == ["sh", "rpg.sh"])
        #expect(names(nil) == [])
    }

    /// Who reads a file with the name of a game, or looks for that name, is not the game.
    @Test func whoReadsTheGameIsNotTheGame() async throws {
        let game = elsewhere["rpg"]
        Disk.write("mkfifo '\(path).pipe'; touch '\(path).up'; read x < '\(path).pipe'", game)
        let children = try [
            ChildProcess.shell("exec /bin/sh '\(game)'"), ChildProcess.shell("exec tail -f '\(game)'"),
            ChildProcess.shell("exec grep x /dev/stdin rpg < /dev/zero"),
        ]
        defer { for child in children { child.kill() } }
        func names(_ child: ChildProcess) -> Set<String> {
            let words = UserProcesses.words(child.id, limit: UserProcesses.wordLimit)
            return UserProcesses.names(executable: UserProcesses.executable(child.id), words: words)
        }
        #expect(await eventually { access(path + ".up", F_OK) == 0 })
        #expect(await eventually { names(children[1]).contains("tail") && names(children[2]).contains("grep") })
        #expect(children.map { names($0).contains("rpg") } == [true, false, false])
    }

    /// A save that comes while a look is being done waits for nothing, and its writer is told after the look.
    @Test func nothingWaitsForALook() throws {
        let process = SeenProcess(id: 1, start: 0, program: nil)
        let looks = Mutex<[@Sendable () -> Void]>([])
        let told = Told()
        let probe = WriterProbe(
            look: { _ in [WrittenFile(folder: "/f", name: "tmp", process: process)] }, clock: { 0 },
            start: { look in
                looks.withLock { $0.append(look) }
                return true
            }
        ) { told.add($0, $1) }
        probe.received([.stirred(folder: "/f")])
        probe.received([.from(folder: "/f", name: "tmp", cookie: 7), .to(paths: ["/f/save"], cookie: 7)])
        #expect(told.all.isEmpty)
        let look = try #require(looks.withLock { $0.first })
        look()
        #expect(told.all.map(\.path) == ["/f/save"])
        #expect(looks.withLock { $0.count } == 1)
    }

    // MARK: What it costs

    /// Does a look at once.
    private let atOnce: @Sendable (@Sendable () -> Void) -> Bool = { look in
        look()
        return true
    }

    /// In a folder in which something is written all the time, looks take up a fiftieth of it.
    @Test func looksAreRare() {
        let time = Mutex<Int64>(0)
        let looks = Mutex(0)
        let probe = WriterProbe(
            look: { _ in
                time.withLock { $0 += 5_000 }  // 5 ms
                looks.withLock { $0 += 1 }
                return []
            },
            clock: { time.withLock { $0 } }, start: atOnce
        ) { _, _ in }
        for _ in 0..<10_000 {
            time.withLock { $0 += 1_000 }
            probe.received([.stirred(folder: "/f"), .stirred(folder: "/g")])
        }
        let (end, count) = (time.withLock { $0 }, looks.withLock { $0 })
        #expect(Int64(count) * 5_000 * 50 <= end + 5_000 * 50, "\(count) looks in \(end) µs")
        #expect(count > 10)
    }

    /// What one look costs is printed; judged is only that it looks at every process of ours at most once.
    @Test func aLookIsCheap() {
        _ = UserProcesses.writers(in: [folder.path])
        let (clock, count) = (ContinuousClock(), 50)
        let taken = clock.measure { for _ in 0..<count { #expect(UserProcesses.writers(in: [folder.path]).isEmpty) } }
        let (processes, files) = ProcessFiles.ids().reduce(into: (0, 0)) { sum, id in
            sum.0 += 1
            sum.1 += Disk.names(in: "/proc/\(id)/fd").count
        }
        print("a look at \(processes) processes with \(files) open files takes \(taken / count)")
    }

    /// Writers that are never heard of again are forgotten.
    @Test func whatIsRememberedIsBounded() {
        let time = Mutex<Int64>(0)
        let process = SeenProcess(id: 1, start: 0, program: nil)
        let told = Told()
        let probe = WriterProbe(
            look: { _ in [WrittenFile(folder: "/f", name: "tmp", process: process)] }, clock: { time.withLock { $0 } },
            start: atOnce
        ) { told.add($0, $1) }
        probe.received([.stirred(folder: "/f")])
        time.withLock { $0 += WriterProbe.memory * 1_000 + 1_000_000 }
        probe.received([.from(folder: "/f", name: "tmp", cookie: 7), .to(paths: ["/f/save"], cookie: 7)])
        #expect(told.all.isEmpty)
        probe.received([.stirred(folder: "/f")])
        probe.received([.from(folder: "/f", name: "tmp", cookie: 8), .to(paths: ["/f/save"], cookie: 9)])
        #expect(told.all.isEmpty, "another renaming")
        probe.received([.to(paths: ["/f/save"], cookie: 8)])
        #expect(told.all.map(\.path) == ["/f/save"])
    }
}
