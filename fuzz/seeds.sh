#!/bin/sh
# Gathers the files of datasets/bad, and the examples of model files, as seeds of the targets: <folder>/<target>/, the folder
# being the first argument or fuzz/corpus.
set -e
folder=${1:-$(cd "$(dirname "$0")" && pwd)/corpus}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")"
bad=../datasets/bad
seed() { # target files...
    target=$1; shift
    mkdir -p "$folder/$target"
    for file in "$@"; do
        # Names occur in several folders.
        cp "$file" "$folder/$target/$(basename "$(dirname "$file")")_$(basename "$file")"
    done
}
seed abaqus $bad/abaqus/*
seed febio $bad/feb/*
seed gmsh $bad/gmsh/*
seed medit $bad/medit/*
seed model ../examples/*.toml
seed nastran $bad/nastran/*
# Any bytes make a model.
seed step $bad/stl/* $bad/ply/*
seed ucd $bad/ucd/*
seed vega $bad/vega/*
seed vtk_legacy $bad/vtk/*.vtk
seed vtu $bad/vtk/*.vtu
seed obj $bad/obj/*
seed stl $bad/stl/*
seed ply $bad/ply/*
seed vtk_polydata $bad/vtk/*.vtk
seed vtp $bad/vtk/*.vtu
seed recognize $bad/abaqus/* $bad/feb/* $bad/gmsh/* $bad/nastran/* $bad/vtk/* $bad/obj/cube.obj $bad/stl/* $bad/ply/* $bad/medit/* $bad/ucd/* $bad/vega/*
for pair in tetgen:ele ansys:elem; do
    target=${pair%%:*}; ending=${pair##*:}
    mkdir -p "$folder/$target"
    for nodes in $bad/$target/*.node; do
        { cat "$nodes"; printf '\n%%%%\n'; cat "${nodes%.node}.$ending"; } > "$folder/$target/$(basename "$nodes" .node)"
    done
done
# A mesh with its file of faces.
{ cat "$folder/tetgen/cube1"; printf '\n%%%%\n2 1\n1 1 2 3 7\n2 1 2 4 -1\n'; } > "$folder/tetgen/cube1_faces"
# An archive of ANSYS's with all that is read.
cat > "$folder/ansys/archive" <<'END'
/PREP7
ET,1,185
ETBLOCK, 1, 1
(2i9,19a9)
        2      285
       -1
NBLOCK,6,SOLID,        4,        4
(3i9,6e21.13e3)
        1        0        0
        2        0        0 1.0000000000000E+000
        3        0        0 0.0000000000000E+000 1.0000000000000E+000
        4        0        0 0.0000000000000E+000 0.0000000000000E+000 1.0000000000000E+000
N,R5.3,LOC,       -1,
EBLOCK,19,SOLID,         1,        1
(19i9)
        1        1        1        1        0        0        0        0        8        0        1        1        2        3        3        4        4        4        4
       -1
CMBLOCK,HELD,NODE,       2
(8i10)
         1        -3
END
