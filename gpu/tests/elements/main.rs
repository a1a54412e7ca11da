//! Forces, products and matrices of elements by the kernels' twins, against the CPU path, which
//! computes them in another way: with stored matrices and by owners of rows.

mod fixture;
mod forces;
mod grown;
mod matrix;
mod muscles;
mod pieces;
mod pressures;
mod relaxing;
