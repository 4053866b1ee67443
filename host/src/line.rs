//! The line to a device: a serial port, a pseudo-terminal, or a TCP socket of a simulation.

use anyhow::{Context, Result, bail, ensure};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
use rustix::termios::{LocalModes, OptionalActions, QueueSelector, isatty, tcflush, tcgetattr, tcsetattr};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Bytes to and from a device.
pub trait Line: Send {
    /// Sends all of it.
    ///
    /// # Errors
    /// The line is closed, or doesn't take the bytes in time.
    fn send(&mut self, bytes: &[u8]) -> Result<()>;
    /// Receives as many bytes as there is room for.
    ///
    /// # Errors
    /// They don't come in time; the line is closed.
    fn receive(&mut self, bytes: &mut [u8]) -> Result<()>;
    /// Forgets what has come in and was not asked for.
    ///
    /// # Errors
    /// The line is closed.
    fn forget(&mut self) -> Result<()>;
    /// Forgets all that comes in until nothing has come for as long as an answer may take: an answer that is late belongs to no other
    /// question then.
    ///
    /// # Errors
    /// The line is closed, or what comes does not end.
    fn settle(&mut self) -> Result<()>;
}

/// Opens `name`: `tcp:HOST:PORT`, or the path of a serial port or pseudo-terminal at `baud` bits a second. An answer is given up when nothing more of it
/// has come for `timeout`.
///
/// # Errors
/// There is no such port; it is no serial port; another program has it; a rate that it does not have.
pub fn open_line(name: &str, baud: u32, timeout: Duration) -> Result<Box<dyn Line>> {
    match name.strip_prefix("tcp:") {
        Some(address) => Ok(Box::new(Socket::open(address, timeout)?)),
        None => Ok(Box::new(SerialPort::open(name, baud, timeout)?)),
    }
}

/// A serial port, raw, 8N1.
struct SerialPort {
    file: File,
    timeout: Duration,
}

/// The longest wait of a single read, in tenths of a second: time-outs are looked at as often.
const READ_TENTHS: u8 = 1;

impl SerialPort {
    fn open(path: &str, baud: u32, timeout: Duration) -> Result<Self> {
        ensure!(baud > 0, "baud: 0 is out of range 1..");
        // Without O_NONBLOCK the call would wait for a modem's carrier.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = open(path, flags, Mode::empty()).with_context(|| format!("port: can't open {path}"))?;
        ensure!(isatty(&file), "port: {path} is not a serial port");
        // Of two that read one line each would take bytes of the other's answers. The lock goes with the file.
        let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
        ensure!(locked != Err(Errno::WOULDBLOCK), "port: another program has {path}");
        let wrong = || format!("port: can't set {path} to {baud} baud, 8N1");
        let mut settings = tcgetattr(&file).with_context(wrong)?;
        settings.make_raw();
        settings.local_modes &= !LocalModes::ECHO;
        settings.set_speed(baud).with_context(wrong)?;
        settings.special_codes[rustix::termios::SpecialCodeIndex::VMIN] = 0;
        settings.special_codes[rustix::termios::SpecialCodeIndex::VTIME] = READ_TENTHS;
        tcsetattr(&file, OptionalActions::Now, &settings).with_context(wrong)?;
        rustix::fs::fcntl_setfl(&file, OFlags::empty()).with_context(wrong)?;
        Ok(SerialPort { file: File::from(file), timeout })
    }
}

impl Line for SerialPort {
    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).context("port: can't write")
    }

    fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
        receive_from(&mut self.file, bytes, self.timeout, false)
    }

    fn forget(&mut self) -> Result<()> {
        tcflush(&self.file, QueueSelector::IFlush).context("port: can't flush")
    }

    fn settle(&mut self) -> Result<()> {
        quiet_of(&mut self.file, self.timeout)
    }
}

/// A TCP connection.
struct Socket {
    stream: TcpStream,
    timeout: Duration,
}

impl Socket {
    fn open(address: &str, timeout: Duration) -> Result<Self> {
        let failed = || format!("port: can't connect to {address}");
        let mut found = address.to_socket_addrs().with_context(failed)?;
        let first = found.next().with_context(failed)?;
        let stream = TcpStream::connect_timeout(&first, timeout.max(Duration::from_millis(1))).with_context(failed)?;
        stream.set_nodelay(true).with_context(failed)?;
        stream.set_read_timeout(Some(Duration::from_millis(100))).with_context(failed)?;
        stream.set_write_timeout(Some(timeout.max(Duration::from_millis(1)))).with_context(failed)?;
        Ok(Socket { stream, timeout })
    }
}

impl Line for Socket {
    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes).context("port: can't write")
    }

    fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
        // A socket that is closed reads as no bytes for ever.
        receive_from(&mut self.stream, bytes, self.timeout, true)
    }

    fn forget(&mut self) -> Result<()> {
        self.stream.set_nonblocking(true).context("port: can't flush")?;
        let mut waste = [0; 256];
        while self.stream.read(&mut waste).is_ok_and(|count| count > 0) {}
        self.stream.set_nonblocking(false).context("port: can't flush")
    }

    fn settle(&mut self) -> Result<()> {
        quiet_of(&mut self.stream, self.timeout)
    }
}

/// Times of an answer after which a line that is still not quiet is given up.
const MOST_WAITS: u32 = 10;

/// Reads until nothing has come for so long.
fn quiet_of(from: &mut impl Read, quiet: Duration) -> Result<()> {
    let (begin, mut waste) = (Instant::now(), [0; 256]);
    let mut last = begin;
    while last.elapsed() < quiet {
        match from.read(&mut waste) {
            Ok(0) => (),
            Ok(_) => last = Instant::now(),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error).context("port: can't read"),
        }
        ensure!(begin.elapsed() <= quiet * MOST_WAITS, "port: bytes that nobody asked for do not end");
    }
    Ok(())
}

/// Fills `bytes`; `nothing_ends`: to read nothing means that the other end is gone, not that it is silent.
fn receive_from(from: &mut impl Read, bytes: &mut [u8], timeout: Duration, nothing_ends: bool) -> Result<()> {
    let (mut last, mut done) = (Instant::now(), 0);
    while done < bytes.len() {
        match from.read(&mut bytes[done..]) {
            Ok(0) if nothing_ends => bail!("port: the other end has closed the connection"),
            Ok(0) => (),
            Ok(count) => (done, last) = (done + count, Instant::now()),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error).context("port: can't read"),
        }
        if done < bytes.len() && last.elapsed() >= timeout {
            bail!("port: no answer in the timeout of {timeout:?} ({done} of {} bytes came)", bytes.len());
        }
    }
    Ok(())
}
