/// A fault that the parser found: the reason and the byte offset. It is as small as possible; the ``JSONSyntaxError``
/// with line, column and sentence is made from it once.
struct ParseFault: Error {
    enum Reason {
        case empty
        case tooLong
        case tooDeep
        case expectedValue
        case expectedKey
        case expectedColon
        case expectedCommaOrEnd(isObject: Bool)
        case trailingComma(isObject: Bool)
        case textAfterEnd
        case endsInside(isObject: Bool, start: Int)
        case unclosedString(start: Int)
        case controlCharacter
        case invalidUTF8
        case badEscape
        case badUnicodeEscape
        case leadingZero
        case leadingPoint
        case missingDigits
        case missingFraction
        case missingExponent
        case duplicateKey(first: Int)
    }

    var reason: Reason
    var offset: Int
}
