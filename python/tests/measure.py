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
    compare_batch(sinew.Model.load("jaw-tongue-hyoid"), "the jaw", 16, 5)
    compare_batch(sinew.Model.load("chain"), "the chain", 256, 20)


def compare_batch(model, name, count, steps):
    """World-steps per second of a batch, and of as many simulations one after the other."""
    rates = []
    for _ in range(3):
        batch = sinew.Batch(model, count, step=0.01)
        batch.step()
        begun = time.perf_counter()
        batch.step(steps)
        together = count * steps / (time.perf_counter() - begun)
        alone = sinew.Simulation(model, step=0.01)
        alone.step()
        begun = time.perf_counter()
        for _ in range(count):
            alone.reset()
            alone.step(steps)
        rates.append((together, count * steps / (time.perf_counter() - begun)))
    (together, single) = (max(it) for it in zip(*rates))
    print(f"{name}, {count} instances: {together:.0f} world-steps/s in a batch, {single:.0f} one by one")


if __name__ == "__main__":
    main()
