/// What a guess reveals about one of its letters.
enum LetterMark: Int, Comparable, Sendable {
    /// The answer does not contain the letter, or not so often.
    case absent
    /// The answer contains it in another place.
    case wrongPlace
    case rightPlace

    static func < (a: LetterMark, b: LetterMark) -> Bool { a.rawValue < b.rawValue }

    /// One mark for each letter. A letter that the answer contains once is marked once: in its right place if it is
    /// there, else where it comes first in the guess.
    static func marks(of guess: String, for answer: String) -> [LetterMark] {
        var marks = zip(guess, answer).map { $0 == $1 ? LetterMark.rightPlace : .absent }
        var left: [Character: Int] = [:]
        for (mark, letter) in zip(marks, answer) where mark == .absent { left[letter, default: 0] += 1 }
        for (place, letter) in guess.enumerated().prefix(marks.count) where marks[place] == .absent {
            guard let count = left[letter], count > 0 else { continue }
            left[letter] = count - 1
            marks[place] = .wrongPlace
        }
        return marks
    }
}
