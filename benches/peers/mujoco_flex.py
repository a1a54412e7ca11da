"""MuJoCo's flex (three-dimensional, all degrees of freedom) on the beam: `mujoco_flex.py N`.

Integrator `discrete`, which is linearized implicit, as Sinew's backward Euler is. MuJoCo warns where
its inner solver ends before its tolerance; the result tells it as `converged`.
"""

import sys

import mujoco
import numpy as np

from beam import DENSITY, GRAVITY, POISSONS_RATIO, SIZE, STEP, YOUNGS_MODULUS
from beam import beam, report, time_steps


def model_xml(nodes, tets, held):
    """The beam in MuJoCo's language."""
    return f"""<mujoco>
  <option timestep="{STEP}" gravity="0 0 -{GRAVITY}" integrator="discrete" solver="CG"
          tolerance="1e-6"><flag contact="disable"/></option>
  <size memory="4G"/>
  <worldbody>
    <flexcomp name="beam" type="direct" dim="3" mass="{DENSITY * np.prod(SIZE)}" radius="0.001"
              point="{' '.join('%.9g' % v for v in nodes.ravel())}"
              element="{' '.join(map(str, tets.ravel()))}">
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <edge equality="false" damping="0"/>
      <elasticity young="{YOUNGS_MODULUS}" poisson="{POISSONS_RATIO}" damping="0"/>
      <pin id="{' '.join(map(str, held))}"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def main():
    nodes, tets, held, tip = beam(int(sys.argv[1]))
    warnings = []
    mujoco.set_mju_user_warning(warnings.append)
    model = mujoco.MjModel.from_xml_string(model_xml(nodes, tets, held))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    start = data.flexvert_xpos[tip, 2].mean()
    times = time_steps(lambda: mujoco.mj_step(model, data))
    # The positions of the flex lag one kinematic update behind the state.
    mujoco.mj_forward(model, data)
    tip_dz = data.flexvert_xpos[tip, 2].mean() - start
    converged = not any("converge" in warning for warning in warnings)
    report("mujoco", mujoco.__version__, tets, times, tip_dz, converged=converged)


main()
