//! The view of the whole switch: per port the link in, the virtual channels, allocation, the output with its credits, and power.

use super::activity::Activity;
use super::placement::OwnerCounts;
use super::view::{Builder, Group, Item, OPEN_PORTS, folded};
use powar_config::Config;

impl Builder<'_> {
    pub(super) fn switch(&self, sizes: OwnerCounts, config: &Config, activity: &Activity) -> Vec<Group> {
        let (telling, others_of_one) = self.single_parts();
        let mut groups = telling;
        groups.push(self.phases(2 * OPEN_PORTS, activity));
        let open = self.ports_of_interest(OPEN_PORTS, activity);
        groups.extend(open.iter().map(|&port| self.switch_port(port, sizes, true)));
        let others = (0..sizes.ports).filter(|port| !open.contains(port));
        groups.push(folded("other ports", others.map(|port| self.switch_port(port, sizes, false)).collect()));
        groups.push(folded("port groups", (0..config.groups.len()).map(|group| self.port_group(group)).collect()));
        groups.extend(others_of_one);
        groups.push(self.place());
        groups
    }

    /// A packet's way through the port from top to bottom, and folded below it every signal of each part.
    fn switch_port(&self, port: usize, sizes: OwnerCounts, open: bool) -> Group {
        let scope = format!("port{port}");
        let of_each_vc = |names: &[&str]| -> Vec<String> {
            (0..sizes.vcs).flat_map(|vc| names.iter().map(move |name| name.replace('*', &vc.to_string()))).collect()
        };
        let plain = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
        let paths = [
            plain(&["link_in.valid", "link_in.head", "link_in.vc"]),
            of_each_vc(&["vc*.state_name", "vc*.flits.some", "vc*.route.valid", "vc*.selector.choice"]),
            plain(&["input.picked", "input.accept", "input.grant", "input.reading", "input.select"]),
            plain(&["phase_name", "phase_name_golden", "held", "ready", "grantable"]),
            of_each_vc(&["output.credit*.credits"]),
            plain(&["link_out.valid", "link_out.head", "link_out.vc", "link_out.phase_name", "mismatch"]),
        ];
        let paths: Vec<String> = paths.concat().iter().map(|path| format!("{scope}.{path}")).collect();
        let mut items = self.traces(paths.iter().map(String::as_str));
        let mut parts = plain(&["link_in", "input"]);
        parts.extend((0..sizes.vcs).map(|vc| format!("vc{vc}")));
        parts.extend(plain(&["output", "link_out"]));
        // Those of the power mechanism, and the counters.
        for part in self.parts_of(&scope) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let mut details: Vec<Group> = vec![];
        for part in &parts {
            let traces = self.all_of(&[&scope, part], &items);
            details.push(Group { name: format!("{scope} {part}"), open: false, items: traces });
        }
        // What is left: the port's own vectors.
        let shown = details.iter().flat_map(|group| &group.items).chain(&items).cloned().collect::<Vec<Item>>();
        let rest = self.all_of(&[&scope], &shown);
        details.push(Group { name: format!("{scope} power"), open: false, items: rest });
        details.retain(|group| !group.items.is_empty());
        items.extend(details.into_iter().map(Item::Group));
        Group { name: scope, open, items }
    }
}
