"""Cost of a call from Python: `python python/tests/measure.py`. Times are of this machine, and no test."""

import time

import sinew


def cost(function, count):
    """Seconds a call, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - begun) / count)
    return best


def main():
    model = sinew.Model("one")
    for k in range(1000):
        model.add("particle", f"p{k}", position=[0.1 * k, 0.0, 0.0])
    small = sinew.Model("one")
    small.add("particle", "p")
    simulation = sinew.Simulation(small)
    one_by_one = cost(simulation.step, 20_000)
    at_once = cost(lambda: simulation.run(200.0), 1) / 20_000
    print(f"a step: {one_by_one * 1e6:.2f} us called from Python, {at_once * 1e6:.2f} us within a run")
    print(f"get: {cost(lambda: simulation.get('/models/one/particles/p:mass'), 20_000) * 1e6:.2f} us")
    simulation = sinew.Simulation(model)
    masses = simulation.select([f"/models/one/particles/p{k}:mass" for k in range(1000)])
    print(f"1,000 properties in one call: {cost(lambda: masses.values, 500) * 1e6:.1f} us")


if __name__ == "__main__":
    main()
