# Read by tests that need packages of PyPI: `environment FOLDER REQUIREMENTS` makes the virtual environment FOLDER of a file of requirements, anew if it
# was made for other ones, or not to its end. Exit code 2 if that fails.
environment() {
    cmp -s "$2" "$1/requirements.txt" && return
    rm -rf "$1"
    python3 -m venv "$1" || exit 2
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" || exit 2
    cp "$2" "$1/requirements.txt" || exit 2
}
