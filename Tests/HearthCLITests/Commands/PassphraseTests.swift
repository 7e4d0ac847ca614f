import Libc
import Testing

@testable import HearthCLI

/// A passphrase that is typed at a pseudo-terminal; the test plays the person.
@Suite struct PassphraseTests {
    private struct Terminal: ~Copyable {
        let person: Int32
        let program: Int32

        init() throws {
            var (person, program) = (Int32(-1), Int32(-1))
            try #require(openpty(&person, &program, nil, nil, nil) == 0)
            (self.person, self.program) = (person, program)
        }

        deinit {
            close(person)
            close(program)
        }

        var echoes: Bool {
            var state = termios()
            tcgetattr(program, &state)
            return state.c_lflag & tcflag_t(ECHO) != 0 && state.c_lflag & tcflag_t(ICANON) != 0
        }

        /// Types a text as soon as echo is off. Returns the passphrase, and everything that the terminal showed.
        func typing(_ text: String) throws -> (typed: Result<[UInt8], any Error>, shown: [UInt8]) {
            let person = person
            let program = program
            let thread = Typist(text, person: person, program: program)
            thread.start()
            let typed = Result { try Passphrase.typed("", on: program) }
            thread.join()
            _ = fcntl(person, F_SETFL, O_NONBLOCK)
            var shown = [UInt8](repeating: 0, count: 256)
            let count = read(person, &shown, shown.count)
            return (typed, Array(shown.prefix(max(0, count))))
        }
    }

    /// Waits until the program has switched echo off, then types.
    private final class Typist {
        private let text: [UInt8]
        private let person: Int32
        private let program: Int32
        #if canImport(Darwin)
            private var thread: pthread_t?
        #else
            private var thread = pthread_t()
        #endif

        init(_ text: String, person: Int32, program: Int32) {
            (self.text, self.person, self.program) = (Array(text.utf8), person, program)
        }

        func start() {
            let context = Unmanaged.passRetained(self).toOpaque()
            pthread_create(
                &thread, nil,
                { context in
                    #if canImport(Darwin)
                        Unmanaged<Typist>.fromOpaque(context).takeRetainedValue().type()
                    #else
                        Unmanaged<Typist>.fromOpaque(context!).takeRetainedValue().type()
                    #endif
                    return nil
                }, context)
        }

        func join() {
            #if canImport(Darwin)
                pthread_join(thread!, nil)
            #else
                pthread_join(thread, nil)
            #endif
        }

        private func type() {
            // For a minute, which only a fault takes.
            for _ in 0..<60_000 {
                var state = termios()
                tcgetattr(program, &state)
                if state.c_lflag & tcflag_t(ECHO) == 0 { break }
                usleep(1_000)
            }
            _ = write(person, text, text.count)
        }
    }

    @Test(arguments: [
        ("secret\n", "secret"), ("secret\r", "secret"), ("secrett\u{7F}\n", "secret"), ("x\u{15}secret\n", "secret"),
        ("secrä\u{7F}et\u{8}et\n", "secreet"), ("\u{7F}\u{7F}a\n", "a"), ("pass word \n", "pass word "),
        ("a\u{4}", "a"),
    ]) func whatIsTypedIsReadAndNotShown(_ keys: String, _ passphrase: String) throws {
        let terminal = try Terminal()
        let before = terminal.echoes
        let (typed, shown) = try terminal.typing(keys)
        #expect(try String(decoding: typed.get(), as: UTF8.self) == passphrase)
        #expect(!shown.contains { $0 > 32 }, "\(shown)")
        let after = terminal.echoes
        #expect(before && after)
    }

    @Test func controlCEndsItAndTheTerminalIsWhatItWas() throws {
        let terminal = try Terminal()
        let (typed, _) = try terminal.typing("sec\u{3}")
        #expect(throws: CancellationError.self) { try typed.get() }
        let after = terminal.echoes
        #expect(after)
    }
}
