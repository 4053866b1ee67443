//! The host side of LiteX's UARTBone protocol: words at byte addresses.
//!
//! Source: LiteX, litex/tools/remote/comm_uart.py; docs/microarchitecture/demonstrator.md.

use crate::line::Line;
use anyhow::{Result, anyhow, ensure};

const WRITE: u8 = 1;
const READ: u8 = 2;
/// Words of a burst that a device without a buffer of its own takes, as LiteX's host does.
const WRITE_BURST: usize = 8;
/// Words that a read may ask for at once.
const READ_BURST: usize = 255;

/// A device that speaks the protocol.
pub struct Uartbone {
    line: Box<dyn Line>,
}

/// The six bytes that begin a command.
fn head(command: u8, words: usize, address: u32) -> Result<[u8; 6]> {
    ensure!(address.is_multiple_of(4), "address: {address:#x} is not a multiple of 4");
    let [a, b, c, d] = (address / 4).to_be_bytes();
    Ok([command, words as u8, a, b, c, d])
}

impl Uartbone {
    /// At the other end of a line. A command that somebody broke off before is none of ours: what it left behind is forgotten.
    ///
    /// # Errors
    /// The line is closed.
    pub fn new(mut line: Box<dyn Line>) -> Result<Self> {
        line.forget()?;
        Ok(Uartbone { line })
    }

    /// Forgets answers that are still on their way.
    ///
    /// # Errors
    /// The line is closed.
    pub fn settle(&mut self) -> Result<()> {
        self.line.settle()
    }

    /// The words at consecutive addresses. An answer that does not come is asked for once more.
    ///
    /// # Errors
    /// The device doesn't answer; an address that is no multiple of 4.
    pub fn read(&mut self, address: u32, words: usize) -> Result<Vec<u32>> {
        let mut all = Vec::with_capacity(words);
        while all.len() < words {
            let burst = (words - all.len()).min(READ_BURST);
            let bytes = self.ask(&head(READ, burst, address + 4 * all.len() as u32)?, 4 * burst)?;
            all.extend(bytes.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])));
        }
        Ok(all)
    }

    /// What comes back behind a command, so many bytes. The protocol does not say which question an answer is to: where one was lost or is late,
    /// the line must be quiet before the next question, and after the one that was asked twice.
    fn ask(&mut self, command: &[u8], bytes: usize) -> Result<Vec<u8>> {
        let mut answer = vec![0; bytes];
        self.line.send(command)?;
        let Err(lost) = self.line.receive(&mut answer) else { return Ok(answer) };
        if self.line.settle().and_then(|()| self.line.send(command)).is_err() {
            return Err(lost);
        }
        self.line.receive(&mut answer).map_err(|lost| anyhow!("{lost:#}, asked twice"))?;
        self.line.settle()?;
        Ok(answer)
    }

    /// Writes words at consecutive addresses. The protocol doesn't say whether they have arrived.
    ///
    /// # Errors
    /// The line is closed; an address that is no multiple of 4.
    pub fn write(&mut self, address: u32, words: &[u32]) -> Result<()> {
        for (place, burst) in words.chunks(WRITE_BURST).enumerate() {
            let mut bytes = head(WRITE, burst.len(), address + (4 * WRITE_BURST * place) as u32)?.to_vec();
            bytes.extend(burst.iter().flat_map(|word| word.to_be_bytes()));
            self.line.send(&bytes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use std::collections::VecDeque;
    use std::sync::{Arc, Mutex};

    /// Keeps what is sent, and answers with bytes 0, 1, 2...
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Line for Kept {
        fn send(&mut self, bytes: &[u8]) -> Result<()> {
            self.0.lock().unwrap().extend(bytes);
            Ok(())
        }
        fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
            bytes.iter_mut().zip((0..=u8::MAX).cycle()).for_each(|(byte, number)| *byte = number);
            Ok(())
        }
        fn forget(&mut self) -> Result<()> {
            Ok(())
        }
        fn settle(&mut self) -> Result<()> {
            Ok(())
        }
    }

    /// A line on which the answer to each read is the address, and of which the first byte that is answered is lost.
    #[derive(Default)]
    struct Losing {
        answers: VecDeque<u8>,
        has_lost: bool,
    }

    impl Line for Losing {
        fn send(&mut self, bytes: &[u8]) -> Result<()> {
            self.answers.extend(&bytes[2..]);
            if !std::mem::replace(&mut self.has_lost, true) {
                self.answers.pop_front();
            }
            Ok(())
        }
        fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
            for byte in bytes {
                *byte = self.answers.pop_front().context("no answer")?;
            }
            Ok(())
        }
        fn forget(&mut self) -> Result<()> {
            Ok(())
        }
        fn settle(&mut self) -> Result<()> {
            self.answers.clear();
            Ok(())
        }
    }

    #[test]
    fn an_answer_that_is_lost_is_asked_for_again() {
        let mut bone = Uartbone::new(Box::new(Losing::default())).unwrap();
        assert_eq!((bone.read(4 * 0x1234, 1).unwrap(), bone.read(4 * 0x56, 1).unwrap()), (vec![0x1234], vec![0x56]));
    }

    #[test]
    fn commands_are_those_of_litex() {
        let kept = Kept::default();
        let mut bone = Uartbone::new(Box::new(kept.clone())).unwrap();
        bone.write(0x0001_0008, &[0x1234_5678]).unwrap();
        assert_eq!(bone.read(0x1040, 2).unwrap(), [0x0001_0203, 0x0405_0607]);
        let sent = kept.0.lock().unwrap().clone();
        assert_eq!(sent, [1, 1, 0, 0, 0x40, 2, 0x12, 0x34, 0x56, 0x78, 2, 2, 0, 0, 0x04, 0x10]);
    }

    #[test]
    fn long_runs_are_several_commands() {
        let kept = Kept::default();
        let mut bone = Uartbone::new(Box::new(kept.clone())).unwrap();
        bone.write(0, &[7; 9]).unwrap();
        assert_eq!(bone.read(0, 300).unwrap().len(), 300);
        let sent = kept.0.lock().unwrap().clone();
        assert_eq!(sent[38..44], [1, 1, 0, 0, 0, 8]);
        assert_eq!(sent[48..], [2, 255, 0, 0, 0, 0, 2, 45, 0, 0, 0, 255]);
        assert_eq!(bone.read(6, 1).unwrap_err().to_string(), "address: 0x6 is not a multiple of 4");
    }
}
