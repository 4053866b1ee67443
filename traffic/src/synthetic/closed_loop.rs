//! A closed loop: active nodes send requests by a pattern, their destinations answer, and a node has only so many requests open.
//!
//! An active node is `outstanding` clients. Each thinks, sends a request, waits for the response and thinks again; thinking takes
//! a geometric number of cycles, serving a fixed one, and any number of requests are served at a time. So with n clients, mean
//! response time R and mean thinking Z, requests go at n / (R + Z) a cycle (Little's law), and the network slows its own load
//! down. Alonso et al. 2015, section 4.6, set the load of such a loop by the number of active nodes.
//!
//! Each client has random numbers of its own: whom it asks, and how long it thinks, does not depend on the network.

use super::agenda::Agenda;
use super::lengths::Lengths;
use super::models::Generator;
use super::options::{ClosedLoopOptions, SyntheticOptions};
use super::patterns::Pattern;
use super::random::Random;
use anyhow::Result;
use powar_config::Message;

/// Stream of random numbers that no client has.
const STREAM: u64 = 1 << 41;

/// What a client is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    /// Thinking until its time comes; for good, if that never does.
    Thinking,
    /// Its request is under way since this cycle.
    Asking(u64),
    /// Its request is served until its time comes.
    Served,
    /// The response is under way since this cycle.
    Answered(u64),
}

struct Client {
    node: u32,
    doing: Doing,
    /// Whom it asked last.
    server: u32,
    /// Requests that it has sent.
    requests: u64,
    random: Random,
}

/// Nodes that ask and answer.
pub(crate) struct ClosedLoop {
    options: ClosedLoopOptions,
    pattern: Box<dyn Pattern>,
    lengths: Lengths,
    clients: Vec<Client>,
    /// By node: requests that no client has taken on.
    left: Vec<u64>,
    agenda: Agenda,
    stop: u64,
    /// Clients that wait for a response.
    open: u64,
}

impl ClosedLoop {
    pub fn new(
        options: &SyntheticOptions,
        closed: &ClosedLoopOptions,
        nodes: u32,
        pattern: Box<dyn Pattern>,
    ) -> Result<ClosedLoop> {
        let (lengths, _) = options.check()?;
        let mut active: Vec<u32> = (0..nodes).filter(|&node| pattern.sends(node)).collect();
        let count = closed.check(active.len() as u32)?;
        let mut random = Random::new(options.seed, STREAM);
        for place in 0..count as usize {
            let other = place + random.below((active.len() - place) as u32) as usize;
            active.swap(place, other);
        }
        active.truncate(count as usize);
        active.sort_unstable();
        let clients: Vec<_> = active
            .iter()
            .flat_map(|&node| (0..closed.outstanding).map(move |number| (node, number)))
            .map(|(node, number)| Client {
                node,
                doing: Doing::Thinking,
                server: node,
                requests: 0,
                random: Random::new(options.seed, u64::from(node) << 32 | u64::from(number)),
            })
            .collect();
        let mut this = ClosedLoop {
            options: closed.clone(),
            pattern,
            lengths,
            left: vec![closed.requests.unwrap_or(u64::MAX); nodes as usize],
            agenda: Agenda::new(clients.len()),
            clients,
            stop: options.stop(),
            open: 0,
        };
        for client in 0..this.clients.len() {
            this.think(options.start, client);
        }
        Ok(this)
    }

    /// Nodes that send requests.
    pub fn active(&self) -> u32 {
        self.clients.len() as u32 / self.options.outstanding
    }

    /// From `now` on the client thinks, if there is another request for it to send.
    fn think(&mut self, now: u64, client: usize) {
        let Client { node, ref mut random, .. } = self.clients[client];
        let cycle = now.saturating_add(random.geometric(self.options.think));
        let left = &mut self.left[node as usize];
        if cycle < self.stop && *left > 0 {
            *left -= 1;
            self.agenda.insert(cycle, client as u32);
        }
    }
}

impl Generator for ClosedLoop {
    fn next_event(&self) -> u64 {
        self.agenda.first()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) {
        let clients = self.clients.len() as u64;
        while let Some(number) = self.agenda.pop(now) {
            let client = &mut self.clients[number as usize];
            let response = client.doing == Doing::Served;
            let (source, destination, flits);
            if response {
                (source, destination, flits) = (client.server, client.node, self.options.response_flits);
                client.doing = Doing::Answered(now);
            } else {
                client.server = self.pattern.destination(client.node, &mut client.random);
                (source, destination, flits) = (client.node, client.server, self.lengths.draw(&mut client.random));
                client.doing = Doing::Asking(now);
                client.requests += 1;
                self.open += 1;
            }
            // The client, and which of its requests; the lowest bit tells responses.
            let number = (client.requests * clients + u64::from(number)) << 1 | u64::from(response);
            messages.push(Message { number, source, destination, flits, foretold: false });
        }
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        let number = (message.number >> 1) as usize % self.clients.len();
        let client = &mut self.clients[number];
        if message.number & 1 == 0 {
            client.doing = Doing::Served;
            self.agenda.insert(now + self.options.service, number as u32);
        } else {
            client.doing = Doing::Thinking;
            self.open -= 1;
            self.think(now, number);
        }
    }

    fn is_over(&self) -> bool {
        self.open == 0 && self.agenda.first() == u64::MAX
    }

    fn waits(&self) -> Vec<String> {
        let line = |client: &Client| {
            let Client { node, server, requests, .. } = client;
            let of = format!("node {node} waits for the response of node {server} to request {requests} of a client");
            match client.doing {
                Doing::Thinking => None,
                Doing::Asking(since) => Some(format!("{of}: the request is under way since cycle {since}")),
                Doing::Served => Some(format!("{of}: the request is being served")),
                Doing::Answered(since) => Some(format!("{of}: the response is under way since cycle {since}")),
            }
        };
        self.clients.iter().filter_map(line).collect()
    }
}
