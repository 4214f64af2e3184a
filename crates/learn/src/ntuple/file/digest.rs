//! Bytes that are summed up as they pass.

use super::NetError;
use spielbaum_core::zobrist;
use std::io::{self, Read, Write};

/// A sum of bytes, eight at a time: it finds damage, and is no cryptography.
#[derive(Default)]
struct Digest {
    state: u64,
    rest: [u8; 8],
    held: usize,
    length: u64,
}

impl Digest {
    fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if self.held > 0 {
            let n = bytes.len().min(8 - self.held);
            self.rest[self.held..self.held + n].copy_from_slice(&bytes[..n]);
            self.held += n;
            bytes = &bytes[n..];
            if self.held < 8 {
                return;
            }
            self.word(u64::from_le_bytes(self.rest));
        }
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        self.rest[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    fn word(&mut self, word: u64) {
        self.state = zobrist::key(self.state, word);
    }

    fn value(&mut self) -> u64 {
        self.rest[self.held..].fill(0);
        zobrist::key(zobrist::key(self.state, u64::from_le_bytes(self.rest)), self.length)
    }
}

/// A writer that ends with the checksum of what it wrote.
pub(super) struct Digesting<W> {
    out: W,
    digest: Digest,
}

impl<W: Write> Digesting<W> {
    pub(super) fn new(out: W) -> Self {
        Digesting { out, digest: Digest::default() }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        let sum = self.digest.value();
        self.out.write_all(&sum.to_le_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.digest.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A reader that knows what its file is called and ends with its checksum.
pub(super) struct Reading<'a, R> {
    input: R,
    name: &'a str,
    digest: Digest,
}

impl<'a, R: Read> Reading<'a, R> {
    pub(super) fn new(input: R, name: &'a str) -> Self {
        Reading { input, name, digest: Digest::default() }
    }

    /// The error that the file is not what it should be.
    pub(super) fn bad(&self, problem: impl Into<String>) -> NetError {
        NetError::unusable(self.name, problem)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetError> {
        self.input.read_exact(bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => self.bad("it ends too early"),
            _ => NetError::Io { path: self.name.into(), source: e },
        })
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        self.digest.add(&bytes);
        Ok(bytes)
    }

    pub(super) fn bytes(&mut self, n: usize) -> Result<Vec<u8>, NetError> {
        let mut bytes = vec![0; n];
        self.fill(&mut bytes)?;
        self.digest.add(&bytes);
        Ok(bytes)
    }

    pub(super) fn leb128(&mut self) -> Result<usize, NetError> {
        let mut n = 0;
        for shift in (0..35).step_by(7) {
            let [byte] = self.array()?;
            n |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(n);
            }
        }
        Err(self.bad("a length that is too long"))
    }

    /// Compares the checksum; nothing may follow.
    pub(super) fn finish(&mut self) -> Result<(), NetError> {
        let sum = self.digest.value();
        if u64::from_le_bytes(self.array()?) != sum {
            return Err(self.bad("its checksum is wrong, so it is damaged"));
        }
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(()),
            _ => Err(self.bad("something follows its end")),
        }
    }
}
