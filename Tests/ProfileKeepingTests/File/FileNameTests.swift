import ProfileKeeping
import Testing

/// Names of files that come from other devices: only a plain one right in a folder is taken.
@Suite struct FileNameTests {
    @Test(arguments: [
        "save.json", "Slot 1.json", "save", "ünïcödé \u{1F469}\u{200D}\u{1F680}.json", "a..b", "日本.sav", "x~",
        String(repeating: "n", count: 255),
    ]) func aPlainNameIsTaken(_ name: String) {
        #expect(FileName(name)?.text == name)
        #expect(FileName(ofPath: "/games/one/" + name)?.text == name)
    }

    @Test(arguments: [
        "", ".", "..", "/", "a/b", "/etc/passwd", "../save.json", "..\\save.json", ".bashrc", ".hearth-1f", "-rf", "~",
        "~root", " a",
        "a ", "a.", "a\u{0}b", "a\nb", "\u{1B}[2J", "a\u{7F}", "a\u{9B}b", "a\u{202E}nosj", "a\u{200B}b", "a\u{2028}b",
        "c:a", "a*",
        "a?", "a\"", "a<b", "a|b", "\u{E000}", String(repeating: "n", count: 256), String(repeating: "é", count: 128),
    ]) func anythingElseIsNone(_ name: String) {
        #expect(FileName(name) == nil)
    }

    /// A save may be called anything; what becomes of its name is a name, and stays as near to it as it can.
    @Test(arguments: [
        ("My game", "My game.json"), ("../../etc/passwd", "_.._etc_passwd.json"), ("", "other.json"),
        ("...", "other.json"),
        ("-\u{1B}[2J", "_[2J.json"),
        (".hidden", "hidden.json"), ("a/b", "a_b.json"), ("/", "_.json"),
    ]) func aSavesNameBecomesAName(_ name: String, _ text: String) {
        let made = FileName(name, end: ".json", else: "other")
        #expect(made.text == text && FileName(made.text) == made)
    }

    @Test func aLongNameIsCut() {
        let made = FileName(String(repeating: "語", count: 1_000), end: ".json", else: "other")
        #expect(made.text.utf8.count <= FileName.limit && FileName(made.text) == made)
    }

    @Test func namesThatADiskMayTakeForOneAreFoldedToOne() {
        #expect(FileName("Save.JSON")?.folded == FileName("save.json")?.folded)
        #expect(FileName("caf\u{E9}")?.folded == FileName("CAFE\u{301}")?.folded)
        #expect(FileName("a.json")?.folded != FileName("b.json")?.folded)
    }
}
