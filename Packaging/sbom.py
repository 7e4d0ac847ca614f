"""Writes the bill of materials (SPDX 2.3) from what `swift package show-dependencies --format json` prints.

    sbom.py VERSION LINKED < dependencies.json > hearth.spdx.json

LINKED is a file with the name and the version of each other thing that is linked into the program, one a line.
"""

import hashlib
import json
import os
import re
import sys
import time


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, location="NOASSERTION", license="NOASSERTION"):
    entry = {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": location,
        "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
    }
    if match := re.match(r"https://(github\.com/[^/]+/[^/]+?)(\.git)?$", location):
        entry["downloadLocation"] = f"git+{location}@{version}"
        entry["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:swift/{match[1]}@{version}",
        }]
    return entry


def walk(node, found, relations):
    """Every package once, and who takes which."""
    for child in node["dependencies"]:
        name = child["identity"]
        relations.add((identifier(node["identity"]), "DEPENDS_ON", identifier(name)))
        if name not in found:
            found[name] = package(name, child["version"], child["url"])
            walk(child, found, relations)


def main():
    version, linked = sys.argv[1:]
    root = dict(json.load(sys.stdin), identity="hearth")
    found = {"hearth": package("hearth", version, license="Apache-2.0")}
    relations = {("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-hearth")}
    walk(root, found, relations)
    with open(linked, encoding="utf-8") as file:
        for name, its_version in map(str.split, file):
            found[name] = package(name, its_version)
            relations.add(("SPDXRef-hearth", "STATIC_LINK", identifier(name)))
    packages = sorted(found.values(), key=lambda entry: entry["SPDXID"])
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"hearth-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/hearth-{version}-{digest[:32]}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: Packaging/sbom.py"],
        },
        "comment": "The Debian package takes SQLite, zlib, libyaml and the C++ library from Debian; in the archive they are inside.",
        "packages": packages,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in sorted(relations)
        ],
    }, sys.stdout, indent=2)
    print()


main()
