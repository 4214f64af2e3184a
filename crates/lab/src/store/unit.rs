//! A unit as bytes: a line for each record, then the seal.

use crate::LabError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The last line of a unit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    unit: u64,
    /// How many records there are, whatever they are of.
    games: u64,
    /// FNV-1a, 64 bits, of all bytes before this line.
    checksum: String,
}

/// The bytes of a unit: records, then the seal.
pub(crate) fn unit_bytes<R: Serialize>(unit: u64, records: &[R]) -> Result<Vec<u8>, LabError> {
    let cannot = |e| LabError::Request(format!("a record cannot be written: {e}"));
    let mut bytes = Vec::new();
    for record in records {
        serde_json::to_writer(&mut bytes, record).map_err(cannot)?;
        bytes.push(b'\n');
    }
    let checksum = format!("{:016x}", fnv1a(&bytes));
    let seal = Seal { unit, games: records.len() as u64, checksum };
    serde_json::to_writer(&mut bytes, &seal).map_err(cannot)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads the seal of a unit and where it begins, or tells what is wrong with the bytes.
fn seal_of(unit: u64, bytes: &[u8]) -> Result<(Seal, usize), String> {
    let truncated = || "it is truncated".to_string();
    let body = bytes.strip_suffix(b"\n").ok_or_else(truncated)?;
    let last = body.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let seal: Seal = serde_json::from_slice(&body[last..]).map_err(|_| truncated())?;
    if seal.checksum != format!("{:016x}", fnv1a(&bytes[..last])) {
        return Err("its checksum is wrong, it has been changed".to_string());
    }
    if seal.unit != unit {
        return Err(format!("it is unit {}", seal.unit));
    }
    Ok((seal, last))
}

/// Whether the bytes are those that were sealed; if not, what is wrong. Records are not parsed,
/// which takes many times as long.
pub(super) fn check_seal(unit: u64, bytes: &[u8]) -> Result<(), String> {
    seal_of(unit, bytes).map(drop)
}

/// The records of a unit, or what is wrong with its bytes.
pub(super) fn parse_unit<R: DeserializeOwned>(unit: u64, bytes: &[u8]) -> Result<Vec<R>, String> {
    let (seal, last) = seal_of(unit, bytes)?;
    let text = std::str::from_utf8(&bytes[..last]).map_err(|e| e.to_string())?;
    let records: Vec<R> = (text.lines().enumerate())
        .map(|(i, line)| {
            serde_json::from_str(line).map_err(|e| format!("line {}: not a record: {e}", i + 1))
        })
        .collect::<Result<_, _>>()?;
    match records.len() as u64 == seal.games {
        true => Ok(records),
        false => Err(format!("it has {} records, its seal says {}", records.len(), seal.games)),
    }
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo): finds accidents, not malice.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_on(FNV1A, bytes)
}

/// The hash of nothing.
pub(crate) const FNV1A: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of what was hashed before and these bytes.
pub(crate) fn fnv1a_on(hash: u64, bytes: &[u8]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(hash, add)
}
