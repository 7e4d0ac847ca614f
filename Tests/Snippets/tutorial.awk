# Reads a tutorial as its reader does: for each step the file that it shows, then its sentences, one a line. The parts of a
# line stand between tabs: "step NUMBER", "code NAME FILE", "says SENTENCE".
/^ *@Step \{$/ { inside = 1; text = code = ""; print "step\t" ++number; next }
!inside { next }
/^ *@Code\(/ {
    split($0, part, "\"")
    code = code "code\t" part[2] "\t" part[4] "\n"
    next
}
/^ *\}$/ {
    inside = 0
    printf "%s", code
    sub(/\.$/, "", text)
    count = split(text, sentence, /\. /)
    for (i = 1; i <= count; i++) print "says\t" sentence[i]
    next
}
{ sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
