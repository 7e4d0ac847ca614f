import CLibFuzzer

/// Hands a program over to libFuzzer, with what an input must not do.
///
/// The build system names the program's `main` itself, so libFuzzer's own cannot be used: its driver is called instead.
public enum Fuzzing {
    nonisolated(unsafe) private static var fault: ([UInt8]) -> String? = { _ in nil }

    /// Runs until libFuzzer's options say stop.
    ///
    /// - Parameter fault: One sentence on what does not hold for an input, or nil; a sentence ends the run.
    public static func run(_ fault: @escaping ([UInt8]) -> String?) {
        self.fault = fault
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            if let sentence = Fuzzing.fault(Array(UnsafeBufferPointer(start: start, count: count))) {
                fatalError(sentence)
            }
            return 0
        }
    }

    /// See ``ParserOracle``.
    public static func parser(_ bytes: [UInt8]) -> String? { ParserOracle.fault(bytes) }

    /// See ``PatcherOracle``.
    public static func patcher(_ bytes: [UInt8]) -> String? { PatcherOracle.fault(bytes) }
}
