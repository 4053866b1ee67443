#!/bin/sh
# Stands in for Cargo where `./wheel --program` packs a program that is built already: Cargo would build it once more, and with it most of what it
# consists of, as the tests' build has it with other features. Says of POWAR_WHEEL_PROGRAM what Cargo says of a program that is up to date; all but the build is asked of
# Cargo itself.
if [ "$1" != rustc ]; then exec cargo "$@"; fi
root=$(cd "$(dirname "$0")/.." && pwd)
package=$(cargo pkgid --offline --manifest-path "$root/Cargo.toml" powar) || exit 1
PACKAGE=$package ROOT=$root exec python3 -c '
import json, os
root, program = os.environ["ROOT"], os.environ["POWAR_WHEEL_PROGRAM"]
target = dict(kind=["bin"], crate_types=["bin"], name="powar", src_path=f"{root}/src/main.rs", edition="2024", doc=True, doctest=False, test=True)
profile = dict(opt_level="2", debuginfo=0, debug_assertions=True, overflow_checks=True, test=False)
print(json.dumps(dict(reason="compiler-artifact", package_id=os.environ["PACKAGE"], manifest_path=f"{root}/Cargo.toml", target=target, profile=profile,
                      features=[], filenames=[program], executable=program, fresh=True)))
print(json.dumps(dict(reason="build-finished", success=True)))
'
