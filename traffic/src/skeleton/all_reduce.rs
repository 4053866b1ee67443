//! A training step of a neural network, data-parallel: every rank computes forward and backward through all layers, and
//! the gradients are summed up in buckets, each by a non-blocking Allreduce that starts as soon as the backward pass has
//! filled the bucket (Li et al., *PyTorch Distributed: Experiences on Accelerating Data Parallel Training*, VLDB 2020).
//! The optimiser waits for all of them.

use super::script::{Program, Ranks, Script, WORLD, picoseconds, world};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values};
use crate::program::call::{CallSource, Collective, Payload};
use anyhow::Result;
use std::sync::Arc;

pub const SKELETON: Skeleton = Skeleton {
    name: "all-reduce",
    about: "data-parallel training: gradients in buckets, summed up while the backward pass goes on",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "ranks", default: "64", range: Range::Whole(1, MOST_RANKS), meaning: "number of ranks" },
    Parameter { name: "steps", default: "4", range: Range::Whole(0, 1_000_000_000), meaning: "training steps" },
    Parameter { name: "layers", default: "50", range: Range::Whole(1, 100_000), meaning: "layers, of equal size" },
    Parameter {
        name: "parameters",
        default: "25.6m",
        range: Range::Whole(1, 1 << 45),
        meaning: "parameters of the model",
    },
    Parameter { name: "width", default: "4", range: Range::Whole(1, 16), meaning: "bytes of a gradient" },
    Parameter {
        name: "bucket",
        default: "26214400",
        range: Range::Whole(1, 1 << 50),
        meaning: "bytes that fill a bucket (25 MiB)",
    },
    Parameter {
        name: "first",
        default: "1048576",
        range: Range::Whole(1, 1 << 50),
        meaning: "bytes that fill the first bucket (1 MiB)",
    },
    Parameter {
        name: "overlap",
        default: "1",
        range: Range::Whole(0, 1),
        meaning: "0: the Allreduces start behind the backward pass",
    },
    Parameter {
        name: "flops",
        default: "400g",
        range: Range::Number(0.0, 1e24),
        meaning: "flops of a rank in a step: its batch forward and backward",
    },
    Parameter { name: "rate", default: "50t", range: Range::Number(1e3, 1e18), meaning: "flop/s of a rank" },
];

/// Of a step's flops, those of the forward pass; the backward pass takes twice as many.
const FORWARD: f64 = 1.0 / 3.0;
/// Flops of the optimiser for a parameter: momentum and weight, a multiplication and an addition each.
const OPTIMISER: f64 = 4.0;

struct Training {
    world: Arc<[u32]>,
    steps: u64,
    layers: u64,
    parameters: u64,
    width: u64,
    bucket: u64,
    first: u64,
    overlap: bool,
    flops: f64,
    rate: f64,
}

impl Training {
    /// Bytes of the gradients of a layer.
    fn layer(&self, layer: u64) -> u64 {
        (self.parameters / self.layers + u64::from(layer < self.parameters % self.layers)) * self.width
    }
}

fn build(values: &Values) -> Result<Box<dyn CallSource>> {
    let ranks = values.whole("ranks") as u32;
    let shared = Training {
        world: world(ranks),
        steps: values.whole("steps"),
        layers: values.whole("layers"),
        parameters: values.whole("parameters"),
        width: values.whole("width"),
        bucket: values.whole("bucket"),
        first: values.whole("first"),
        overlap: values.whole("overlap") == 1,
        flops: values.number("flops"),
        rate: values.number("rate"),
    };
    Ok(Box::new(Ranks { skeleton: "all-reduce", ranks, shared: Arc::new(shared), program: Rank::new }))
}

enum Stage {
    Begin,
    Forward,
    /// Backward through this layer, the last one first.
    Backward(u64),
    /// Waits for this bucket.
    Wait(u64),
    Over,
}

struct Rank {
    shared: Arc<Training>,
    step: u64,
    stage: Stage,
    /// Bytes of gradients that wait to be summed up.
    filled: u64,
    /// Buckets of this step whose sum has begun, and the request of the first one; the others follow.
    buckets: u64,
    request: u64,
}

impl Rank {
    fn new(shared: &Arc<Training>, _rank: u32) -> Rank {
        Rank { shared: shared.clone(), step: 0, stage: Stage::Begin, filled: 0, buckets: 0, request: 0 }
    }

    fn work(&self, flops: f64, script: &mut Script) {
        script.compute(picoseconds(flops, self.shared.rate));
    }

    fn sum_up(&mut self, script: &mut Script) {
        let bytes = Payload::Each(std::mem::take(&mut self.filled));
        let request = script.start_collective(Collective::AllReduce, WORLD, bytes);
        if self.buckets == 0 {
            self.request = request;
        }
        self.buckets += 1;
    }

    fn backward(&mut self, layer: u64, script: &mut Script) -> Stage {
        let shared = self.shared.clone();
        self.work(shared.flops * (1.0 - FORWARD) / shared.layers as f64, script);
        self.filled += shared.layer(layer);
        let full = if self.buckets == 0 { shared.first } else { shared.bucket };
        // Gradients of a layer stay together, as tensors do.
        if shared.overlap && self.filled >= full || layer == 0 && self.filled > 0 {
            self.sum_up(script);
        }
        if layer > 0 { Stage::Backward(layer - 1) } else { Stage::Wait(0) }
    }

    fn next(&mut self, script: &mut Script) -> Stage {
        match self.stage {
            Stage::Begin => {
                script.communicator(WORLD, &self.shared.world);
                if self.shared.steps == 0 { Stage::Over } else { Stage::Forward }
            }
            Stage::Forward => {
                self.buckets = 0;
                self.work(self.shared.flops * FORWARD, script);
                Stage::Backward(self.shared.layers - 1)
            }
            Stage::Backward(layer) => self.backward(layer, script),
            Stage::Wait(bucket) if bucket < self.buckets => {
                script.wait(self.request + bucket);
                Stage::Wait(bucket + 1)
            }
            Stage::Wait(_) => {
                self.work(OPTIMISER * self.shared.parameters as f64, script);
                self.step += 1;
                if self.step == self.shared.steps { Stage::Over } else { Stage::Forward }
            }
            Stage::Over => Stage::Over,
        }
    }
}

impl Program for Rank {
    fn step(&mut self, script: &mut Script) -> bool {
        self.stage = self.next(script);
        !matches!(self.stage, Stage::Over)
    }

    fn place(&self) -> String {
        format!("step {}", self.step + 1)
    }
}
