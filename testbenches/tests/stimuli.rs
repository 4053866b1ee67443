//! Stimuli keep to what their inputs mean, and bring all of it.

use powar_config::{Layout, Meaning};
use powar_testbenches::hunt::stimuli;
use powar_testbenches::stimulus::{Patient, Stimulus};
use powar_testbenches::trials::{blocks, config_of, switches_of};
use powar_testbenches::twins;

const CYCLES: u64 = 15_000;

/// Slot, name and width of each row of an input that is one of several or none.
fn choices(layout: &Layout) -> Vec<(usize, String, usize)> {
    let of = |signal: &powar_config::SignalDecl| {
        let first = layout.input(&signal.name).expect("an input of the layout");
        (0..signal.rows).map(|row| (first + row, signal.name.clone(), signal.width)).collect::<Vec<_>>()
    };
    layout.inputs.iter().filter(|signal| signal.meaning == Meaning::Choice).flat_map(of).collect()
}

/// What a block is asked to take is one of several at most, under any stimulus, and each of them comes.
#[test]
fn one_of_several_comes_at_most_and_each_does() {
    let mut tried = 0;
    for name in blocks() {
        for config in switches_of(&name).into_iter().map(|switch| config_of(switch, &name)) {
            let layout = twins::golden(&config, &name).unwrap().layout().clone();
            let choices = choices(&layout);
            if choices.is_empty() {
                continue;
            }
            let what = format!("{name} of {}", config.name);
            let mut came = vec![0; layout.input_slots()];
            let patient = Patient::new(&config, &layout, 1).map(|one| Box::new(one) as Box<dyn Stimulus + Send>);
            for (number, mut stimulus) in
                stimuli(&config, &name, &layout).unwrap().into_iter().chain(patient).enumerate()
            {
                let mut golden = twins::golden(&config, &name).unwrap();
                let (mut inputs, mut seen) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
                for cycle in 0..CYCLES {
                    stimulus.drive(cycle, &seen, &mut inputs);
                    for (slot, signal, _) in &choices {
                        let value: u64 = inputs[*slot];
                        assert!(
                            value.count_ones() <= 1,
                            "{what}, stimulus {number}, cycle {cycle}: {signal} is {value:b}"
                        );
                        came[*slot] |= value;
                    }
                    golden.cycle(&inputs, &mut seen);
                }
            }
            for (slot, signal, width) in choices {
                assert_eq!(came[slot], u64::MAX >> (64 - width), "{what}: {signal}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 20, "{tried}");
}
