#!/usr/bin/env python3
"""Times meshio on mesh files, a JSON line a file: the best of five reads in this process, no checks of the mesh.

`cargo bench -p sinew-benches --bench read` is the same of Sinew, its checks included.
"""

import json
import os
import sys
import time

import meshio


def main():
    for path in sys.argv[1:]:
        times = []
        for _ in range(5):
            begun = time.process_time()
            mesh = meshio.read(path)
            times.append(time.process_time() - begun)
        size = os.path.getsize(path)
        elements = sum(len(block.data) for block in mesh.cells)
        row = {"peer": "meshio", "version": meshio.__version__, "file": os.path.basename(path)}
        row |= {"elements": elements, "seconds": min(times), "mb_per_s": size / min(times) / 1e6}
        print(json.dumps(row))


if __name__ == "__main__":
    main()
