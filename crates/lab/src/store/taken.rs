//! What a record has from a digest, which holds statistics and results, but no moves: a note
//! beside the header.
//!
//! ```text
//! DIR/taken-over.jsonl      the note, then a line with its checksum
//! ```

use super::disk::is_host;
use super::{Recorded, Store, publish, unit};
use crate::LabError;
use crate::plan::FORMAT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// The name of the note's file.
pub(super) const FILE: &str = "taken-over.jsonl";

/// Which digests games were taken over from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TakenOver {
    /// Games, or answers, by the file name of the digest.
    pub digests: BTreeMap<String, u64>,
    /// Whether the part was taken over whole: its statistics are there, its games are not.
    /// Otherwise its games are there, these without their moves.
    pub whole: bool,
}

impl TakenOver {
    /// The names of the digests: `2048.json`.
    pub fn names(&self) -> String {
        self.digests.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// Games, or answers.
    pub fn items(&self) -> u64 {
        self.digests.values().sum()
    }
}

/// A part that is complete, without its records.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Whole<S, T> {
    pub(crate) summary: S,
    /// Wall times, where they are known.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub(crate) times: Option<T>,
}

/// A whole part of this kind.
pub(crate) type WholeOf<W> = Whole<<W as Recorded>::Summary, <W as Recorded>::Sums>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note<S, T> {
    format: u32,
    digests: BTreeMap<String, u64>,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    whole: Option<Whole<S, T>>,
}

/// A note of this kind.
type NoteOf<W> = Note<<W as Recorded>::Summary, <W as Recorded>::Sums>;

impl<W: Recorded> Store<W> {
    fn note_path(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    fn note(&self) -> Result<Option<NoteOf<W>>, LabError> {
        let path = self.note_path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(LabError::io(&path)(e)),
        };
        let wrong = |problem: String| LabError::damaged(&path, problem, self.remedy());
        let mut notes: Vec<NoteOf<W>> = unit::parse_unit(0, &bytes).map_err(wrong)?;
        match notes.pop() {
            Some(note) if notes.is_empty() && note.format == FORMAT => {
                if let Some(Whole { summary, times }) = &note.whole {
                    let sound = self.work.check_statistics(summary, times.as_ref(), true);
                    sound.map_err(wrong)?;
                }
                Ok(Some(note))
            }
            _ => Err(wrong("it is no note of this format".to_string())),
        }
    }

    /// What to do about a note that is damaged: units count without it.
    fn remedy(&self) -> &'static str {
        match self.units_there().is_empty() {
            true => {
                "give `--from` the digest again and the part is taken over anew, or delete this file \
                 and the part is played"
            }
            false => {
                "give `--from` the digest again and it is written anew, or delete it: what is \
                 recorded here counts without it, and the rest is played"
            }
        }
    }

    /// Which digests it has games from, if it has any.
    pub(crate) fn taken_over(&self) -> Result<Option<TakenOver>, LabError> {
        let told =
            |note: NoteOf<W>| TakenOver { digests: note.digests, whole: note.whole.is_some() };
        Ok(self.note()?.map(told))
    }

    /// The statistics that it has instead of games, and where they are from.
    pub(crate) fn whole(&self) -> Result<Option<(TakenOver, WholeOf<W>)>, LabError> {
        Ok(self.note()?.and_then(|note| {
            let taken = TakenOver { digests: note.digests, whole: true };
            Some((taken, note.whole?))
        }))
    }

    /// Takes the statistics of a complete part in the place of its games.
    pub(crate) fn take_whole(
        &self,
        digests: BTreeMap<String, u64>,
        whole: WholeOf<W>,
    ) -> Result<(), LabError> {
        self.put_note(Note { format: FORMAT, digests, whole: Some(whole) })?;
        self.conclude_whole()
    }

    /// Notes which digests the units are from, `digest` the latest. All units that are there count, so
    /// that a note that is damaged or lost, or was never written, is as it would have been.
    pub(crate) fn note_units(&self, digest: &str) -> Result<(), LabError> {
        let there = self.note();
        let known = match &there {
            Ok(Some(note)) if note.whole.is_some() => return Ok(()),
            Ok(Some(note)) => note.digests.clone(),
            Ok(None) | Err(LabError::Damaged { .. }) => BTreeMap::new(),
            // One that cannot be read now is not known to be damaged.
            Err(_) => return there.map(drop),
        };
        let digests = self.origins(digest, &known);
        match there {
            Ok(_) if digests == known => Ok(()),
            // Nothing that is here tells of a digest any more; without units it is left to the user.
            Err(_) if digests.is_empty() => match self.units_there().is_empty() {
                true => Ok(()),
                false => fs::remove_file(self.note_path()).map_err(LabError::io(&self.note_path())),
            },
            _ => self.put_note(Note { format: FORMAT, digests, whole: None }),
        }
    }

    /// Records by the digest that they are from, beside what is known of them: its name stands in the place
    /// of the host in the times of a unit. Records that lack something are of `digest` if no name is there.
    fn origins(&self, digest: &str, known: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        let is_digest =
            |name: &String| name == digest || known.contains_key(name) || !is_host(name);
        let (mut named, mut lacking) = (BTreeMap::new(), 0_u64);
        for unit in self.units_there() {
            // One that is damaged is to be restored first.
            let Ok(Some(records)) = self.read(unit) else { continue };
            let told: Vec<_> = records.iter().map(|r| self.work.is_from_digest(r)).collect();
            lacking += told.iter().filter(|told| **told == Some(true)).count() as u64;
            if let Some(name) = self.timing(unit).map(|timing| timing.host).filter(is_digest) {
                let of_digest = told.iter().filter(|told| **told != Some(false)).count() as u64;
                *named.entry(name).or_insert(0) += of_digest;
            }
        }
        let mut digests = known.clone();
        for (name, items) in named.into_iter().filter(|&(_, items)| items > 0) {
            let noted = digests.entry(name).or_insert(0);
            *noted = items.max(*noted);
        }
        let nameless = lacking.saturating_sub(digests.values().sum());
        if nameless > 0 {
            *digests.entry(digest.to_string()).or_insert(0) += nameless;
        }
        digests
    }

    fn put_note(&self, note: NoteOf<W>) -> Result<(), LabError> {
        publish(&self.note_path(), &unit::unit_bytes(0, &[note])?)
    }

    /// Writes the statistics of a part that was taken over whole.
    pub(crate) fn conclude_whole(&self) -> Result<(), LabError> {
        match self.whole()? {
            Some((_, whole)) => self.put_summary(&whole.summary),
            None => Ok(()),
        }
    }
}

impl Store {
    /// An error if games of a digest were taken over whole, so that none is here.
    pub fn games_are_here(&self) -> Result<(), LabError> {
        match self.whole()? {
            Some((taken, _)) => Err(LabError::Request(format!(
                "{} was taken over whole from {}, which holds its statistics and no games",
                self.dir.display(),
                taken.names()
            ))),
            None => Ok(()),
        }
    }
}
