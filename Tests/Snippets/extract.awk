# Cuts the Swift examples out of doc comments and articles and makes an enum of each: types as they are, fields (lines
# that begin with @ or static) in a profile of their own, all else in a function. Every line keeps the place it stands at.
# The variable `given` holds the parameters of that function: what the examples have at hand, beside a `player`.
function add(kind, line) {
    # Not in the middle of an expression, where it would not be allowed.
    if (kind != last) part[kind] = part[kind] "#sourceLocation(file: \"" FILENAME "\", line: " FNR ")\n"
    part[kind] = part[kind] line "\n"
    last = kind
}
function finish() {
    print "enum Example" number " {"
    print part["type"]
    if (part["field"] != "") print "struct Fields: Profile {\n" part["field"] "}"
    print "func run(" given ", player: inout " (part["field"] != "" ? "Fields" : "Player") ") async throws {"
    print part["body"] "}\n#sourceLocation()\n}"
    split("", part)
    last = ""
}
/^ *(\/\/\/ )?```swift *$/ { inside = 1; within = ""; number++; next }
/^ *(\/\/\/ ?)?``` *$/ { if (inside) finish(); inside = 0; next }
!inside { next }
{ line = $0; sub(/^ *\/\/\/ ?/, "", line) }
line ~ /^import / { next }
within != "" { add(within, line); if (line ~ /^[\]})]/) within = ""; next }
line ~ /^(struct|enum|final class) / { add("type", line); if (line ~ /\{$/) within = "type"; next }
line ~ /^(@[A-Z]|static )/ { add("field", line); if (line ~ /[\[({]$/) within = "field"; next }
{ add("body", line) }
