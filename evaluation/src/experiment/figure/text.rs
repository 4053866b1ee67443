//! Text in as many lines as it takes.

use powar_drawing::font;

/// Lines of a text of this size, none wider than `width`. They end between words; within a word only if it would not fit on a line of its own.
pub fn in_lines(text: &str, size: f64, width: f64) -> Vec<String> {
    let fits = |line: &str| font::width(line, size) <= width;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("never empty");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            *line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(String::new());
        }
        for letter in word.chars() {
            let line = lines.last_mut().expect("never empty");
            let longer = format!("{line}{letter}");
            if line.is_empty() || fits(&longer) {
                *line = longer;
            } else {
                lines.push(letter.to_string());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_all_words_and_are_no_wider_than_they_may_be() {
        let text = "Accepted traffic of a network, and what it takes";
        assert_eq!(in_lines(text, 17.0, 900.0), [text]);
        let lines = in_lines(text, 17.0, 200.0);
        assert!(lines.len() > 1 && lines.join(" ") == text, "{lines:?}");
        let lines = in_lines("an incomprehensibility", 17.0, 80.0);
        assert!(lines[0] == "an" && lines.concat() == "anincomprehensibility", "{lines:?}");
        assert!(lines.iter().all(|line| font::width(line, 17.0) <= 80.0), "{lines:?}");
        assert_eq!(in_lines("wide", 17.0, 1.0), ["w", "i", "d", "e"], "a letter is not broken");
        assert_eq!(in_lines("", 17.0, 10.0), [""]);
    }
}
