//! Parts of VTK's formats that volumes, surfaces and results share: cell types, encoded arrays, sets as arrays.

mod array_fault;
pub(super) mod marks;
pub(super) mod vtk_cells;
pub(super) mod vtu_array;
