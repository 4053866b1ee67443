//! A trace checked line by line and turned into an index: from each event to the lines that wait for it.

use super::parse::{Header, Line, MessageLine, OPERATIONS, PartLine, parse_header, parse_line};
use super::starts::{Starts, StartsWriter, TimedLine};
use super::text::{TraceLines, lines};
use crate::format::paged::PagedFile;
use crate::format::temporary::TemporaryFile;
use crate::program::call::Collective;
use crate::replay::message::Cause;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A VEF trace: every line read and checked, its index in temporary files.
#[derive(Debug)]
pub struct VefTrace {
    path: PathBuf,
    header: Header,
    communicators: HashMap<u32, Arc<[u32]>>,
    /// Messages and parts of collectives.
    records: u64,
    files: Files,
    /// Where the sorted runs of the lines with a time of their own are.
    runs: Vec<Range<u64>>,
}

#[derive(Debug)]
struct Files {
    messages: TemporaryFile,
    parts: TemporaryFile,
    collectives: TemporaryFile,
    starts: TemporaryFile,
}

/// A line that waits for something: a message or one task's part of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Message(u32),
    /// Number of the collective times the number of tasks, plus the task.
    Part(u64),
}

impl Node {
    /// A number above 0.
    pub fn code(self) -> u64 {
        match self {
            Node::Message(id) => 1 + 2 * u64::from(id),
            Node::Part(slot) => 2 + 2 * slot,
        }
    }

    /// The node of this code; `None` for 0.
    pub fn of(code: u64) -> Option<Node> {
        let number = code.checked_sub(1)? / 2;
        Some(if code % 2 == 1 { Node::Message(number as u32) } else { Node::Part(number) })
    }
}

/// What the index holds of a message. Lists are chained through `next`; 0 ends them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageEntry {
    /// Line it stands in; 0 when there is no such message.
    pub line: u64,
    pub source: u32,
    pub destination: u32,
    pub bytes: u64,
    pub delay_ns: u64,
    /// Code of the first line that waits until it is sent.
    pub after_sending: u64,
    /// Code of the first line that waits until it is received.
    pub after_receiving: u64,
    /// Code of the next line that waits for the same as this one.
    pub next: u64,
}

/// What the index holds of one task's part of a collective.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartEntry {
    /// Line it stands in; 0 when there is no such part.
    pub line: u64,
    pub send: u64,
    pub receive: u64,
    pub delay_ns: u64,
    /// Code of the first line that waits until the part is finished.
    pub after_finishing: u64,
    /// Place of the task in the communicator.
    pub member: usize,
    /// Code of the next line that waits for the same as this one.
    pub next: u64,
}

/// What the index holds of a collective as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollectiveEntry {
    /// Lines it has; 0 when there is no such collective.
    pub parts: u64,
    pub communicator: u32,
    /// Place in [`OPERATIONS`].
    pub code: usize,
    /// Place of the root in the communicator, if the sizes tell.
    pub root: Option<usize>,
    /// Payload of the first member read, and whether all are the same.
    pub size: u64,
    pub uneven: bool,
    pub first_line: u64,
}

impl MessageEntry {
    pub fn read(file: &mut PagedFile, id: u32) -> Result<MessageEntry> {
        let [line, ends, bytes, delay_ns, after_sending, after_receiving, next, _] = file.read(u64::from(id))?;
        let (source, destination) = ((ends >> 32) as u32, ends as u32);
        Ok(MessageEntry { line, source, destination, bytes, delay_ns, after_sending, after_receiving, next })
    }

    fn write(&self, file: &mut PagedFile, id: u32) -> Result<()> {
        let MessageEntry { line, source, destination, bytes, delay_ns, after_sending, after_receiving, next } = *self;
        let ends = u64::from(source) << 32 | u64::from(destination);
        file.write(u64::from(id), &[line, ends, bytes, delay_ns, after_sending, after_receiving, next, 0])
    }
}

impl PartEntry {
    pub fn read(file: &mut PagedFile, slot: u64) -> Result<PartEntry> {
        let [line, send, receive, delay_ns, after_finishing, member, next, _] = file.read(slot)?;
        Ok(PartEntry { line, send, receive, delay_ns, after_finishing, member: member as usize, next })
    }

    fn write(&self, file: &mut PagedFile, slot: u64) -> Result<()> {
        let PartEntry { line, send, receive, delay_ns, after_finishing, member, next } = *self;
        file.write(slot, &[line, send, receive, delay_ns, after_finishing, member as u64, next, 0])
    }
}

impl CollectiveEntry {
    pub fn read(file: &mut PagedFile, id: u32) -> Result<CollectiveEntry> {
        let [parts, communicator, code, root, size, uneven, first_line, _] = file.read(u64::from(id))?;
        Ok(CollectiveEntry {
            parts,
            communicator: communicator as u32,
            code: code as usize,
            root: root.checked_sub(1).map(|root| root as usize),
            size,
            uneven: uneven == 1,
            first_line,
        })
    }

    fn write(&self, file: &mut PagedFile, id: u32) -> Result<()> {
        let root = self.root.map_or(0, |root| root as u64 + 1);
        let (communicator, uneven) = (u64::from(self.communicator), u64::from(self.uneven));
        let code = self.code as u64;
        file.write(u64::from(id), &[self.parts, communicator, code, root, self.size, uneven, self.first_line, 0])
    }
}

/// The index while it is read or made.
pub struct Index {
    pub messages: PagedFile,
    pub parts: PagedFile,
    pub collectives: PagedFile,
}

impl Index {
    fn of(files: &Files) -> Index {
        let open = |file: &TemporaryFile| PagedFile::new(file.clone());
        Index { messages: open(&files.messages), parts: open(&files.parts), collectives: open(&files.collectives) }
    }
}

impl VefTrace {
    /// Opens a trace, plain or packed, and checks every line and what it refers to.
    ///
    /// Whether the trace can finish is known only when it is replayed.
    pub fn open(path: &Path) -> Result<VefTrace> {
        let mut text = lines(path)?;
        ensure!(text.advance()?, "{}: the trace is empty, expected a line that begins with VEF", text.name());
        let header = text.parse(parse_header)?;
        let file = TemporaryFile::new;
        let files = Files { messages: file()?, parts: file()?, collectives: file()?, starts: file()? };
        let mut maker = Maker {
            header,
            communicators: HashMap::new(),
            index: Index::of(&files),
            starts: StartsWriter::new(&files.starts),
            messages: 0,
            collectives: 0,
            records: 0,
        };
        while text.advance()? {
            let number = text.number();
            text.parse(|line| maker.add(parse_line(line, header.tasks)?, number))?;
        }
        maker.check_counts(text.name())?;
        maker.check_references(path)?;
        for file in [&mut maker.index.messages, &mut maker.index.parts, &mut maker.index.collectives] {
            file.flush()?;
        }
        let Maker { communicators, records, starts, .. } = maker;
        Ok(VefTrace { path: path.to_owned(), header, communicators, records, files, runs: starts.finish()? })
    }

    /// Number of tasks.
    pub fn tasks(&self) -> u32 {
        self.header.tasks
    }

    /// Messages and parts of collectives.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The path, as error messages name it.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(super) fn communicator(&self, id: u32) -> Result<Arc<[u32]>> {
        self.communicators.get(&id).cloned().with_context(|| format!("communicator C{id} is unknown"))
    }

    pub(super) fn index(&self) -> Index {
        Index::of(&self.files)
    }

    pub(super) fn starts(&self) -> Result<Starts> {
        Starts::new(self.files.starts.clone(), &self.runs)
    }

    /// Every message and part of a collective, read once more from the text, with its line number.
    pub(super) fn each_record(&self, visit: impl FnMut(u64, &Line) -> Result<()>) -> Result<()> {
        each_record(&self.path, self.header.tasks, visit)
    }
}

fn each_record(path: &Path, tasks: u32, mut visit: impl FnMut(u64, &Line) -> Result<()>) -> Result<()> {
    let mut text: TraceLines = lines(path)?;
    text.advance()?;
    while text.advance()? {
        text.parse(|line| match parse_line(line, tasks)? {
            Line::Communicator { .. } => Ok(()),
            record => visit(text.number(), &record),
        })?;
    }
    Ok(())
}

/// Where a node is in the index.
pub fn slot(tasks: u32, collective: u32, task: u32) -> u64 {
    u64::from(collective) * u64::from(tasks) + u64::from(task)
}

/// Of a collective with a root the size that is above 0 in the root's line alone, and that of the others; by field.
fn size_of_root(part: &PartLine) -> Option<[(&'static str, u64); 2]> {
    let sizes = [("send_size", part.send), ("recv_size", part.receive)];
    match part.operation {
        Collective::Broadcast | Collective::Scatter => Some(sizes),
        Collective::Reduce | Collective::Gather => Some([sizes[1], sizes[0]]),
        _ => None,
    }
}

/// Makes the index.
struct Maker {
    header: Header,
    communicators: HashMap<u32, Arc<[u32]>>,
    index: Index,
    starts: StartsWriter,
    messages: u64,
    collectives: u64,
    records: u64,
}

impl Maker {
    fn add(&mut self, line: Line, number: u64) -> Result<()> {
        match line {
            Line::Communicator { id, members } => self.add_communicator(id, members),
            Line::Message(message) => self.add_message(&message, number),
            Line::Part(part) => self.add_part(&part, number),
        }
    }

    fn add_communicator(&mut self, id: u32, members: Vec<u32>) -> Result<()> {
        let tasks = self.header.tasks;
        ensure!(
            id != 0 || members.len() == tasks as usize,
            "communicator C0 has {} tasks, expected all {tasks}",
            members.len()
        );
        let old = self.communicators.insert(id, members.into());
        ensure!(old.is_none(), "field `ID` is `C{id}` a second time, expected a new communicator");
        Ok(())
    }

    fn add_message(&mut self, message: &MessageLine, line: u64) -> Result<()> {
        let id = message.id;
        let old = MessageEntry::read(&mut self.index.messages, id)?;
        ensure!(old.line == 0, "field `ID` is `{id}` as in line {}, expected a new message", old.line);
        self.messages += 1;
        let allowed = self.header.messages;
        ensure!(
            self.messages <= allowed,
            "message {} of the trace, expected at most {allowed} as in field `NumMsg`",
            self.messages
        );
        // The entry may be there already because an earlier line waits for it. Its place in a chain
        // comes first: a line may wait for itself.
        let next = self.chain(Node::Message(id), message.start.cause, message.source, message.start.delay_ns, line)?;
        let waiting = MessageEntry::read(&mut self.index.messages, id)?;
        let MessageLine { source, destination, bytes, .. } = *message;
        let entry =
            MessageEntry { line, source, destination, bytes, delay_ns: message.start.delay_ns, next, ..waiting };
        entry.write(&mut self.index.messages, id)
    }

    fn add_part(&mut self, part: &PartLine, line: u64) -> Result<()> {
        let PartLine { collective, communicator, task, send, receive, start, .. } = *part;
        let members = self.communicators.get(&communicator).with_context(|| {
            format!("field `commID` is `{communicator}`, expected a communicator with a C line above")
        })?;
        let usual = members.get(task as usize) == Some(&task);
        let member = if usual { Some(task as usize) } else { members.iter().position(|&member| member == task) };
        let member =
            member.with_context(|| format!("field `task` is `{task}`, expected a member of C{communicator}"))?;
        let slot = slot(self.header.tasks, collective, task);
        let old = PartEntry::read(&mut self.index.parts, slot)?;
        ensure!(old.line == 0, "field `task` is `{task}` as in line {}, expected one line per member", old.line);
        self.add_to_collective(part, member, line)?;
        let next = self.chain(Node::Part(slot), start.cause, task, start.delay_ns, line)?;
        let waiting = PartEntry::read(&mut self.index.parts, slot)?;
        let entry = PartEntry { line, send, receive, delay_ns: start.delay_ns, member, next, ..waiting };
        entry.write(&mut self.index.parts, slot)
    }

    /// Notes what one more line says of its collective.
    fn add_to_collective(&mut self, part: &PartLine, member: usize, line: u64) -> Result<()> {
        let PartLine { collective, communicator, operation, send, receive, .. } = *part;
        let code = OPERATIONS.iter().position(|&known| known == operation).context("no operation of a trace")?;
        let mut entry = CollectiveEntry::read(&mut self.index.collectives, collective)?;
        let own = if operation == Collective::Scatter { receive } else { send };
        if entry.parts == 0 {
            self.collectives += 1;
            entry = CollectiveEntry { communicator, code, size: own, first_line: line, ..entry };
        }
        let first = entry.first_line;
        ensure!(
            entry.communicator == communicator,
            "field `commID` is `{communicator}`, expected {} as in line {first} of collective G{collective}",
            entry.communicator
        );
        ensure!(
            entry.code == code,
            "field `OP` is `{code}`, expected {} as in line {first} of collective G{collective}",
            entry.code
        );
        ensure!(
            operation != Collective::AllReduce || entry.size == own,
            "field `send_size` is `{own}`, expected {} as in line {first}: all members of the Allreduce G{collective} give as much",
            entry.size
        );
        if let Some([(field, size), _]) = size_of_root(part).filter(|[(_, size), _]| *size > 0) {
            ensure!(
                entry.root.is_none(),
                "field `{field}` is `{size}`, expected 0, because G{collective} has a root already"
            );
            entry.root = Some(member);
        }
        entry.uneven |= entry.size != own;
        entry.parts += 1;
        entry.write(&mut self.index.collectives, collective)
    }

    /// Puts a line at the front of the chain of those that wait for the same; returns the one behind it.
    fn chain(&mut self, node: Node, cause: Cause, task: u32, delay_ns: u64, line: u64) -> Result<u64> {
        self.records += 1;
        let code = node.code();
        match cause {
            Cause::Begin => {
                self.starts.push(TimedLine { time_ns: delay_ns, task, line, node: code })?;
                Ok(0)
            }
            Cause::Sent(id) => {
                let mut entry = MessageEntry::read(&mut self.index.messages, id)?;
                let next = std::mem::replace(&mut entry.after_sending, code);
                entry.write(&mut self.index.messages, id)?;
                Ok(next)
            }
            Cause::Received(id) => {
                let mut entry = MessageEntry::read(&mut self.index.messages, id)?;
                let next = std::mem::replace(&mut entry.after_receiving, code);
                entry.write(&mut self.index.messages, id)?;
                Ok(next)
            }
            Cause::Finished(id) => {
                let slot = slot(self.header.tasks, id, task);
                let mut entry = PartEntry::read(&mut self.index.parts, slot)?;
                let next = std::mem::replace(&mut entry.after_finishing, code);
                entry.write(&mut self.index.parts, slot)?;
                Ok(next)
            }
        }
    }

    /// Notices a file cut short between two lines.
    fn check_counts(&self, name: &str) -> Result<()> {
        let Header { messages, communicators, collectives, .. } = self.header;
        let counted = [
            ("NumMsg", messages, self.messages, "messages"),
            ("NumCOMM", communicators, self.communicators.len() as u64, "communicators"),
            ("NumGlobalColl", collectives, self.collectives, "collectives"),
        ];
        for (field, promised, found, what) in counted {
            ensure!(
                found >= promised,
                "{name}: the trace is cut short: field `{field}` is `{promised}`, but it has only {found} {what}"
            );
        }
        Ok(())
    }

    /// Checks that all lines wait for what can happen to their tasks, and that collectives are complete.
    fn check_references(&mut self, path: &Path) -> Result<()> {
        let tasks = self.header.tasks;
        let Maker { index, communicators, .. } = self;
        each_record(path, tasks, |_, line| {
            let (task, cause) = match line {
                Line::Message(message) => (message.source, message.start.cause),
                Line::Part(part) => {
                    let entry = CollectiveEntry::read(&mut index.collectives, part.collective)?;
                    let members = communicators.get(&entry.communicator).map_or(0, |members| members.len());
                    ensure!(
                        entry.parts == members as u64,
                        "collective G{} has {} lines, expected {members}, one for each task of C{}",
                        part.collective,
                        entry.parts,
                        entry.communicator
                    );
                    if let Some([(of_root, _), (field, size)]) = size_of_root(part).filter(|_| entry.root.is_none()) {
                        ensure!(
                            size == 0,
                            "field `{field}` is `{size}`, expected 0, because no task of G{} is its root, with a \
                             `{of_root}` above 0",
                            part.collective
                        );
                    }
                    (part.task, part.start.cause)
                }
                Line::Communicator { .. } => return Ok(()),
            };
            let (id, good, expected) = match cause {
                Cause::Begin => return Ok(()),
                Cause::Sent(id) => {
                    let entry = MessageEntry::read(&mut index.messages, id)?;
                    (id, entry.line > 0 && entry.source == task, "a message it sends")
                }
                Cause::Received(id) => {
                    let entry = MessageEntry::read(&mut index.messages, id)?;
                    (id, entry.line > 0 && entry.destination == task, "a message for it")
                }
                Cause::Finished(id) => {
                    let entry = PartEntry::read(&mut index.parts, slot(tasks, id, task))?;
                    (id, entry.line > 0, "a collective it takes part in")
                }
            };
            if !good {
                bail!("field `IDdep` is `{id}`: task {task} waits for it for ever, expected {expected}");
            }
            Ok(())
        })
    }
}
