import LosslessJSON

/// A document holds an atom's value below the containers of its path. Together they must not nest deeper than a parser
/// reads: a save that holds more can be written, but no device and no game could read it again.
extension AtomContent {
    /// Whether the path and the value together stay within the depth of a document (``DocumentPath/stepLimit``).
    /// O(path + value).
    func isWithinDepth(at path: DocumentPath) -> Bool {
        let (value, containers): (JSONValue?, Int) =
            switch self {
            case .register(_, let value), .candidate(_, let value, _): (value, 0)
            case .extremum(let value): (value, 0)
            // The element of a set is inside an array.
            case .member(let value), .membership(_, let value): (value, 1)
            default: (nil, 0)
            }
        guard let value else { return true }
        switch value {
        case .array, .object: break
        default: return true
        }
        return value.isNested(atMost: DocumentPath.stepLimit - containers - path.version.place.stepCount)
    }
}

extension DocumentPath {
    /// The number of steps, without reading them. O(length).
    fileprivate var stepCount: Int {
        isReserved ? 0 : encoded.count { $0 == UInt8(ascii: "/") }
    }
}

extension JSONValue {
    /// Whether at most `depth` containers lie around any value. Never looks deeper than that.
    func isNested(atMost depth: Int) -> Bool {
        switch self {
        case .array(let elements): depth > 0 && elements.allSatisfy { $0.isNested(atMost: depth - 1) }
        case .object(let members): depth > 0 && members.allSatisfy { $0.value.isNested(atMost: depth - 1) }
        default: true
        }
    }
}
