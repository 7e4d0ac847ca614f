#if os(Linux) && (arch(x86_64) || arch(arm64))
    import AgentRuntime
    import Libc
    import LocalFiles
    import Testing

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
    }
#endif
