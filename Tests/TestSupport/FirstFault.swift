/// The first case that fails, with what is wrong in it; `nil` where none does. A test over many seeds expects `nil`, so
/// that a case that ends early without a word cannot pass for a good one.
///
/// - Parameters:
///   - seeds: The seeds to try, in order. After the first fault no more are tried.
///   - judge: Plays the case of a seed. Returns what is wrong, or `nil`.
package func firstFault(in seeds: some Sequence<Int>, _ judge: (Int) throws -> String?) rethrows -> String? {
    for seed in seeds {
        if let fault = try judge(seed) { return "seed \(seed): \(fault)" }
    }
    return nil
}
