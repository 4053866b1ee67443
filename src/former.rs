//! Commands and options that there were: each is answered with the line that does the same now.

use powar_tools::shell_word;

/// Something that is written in another way now.
struct Former {
    command: &'static str,
    /// The option that is gone; none: the command is.
    option: Option<&'static str>,
    /// The arguments behind the command without that option, and what was behind its `=` or the option itself: the line to write.
    now: fn(Vec<String>, Option<String>) -> Vec<String>,
}

const FORMER: [Former; 5] = [
    Former { command: "results", option: None, now: |rest, _| line("experiment", rest, &["--page"]) },
    Former {
        command: "check",
        option: Some("--routing"),
        now: |rest, named| {
            let named = named.filter(|name| !name.is_empty());
            let routing = named.map(|name| vec!["--routing".into(), name]).unwrap_or_default();
            line("check routing", [routing, rest].concat(), &[])
        },
    },
    Former { command: "check", option: Some("--ring"), now: |rest, _| line("check ring", rest, &[]) },
    Former { command: "sim", option: Some("--jobs"), now: |rest, file| line("sim --mix", with(file, rest), &[]) },
    Former {
        command: "bitstream",
        option: Some("--top"),
        now: |rest, name| line("bitstream --module", with(name, rest), &[]),
    },
];

/// Subcommands of `check`, which have a `--routing` of their own.
const OF_CHECK: [&str; 2] = ["routing", "ring"];

fn line(command: &str, rest: Vec<String>, last: &[&str]) -> Vec<String> {
    let command = command.split(' ').map(str::to_owned);
    command.chain(rest).chain(last.iter().map(|word| (*word).to_owned())).collect()
}

fn with(value: Option<String>, rest: Vec<String>) -> Vec<String> {
    value.into_iter().chain(rest).collect()
}

/// What to say of a command line that is written in another way now; nothing of all others.
pub fn answer(arguments: &[String]) -> Option<String> {
    let (command, rest) = arguments.split_first()?;
    if rest.first().is_some_and(|word| OF_CHECK.contains(&word.as_str())) {
        return None;
    }
    FORMER.iter().filter(|former| former.command == command).find_map(|former| {
        let now = match former.option {
            None => (former.now)(rest.to_vec(), None),
            Some(option) => {
                let place = rest.iter().position(|word| word.split('=').next() == Some(option))?;
                let value = rest[place].split_once('=').map(|(_, value)| value.to_owned());
                let mut others = rest.to_vec();
                others.remove(place);
                // A value of its own stands behind the option; it comes in front of the rest.
                let behind = others.split_off(place);
                (former.now)([behind, others].concat(), value)
            }
        };
        let old = [Some(former.command), former.option].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let words: Vec<String> = now.iter().map(|word| shell_word(word)).collect();
        Some(format!("`powar {old}` is written in another way now: powar {}", words.join(" ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_to_write_has_all_that_was_written() {
        let said = |line: &str| answer(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for (old, new) in [
            ("results a/b --json", "experiment a/b --json --page"),
            ("check --topology k4-n3 --routing --vcs 2", "check routing --vcs 2 --topology k4-n3"),
            ("check --routing=left --preset star-16", "check routing --routing left --preset star-16"),
            ("check --ring --lost 5", "check ring --lost 5"),
            ("sim --seed 7 --jobs low.toml --policy powar", "sim --mix low.toml --policy powar --seed 7"),
            ("sim --jobs=low.toml", "sim --mix low.toml"),
            ("bitstream --top blink blink.v", "bitstream --module blink blink.v"),
        ] {
            assert!(said(old).is_some_and(|said| said.ends_with(&format!("now: powar {new}"))), "{:?}", said(old));
        }
        for same in ["check routing --routing left", "check --top switch", "experiment a.toml --jobs 2", "demo"] {
            assert_eq!(said(same), None);
        }
    }
}
