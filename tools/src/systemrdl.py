# Compiles a SystemRDL file and prints its registers as JSON. What is wrong with it goes to stderr, each as file:line:column: error: text.
import json
import sys

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import RegNode

compiler = RDLCompiler()
try:
    compiler.compile_file(sys.argv[1])
    top = compiler.elaborate().top
except RDLCompileError:
    sys.exit(1)
except OSError as error:
    sys.exit(f"error: {error}")


def field(node):
    reset = node.get_property("reset")
    return {
        "name": node.inst_name,
        "low": node.low,
        "width": node.width,
        "software": node.get_property("sw").name,
        # A reset value may be a signal too.
        "reset": reset if isinstance(reset, int) else None,
    }


registers = [node for node in top.descendants(unroll=True) if isinstance(node, RegNode)]
json.dump(
    [
        {
            "path": node.get_rel_path(top),
            "address": node.absolute_address,
            "bytes": node.size,
            "fields": [field(inner) for inner in node.fields()],
        }
        for node in registers
    ],
    sys.stdout,
)
