"""A trajectory as a function that PyTorch and JAX differentiate.

A weight hangs on a spring, and a muscle pulls it aside. Which excitation brings it 2 cm aside? By descent on the squared
distance at the end, with numpy alone, as a `torch.autograd.Function`, and as a `jax.custom_vjp`.
"""

import numpy as np

import sinew

EXCITATION = "/models/arm/axial_springs/muscle:excitation"
STEPS, RATE = 20, 10.0
WANTED = 0.02


def steps_of_an_arm() -> sinew.Trajectory:
    """Positions of a weight over 0.2 s by the excitation of its muscle."""
    model = sinew.Model("arm")
    root = model.add("particle", "root", dynamic=False)
    hand = model.add("particle", "hand", mass=0.5, position=[0.0, 0.0, -0.3])
    post = model.add("particle", "post", dynamic=False, position=[0.4, 0.0, -0.3])
    model.add("axial_spring", "elastic", first=root, second=hand, material="linear")
    model.add(
        "axial_spring", "muscle", first=post, second=hand, material="simple_muscle",
        properties={"material.max_force": 5.0},
    )
    return sinew.Trajectory(model, [EXCITATION], [f"{hand}:position"], steps=STEPS, step=0.01)


def start() -> float:
    """Excitation that the search begins at."""
    return 0.1


def by_numpy(iterations: int) -> float:
    """Distance that is left [m], by numpy alone."""
    trajectory, excitation = steps_of_an_arm(), start()
    for _ in range(iterations):
        motion = trajectory.forward([excitation])
        by_motion = np.zeros_like(motion)
        by_motion[-1, 0] = 2.0 * (motion[-1, 0] - WANTED)
        [slope] = trajectory.backward([excitation], by_motion)
        excitation = float(np.clip(excitation - RATE * slope, 0.0, 1.0))
    return abs(float(trajectory.forward([excitation])[-1, 0] - WANTED))


def by_torch(iterations: int) -> float:
    """Distance that is left [m], by PyTorch."""
    import torch

    trajectory = steps_of_an_arm()

    class Steps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, excitation):
            ctx.given = excitation.detach().numpy()
            return torch.from_numpy(trajectory.forward([ctx.given]))

        @staticmethod
        def backward(ctx, by_motion):
            [found] = trajectory.backward([ctx.given], by_motion.numpy())
            return torch.from_numpy(found)

    excitation = torch.tensor(start(), dtype=torch.float64, requires_grad=True)
    for _ in range(iterations):
        loss = (Steps.apply(excitation)[-1, 0] - WANTED) ** 2
        [slope] = torch.autograd.grad(loss, excitation)
        with torch.no_grad():
            excitation.copy_((excitation - RATE * slope).clamp(0.0, 1.0))
    return float(abs(Steps.apply(excitation)[-1, 0] - WANTED))


def by_jax(iterations: int) -> float:
    """Distance that is left [m], by JAX."""
    import jax

    jax.config.update("jax_enable_x64", True)
    trajectory = steps_of_an_arm()
    motion_shape = jax.ShapeDtypeStruct((STEPS + 1, 3), np.float64)
    slope_shape = jax.ShapeDtypeStruct((), np.float64)

    @jax.custom_vjp
    def steps(excitation):
        return jax.pure_callback(lambda it: trajectory.forward([it]), motion_shape, excitation)

    def forward(excitation):
        return steps(excitation), excitation

    def backward(excitation, by_motion):
        back = lambda it, by: trajectory.backward([it], by)[0]  # noqa: E731
        return (jax.pure_callback(back, slope_shape, excitation, by_motion),)

    steps.defvjp(forward, backward)
    slope = jax.grad(lambda it: (steps(it)[-1, 0] - WANTED) ** 2)
    excitation = jax.numpy.asarray(start())
    for _ in range(iterations):
        excitation = jax.numpy.clip(excitation - RATE * slope(excitation), 0.0, 1.0)
    return float(abs(steps(excitation)[-1, 0] - WANTED))


def main(iterations: int = 30) -> None:
    """Prints the distances that are left by what is installed."""
    for name, search in (("numpy", by_numpy), ("torch", by_torch), ("jax", by_jax)):
        try:
            print(f"{name}: {1e3 * search(iterations):.4f} mm left")
        except ImportError:
            print(f"{name}: not installed")


if __name__ == "__main__":
    main()
