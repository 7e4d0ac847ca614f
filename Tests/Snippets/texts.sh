# What Tests/Snippets/newcomer takes out of a text, and how long each part of the way takes.

# The block of code with a number that stands between two fences in a file, counted from a heading on, or from the top.
block() {
    local file=$1 number=$2 heading=${3-}
    awk -v number="$number" -v heading="$heading" '
        heading != "" && $0 == heading { heading = ""; next }
        heading != "" { next }
        /^```/ { if (inside) inside = 0; else { inside = 1; count++ }; next }
        inside && count == number { print; found = 1 }
        END { exit !found }' "$file" || fails "$file has no block $number${heading:+ under \"$heading\"}"
}

# Puts a package beside Hearth's, and reads both as SwiftPM does: it depends on what stands there, and every product that
# it takes is one of Hearth's.
reads_package() {
    local folder=$1
    [[ -d $work/hearth ]] || { mkdir "$work/hearth" && cp Package.swift "$work/hearth"; }
    "$swift" package --package-path "$work/$folder" dump-package > "$work/$folder.json"
    "$swift" package --package-path "$work/hearth" dump-package > "$work/hearth.json"
    jq -e --arg hearth "$work/hearth" --slurpfile there "$work/hearth.json" '
        .dependencies[0].fileSystem[0].path == $hearth
        and ([.targets[].dependencies[].product | select(. != null)] | length > 0
            and all(.[1] == "hearth" and (.[0] | IN($there[0].products[].name))))
    ' "$work/$folder.json" >/dev/null || { cat "$work/$folder.json" >&2; fails "this package does not fit that of Hearth"; }
}

# Says how long the part of the way took that ends here.
began=$SECONDS
arrived() {
    echo "$1: $((SECONDS - began)) s"
    began=$SECONDS
}
