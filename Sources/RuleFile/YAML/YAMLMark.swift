import CYAML

/// A place in a YAML text.
struct YAMLMark {
    /// The line, counted from 1.
    let line: Int
    /// The column, counted from 1 in Unicode scalars.
    let column: Int
    /// How many Unicode scalars stand before it.
    let index: Int

    init(_ mark: yaml_mark_t) {
        (line, column, index) = (Int(mark.line) + 1, Int(mark.column) + 1, Int(mark.index))
    }
}
