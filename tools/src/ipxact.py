"""Reads an IP-XACT component with ipyxact and prints what is in it as JSON."""

import json
import sys

from ipyxact import ipxact2014

component = ipxact2014.parse(sys.argv[1], silence=True)


def number(expression):
    return int(expression.valueOf_)


def port(port):
    vectors = port.wire.Vectors.Vector if port.wire.Vectors else []
    (width,) = [number(vector.left) - number(vector.right) + 1 for vector in vectors] or [1]
    return {"name": port.name, "direction": port.wire.direction, "width": width}


def interface(bus):
    (abstraction,) = bus.AbstractionTypes.abstractionType
    maps = [(pair.logicalPort.name, pair.physicalPort.name) for pair in abstraction.portMaps.portMap]
    mode = "master" if bus.master is not None else "slave" if bus.slave is not None else "none"
    return {"name": bus.name, "bus": bus.busType.name, "mode": mode, "ports": maps}


maps = component.memoryMaps.memoryMap if component.memoryMaps else []
blocks = [
    (block.name, number(block.Range), number(block.width)) for memory in maps for block in memory.addressBlock
]
(instantiation,) = component.model.instantiations.componentInstantiation
json.dump(
    {
        "vlnv": f"{component.vendor}:{component.library}:{component.name}:{component.version}",
        "module": instantiation.moduleName,
        "ports": [port(each) for each in component.model.ports.port],
        "interfaces": [interface(each) for each in component.BusInterfaces.BusInterface],
        "address_blocks": blocks,
        "files": [file.name.valueOf_ for files in component.fileSets.fileSet for file in files.file],
    },
    sys.stdout,
)
