/// Finds out which steps of a failing history matter (delta debugging, Zeller and Hildebrandt, 2002): drops halves,
/// then smaller parts, at last single steps, as long as what is left still fails.
///
/// The result fails, and no single step can go from it unless `tries` ran out. O(steps²) runs at worst.
func shrunk<Step>(_ steps: [Step], tries: Int = 2_000, fails: ([Step]) -> Bool) -> [Step] {
    var left = steps
    var tries = tries
    var size = max(1, left.count / 2)
    while true {
        var dropped = false
        var start = 0
        while start < left.count, tries > 0 {
            tries -= 1
            var fewer = left
            fewer.removeSubrange(start..<min(left.count, start + size))
            if fails(fewer) {
                left = fewer
                dropped = true
            } else {
                start += size
            }
        }
        if size == 1, !dropped || tries == 0 { return left }
        size = max(1, size / 2)
    }
}
