import Libc
import LosslessJSON
import TestSupport
import Testing

#if os(Linux)
    /// `hearth service` under systemd. The tests have no systemd of a user: a script answers in its place, and writes down
    /// what it was asked. What the real one does with the unit, only a machine with systemd shows.
    @Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
    struct ServiceCommandTests {
        private let folder = Folder()
        private var unit: String { folder.path(".config/systemd/user/hearth.service") }

        /// Makes a systemctl that ends with a code after printing a text.
        private func systemctl(_ code: Int32 = 0, says text: String = "") {
            mkdir(folder.path("bin"), 0o700)
            folder.write(text, "answer")
            let script = "#!/bin/sh\necho \"$*\" >> \"$HOME/asked\"\ncat \"$HOME/answer\"\nexit \(code)\n"
            Disk.write(script, folder.path("bin/systemctl"), mode: 0o755)
        }

        private func service(_ words: String..., path: String? = nil) throws -> Command.Outcome {
            try Command.run(
                ["service"] + words, in: folder,
                program: (path ?? #require(BuiltProgram.hearth), ["PATH=\(folder.path("bin")):/usr/bin:/bin"]))
        }

        private var asked: [Substring] { Disk.text(folder.path("asked")).split(separator: "\n") }

        @Test(.timeLimit(.minutes(20))) func installWritesTheUnitAndStartsIt() throws {
            systemctl()
            let outcome = try service("install", "--peer", "10.0.0.7:4000", "--discovery", "off")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("wrote \(unit)"))
            let name = String(cString: try #require(getpwuid(getuid())).pointee.pw_name)
            let lingers = access("/var/lib/systemd/linger/\(name)", F_OK) == 0
            #expect(outcome.output.contains("loginctl enable-linger") != lingers)
            let hearth = try #require(BuiltProgram.hearth)
            let options = "--home \(folder.path("home")) --discovery off --peer 10.0.0.7:4000"
            let line = "ExecStart=\(hearth) agent \(options)"
            #expect(Disk.text(unit).split(separator: "\n").contains { $0 == line }, "\(Disk.text(unit))")
            #expect(
                asked == [
                    "--user daemon-reload", "--user enable --quiet hearth.service", "--user restart hearth.service",
                ])
            // Once more, with other options: the file is our own.
            #expect(try service("install").code == 0)
            #expect(!Disk.text(unit).contains("--peer"))
        }

        @Test(.timeLimit(.minutes(20))) func uninstallLeavesWhatHearthKeeps() throws {
            systemctl()
            #expect(try service("install").code == 0)
            folder.write("kept", "home-of-hearth")
            systemctl(says: "LoadState=loaded\nActiveState=active\n")
            let outcome = try service("uninstall")
            #expect(outcome.code == 0 && outcome.output.contains("removed \(unit)"), "\(outcome.errors)")
            #expect(Disk.read(unit) == nil && Disk.text(folder.path("home-of-hearth")) == "kept")
            #expect(asked.contains("--user disable --quiet --now hearth.service"))
            systemctl(says: "LoadState=not-found\nActiveState=inactive\n")
            let again = try service("uninstall")
            #expect(again.code == 0 && again.output.contains("no service"))
        }

        /// A unit that somebody wrote by hand stays, and nothing is started.
        @Test(.timeLimit(.minutes(20)), arguments: ["install", "uninstall"]) func foreignUnit(_ verb: String) throws {
            systemctl(says: "LoadState=loaded\n")
            for name in [".config", ".config/systemd", ".config/systemd/user"] { mkdir(folder.path(name), 0o700) }
            Disk.write("[Service]\nExecStart=/bin/true\n", unit)
            let outcome = try service(verb)
            #expect(outcome.code == 1 && outcome.errors.contains("was not written by"), "\(outcome.errors)")
            #expect(Disk.text(unit) == "[Service]\nExecStart=/bin/true\n")
            #expect(!asked.contains { $0.contains("restart") || $0.contains("disable") })
        }

        @Test(.timeLimit(.minutes(20))) func systemdWithoutASession() throws {
            systemctl(1, says: "Failed to connect to bus: No medium found\n")
            let outcome = try service("install")
            #expect(outcome.code == 1)
            #expect(
                outcome.errors.contains("No medium found") && outcome.errors.contains("log in"), "\(outcome.errors)")
        }

        @Test(.timeLimit(.minutes(20))) func noSystemd() throws {
            let outcome = try Command.run(
                ["service", "status"], in: folder,
                program: (#require(BuiltProgram.hearth), ["PATH=\(folder.path("nothing"))"]))
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("systemctl cannot be started"), "\(outcome.errors)")
        }

        @Test(
            .timeLimit(.minutes(20)),
            arguments: [
                ("LoadState=not-found\nActiveState=inactive\n", 4, "no service here"),
                (
                    "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\nSubState=running\nResult=success\n"
                        + "MainPID=812\nNRestarts=2\nFragmentPath=/u\n", 0, "active (running), pid 812"
                ),
                (
                    "LoadState=loaded\nUnitFileState=enabled\nActiveState=failed\nSubState=failed\nResult=watchdog\n"
                        + "MainPID=0\n", 4, "failed (failed, watchdog)"
                ),
            ] as [(String, Int32, String)]
        ) func status(_ answer: String, _ code: Int32, _ words: String) throws {
            systemctl(says: answer)
            let outcome = try service("status")
            #expect(outcome.code == code && outcome.output.contains(words), "\(outcome.output)\(outcome.errors)")
            let json = try service("status", "--json")
            let value = try JSONValue(parsing: Array(json.output.utf8))
            #expect(json.code == code && value["running"] == .bool(code == 0), "\(json.output)")
        }

        /// With a package's own unit nothing is written, so that an upgrade of the package brings a new one.
        @Test(.timeLimit(.minutes(20))) func unitOfAPackage() throws {
            systemctl()
            for name in ["usr", "usr/bin", "usr/lib", "usr/lib/systemd", "usr/lib/systemd/user"] {
                mkdir(folder.path(name), 0o700)
            }
            let hearth = try #require(BuiltProgram.hearth)
            let packaged = folder.path("usr/bin/hearth")
            if link(hearth, packaged) != 0 {
                #expect(try ChildProcess("/bin/cp", [hearth, packaged]).waitForEnd() == 0)
            }
            folder.write("[Service]\n", "usr/lib/systemd/user/hearth.service")
            // An earlier one in the home folder would win over that of the package.
            #expect(try service("install").code == 0 && Disk.read(unit) != nil)
            let outcome = try Command.run(
                ["service", "install", "--home", folder.path(".local/share/hearth")], in: folder,
                program: (packaged, ["PATH=\(folder.path("bin")):/usr/bin:/bin"]))
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("uses ") && Disk.read(unit) == nil, "\(outcome.output)")
        }
    }
#endif
