//! Times of steps as they are predicted for a device and for the processor: of tissue from what an H200 and the 16 cores beside it took
//! (docs/theory/benchmarks.md, "On a device"), with bodies from the number of iterations.

/// Iterations of a step that times are predicted for: the scenes measured took 10 to 90.
const ITERATIONS: f64 = 40.0;

/// Time of the calls of an iteration, which wait for each other, and that of a node on a device [s]: scenes of 1,225 to 896,761 nodes took
/// between 0.6 and 1.3 times the sum, two of 18,785 and 22,501 up to 1.8 times.
const CALLS: f64 = 9e-5;
const NODE: f64 = 3e-9;

/// Time of a node in an iteration on 16 cores [s], forces and matrix of the step included, from 20,000 nodes on; fewer took up to 2.3 times
/// that. On two threads of another machine it was 2.5 times.
const NODE_ON_CORES: f64 = 1e-7;
const CORES: f64 = 16.0;

/// Iterations of a step on a device with bodies and joints, over those of its tissue [-]: solves go on until bodies turn, and rows are met, as was
/// solved for. A step of jaw-tongue-hyoid at `resolution=0` took 862, to 1e-8 in 13 solves; tongues alone take 70 to 90, to 1e-5.
const WITH_BODIES: f64 = 10.0;

/// Gain from which `auto` takes a device for a model with bodies, whose times on devices were not measured [-].
const LEAST_GAIN: f64 = 2.0;

/// Times of a step [s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Forecast {
    device: f64,
    processor: f64,
}

impl Forecast {
    /// Of a model with bodies, attachments or constraints with so many nodes, and of so many threads of the processor.
    pub(super) fn of_coupled(nodes: usize, threads: usize) -> Self {
        let nodes = nodes as f64;
        let device = ITERATIONS * WITH_BODIES * (CALLS + NODE * nodes);
        let share = (CORES / threads.max(1) as f64).sqrt();
        Self { device, processor: ITERATIONS * NODE_ON_CORES * nodes * share }
    }

    /// True if the device is predicted to be so much faster that it is worth it.
    pub(super) fn favours_device(&self) -> bool {
        self.processor >= LEAST_GAIN * self.device
    }
}

impl std::fmt::Display for Forecast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [device, processor] = [self.device, self.processor].map(|time| 1e3 * time);
        write!(f, "steps predicted to take some {device:.0} ms on a device, {processor:.0} ms here")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_for_large_models_and_few_threads() {
        // 400 iterations of 0.09 + 0.021 ms; 40 of 0.7 ms on 16 threads, and 2.8 times that on two.
        let jaw = [16, 2].map(|threads| Forecast::of_coupled(7_061, threads));
        let text = "steps predicted to take some 44 ms on a device, 28 ms here";
        assert_eq!(jaw[0].to_string(), text);
        assert!(jaw.iter().all(|it| !it.favours_device()), "{jaw:?}");
        for (nodes, threads) in [(60_000, 16), (10_000, 2)] {
            let forecast = Forecast::of_coupled(nodes, threads);
            assert!(forecast.favours_device(), "{forecast:?}");
        }
    }
}
