/// The empty indexes with which the arrays by position of one document may still be filled, so that each element is at its
/// index.
///
/// Where one device cuts an array that another one edits, there are as many gaps as elements were cut. Those are known,
/// each by a write of its own, and may all be filled. Games leave no other gaps, but a device that lies can name an index
/// far behind everything: without a limit it could ask for any amount of memory with a few bytes. Elements behind gaps that
/// are too large are known and not shown.
struct Vacancies {
    /// The number of indexes at which nothing was ever written, up to which the arrays of a document are filled.
    static let limit = 10_000

    private var left = limit

    /// Takes the indexes before an element out of what is left; false, and nothing taken, where there are too many. Those
    /// before every later element of the array are too many as well then, and need not be counted.
    ///
    /// - Parameters:
    ///   - gap: The indexes between the elements that are there and the next one.
    ///   - view: The array.
    /// - Complexity: O(gap), and no more than O(``limit`` + elements of the array).
    mutating func take(_ gap: Range<Int>, in view: ViewNode) -> Bool {
        guard gap.count <= left + view.children.count else { return false }
        var rest = left
        for index in gap where view.children[.index(index)] == nil {
            guard rest > 0 else { return false }
            rest -= 1
        }
        left = rest
        return true
    }
}
