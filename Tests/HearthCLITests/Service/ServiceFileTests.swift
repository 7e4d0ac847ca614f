import TestSupport
import Testing

@testable import HearthCLI

/// The files by which a system runs the agent, and the log that it reads.
struct ServiceFileTests {
    private static func packaged(_ name: String) -> String { Disk.text("\(ExampleFiles.root)/Packaging/\(name)") }

    @Test func unitIsThatOfThePackage() {
        let unit = SystemdUnit.text(ServiceProgram(path: "/usr/bin/hearth", arguments: ["agent"]))
        #expect(unit == Self.packaged("systemd/hearth.service"))
    }

    @Test func launchAgentIsThatOfThePackage() {
        let program = ServiceProgram(path: "/usr/local/bin/hearth", arguments: ["agent"])
        let text = LaunchAgentFile.text(program, log: "/Users/player/Library/Logs/Hearth.log")
        #expect(text == Self.packaged("launchd/hearth.agent.plist"))
    }

    /// Words of a command line as systemd.service(5) has them.
    @Test(arguments: [
        ("/usr/bin/hearth", "/usr/bin/hearth"), ("--peer", "--peer"), ("[fe80::1%eth0]:7", #""[fe80::1%%eth0]:7""#),
        ("/home/a b/hearth", #""/home/a b/hearth""#), (#"say "hi"\"#, #""say \"hi\"\\""#), ("$HOME", #""$$HOME""#),
        ("100%", "100%%"), ("a\nb", #""a\nb""#), ("", #""""#), ("naïve", #""naïve""#), ("a;b", #""a;b""#),
    ]) func words(_ word: String, _ written: String) {
        #expect(SystemdUnit.word(word) == written)
    }

    /// The path of the program is not looked through for variables.
    @Test func programWithADollar() {
        #expect(SystemdUnit.word("/opt/$x/hearth", isProgram: true) == #""/opt/$x/hearth""#)
    }

    @Test func wordsOfAPropertyList() {
        let text = LaunchAgentFile.text(ServiceProgram(path: "/a&b/<c>", arguments: []), log: "/l")
        #expect(text.contains("<string>/a&amp;b/&lt;c&gt;</string>"))
    }

    /// A log is for the journal only where systemd says that it opened that very file.
    @Test(arguments: [nil, "", "8:999999999"]) func aLogThatIsNotTheJournal(_ stream: String?) {
        #expect(!JournalLog.isRead(stream))
    }
}
