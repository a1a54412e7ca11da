"""Renders docs/images/tongue.png: the tongue under its whole load, whole and cut in the middle.

    cargo run --release -- run tongue --param resolution=2 --time 0.6 --every 0.1
    pip install pyvista pillow
    python docs/images/render.py results/tongue docs/images/tongue.png

The first frame is the rest shape, the last one is coloured by von Mises stress.
"""

import pathlib
import sys

import pyvista as pv
from PIL import Image

# Hides only the peak of 1.1 kPa at the edge between the free blade and the keel.
STRESS_RANGE = (0.0, 800.0)
FOCUS = (0.0025, 0.0, 0.0205)
# Half the height of the view [m].
SCALE = 0.034
FONT = dict(color="black", font="arial", font_size=11)


def add_stressed(plotter, mesh, bar):
    """Draws the surface of `mesh` in the colours of its stress, averaged to the nodes."""
    surface = mesh.cell_data_to_point_data().extract_surface(algorithm="dataset_surface")
    plotter.add_mesh(
        surface, scalars="von_mises", preference="point", cmap="viridis", clim=STRESS_RANGE,
        ambient=0.3, diffuse=0.75, show_scalar_bar=bar,
        scalar_bar_args=dict(
            title="von Mises stress [Pa]\n", n_labels=5, fmt="%.0f", color="black",
            font_family="arial", title_font_size=20, label_font_size=18,
            position_x=0.2, position_y=0.02, width=0.6, height=0.13),
    )


def look(plotter, direction, caption):
    """Parallel view from `direction`, z up."""
    camera = plotter.camera
    camera.focal_point = FOCUS
    camera.position = [f + 0.3 * d for f, d in zip(FOCUS, direction)]
    camera.up = (0.0, 0.0, 1.0)
    camera.parallel_projection = True
    camera.parallel_scale = SCALE
    plotter.add_text(caption, position="upper_left", **FONT)


def midsagittal_outline(mesh):
    """Outline of the section y = 0, moved in front of what is drawn."""
    section = mesh.slice(normal="y", origin=(0.0, 1e-6, 0.0))
    outline = section.extract_feature_edges(
        boundary_edges=True, feature_edges=False, manifold_edges=False, non_manifold_edges=False)
    outline.points[:, 1] = -0.03
    return outline


def main(results, picture):
    frames = sorted(pathlib.Path(results).glob("frame_*.vtu"))
    rest, loaded = pv.read(frames[0]), pv.read(frames[-1])
    plotter = pv.Plotter(off_screen=True, shape=(1, 2), window_size=(1200, 560), border=False)
    plotter.set_background("white", all_renderers=True)

    plotter.subplot(0, 0)
    add_stressed(plotter, loaded, bar=False)
    look(plotter, (0.75, -0.85, 0.45), "blade pushed forward and up, t = 0.6 s")

    plotter.subplot(0, 1)
    # Whole elements are kept, so the cut follows their sides in the midsagittal plane.
    half = loaded.extract_cells(loaded.cell_centers().points[:, 1] > 0.0)
    add_stressed(plotter, half, bar=True)
    plotter.add_mesh(midsagittal_outline(rest), color="#d62728", line_width=3)
    look(plotter, (0.0, -1.0, 0.0), "midsagittal cut; red: shape at rest")

    plotter.enable_anti_aliasing("ssaa", all_renderers=True)
    Image.fromarray(plotter.screenshot()).save(picture, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
