#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Libc
    import LocalFiles
    import Testing

    @testable import AgentRuntime

    @Suite struct UnusedPagesTests {
        /// Kilobytes of files in this process's memory.
        private var filePages: Int {
            let lines = ProcessFiles.read("status", of: getpid()).split(separator: UInt8(ascii: "\n"))
            let line = lines.first { $0.starts(with: "RssFile:".utf8) } ?? []
            return Int(String(decoding: line.filter { (0x30...0x39).contains($0) }, as: UTF8.self)) ?? 0
        }

        @Test func codeThatIsLetGoIsThereWhenItIsUsedAgain() {
            let word = { (1...1_000).map { "\($0 * $0)" }.sorted().joined(separator: ",") }
            let before = word()
            for _ in 0..<20 { UnusedPages.letGo() }
            #expect(word() == before)
        }

        @Test func lessOfTheFilesIsInMemoryAfterwards() {
            // Other tests bring pages back at any moment, so it is tried many times, and little is asked for.
            let isLess = (0..<100).contains { _ in
                let before = filePages
                UnusedPages.letGo()
                return filePages < before - 1_024
            }
            #expect(isLess)
        }

        /// What the linker did with the constants is asked of another program as well.
        @Test func constantsAmongVariablesAreFoundAndBecomeReadOnly() throws {
            let listed = try Self.sections().first { $0.first == ".rodata" }
            let found = ConstantsSection.find(in: "/proc/self/exe")
            guard let listed, listed[6].contains("W") else {
                #expect(found == nil)
                return
            }
            let (start, size) = (try #require(UInt(listed[2], radix: 16)), try #require(UInt(listed[4], radix: 16)))
            #expect(found == start..<start + size)
            let range = try #require(ConstantsSection.readOnly)
            #expect(range.lowerBound >= UnusedPages.programBase + start && range.count > 4_096)
            // The constants of this very test, before and after.
            let words = (0..<200).map { "\(Word.allCases[$0 % Word.allCases.count]) of \($0)" }
            for _ in 0..<20 { UnusedPages.letGo() }
            #expect(words == (0..<200).map { "\(Word.allCases[$0 % Word.allCases.count]) of \($0)" })
        }

        private enum Word: CaseIterable { case hearth, house, ember }

        @Test func whatIsNoProgramHasNoConstants() {
            let folder = Folder()
            for text in ["", "\u{7f}ELF", String(repeating: "\u{7f}ELF\u{2}\u{1}", count: 30)] {
                #expect(ConstantsSection.find(in: folder.write(text, "program")) == nil)
            }
            #expect(ConstantsSection.find(in: "/nonexistent") == nil)
        }

        /// The sections of this program as readelf lists them: name, type, address, offset, size, size of an entry, flags.
        private static func sections() throws -> [[String]] {
            let outcome = try Command.run(
                ["--sections", "--wide", "/proc/\(getpid())/exe"], in: Folder(), program: ("/usr/bin/readelf", []))
            return outcome.output.split(separator: "\n").map { line in
                let words = line.split(separator: "]", maxSplits: 1).last ?? ""
                return words.split(separator: " ").map(String.init)
            }
        }
    }
#endif
