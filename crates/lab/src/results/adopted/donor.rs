//! The run from which another takes over: a directory or a digest.

use super::{Batch, Lot, Origin, Sheets, WholePart};
use crate::results::digest::{Digest, Games, PartDigest, checksum, damaged, games_of};
use crate::runner::Runnable;
use crate::store::{Recorded, Store, Whole, differences, header_of};
use crate::{AnyGame, Detail, Exam, ExamHeader, Header, LabError, Part, Plan, RunHeader, Work};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run from which another takes over, read before anything is written.
pub struct Donor {
    matches: Vec<(Header, Source)>,
    exams: Vec<(ExamHeader, Option<String>, Source)>,
}

/// Where a part lies.
enum Source {
    /// In a directory.
    Dir(PathBuf),
    /// In a digest of this name.
    Digest(String, Box<PartDigest>),
}

impl Donor {
    /// Opens the directory of a run, or its digest.
    pub fn open(path: &Path, catalog: &[&dyn AnyGame]) -> Result<Donor, LabError> {
        if path.is_dir() { Self::of_dir(path) } else { Self::of_digest(path, catalog) }
    }

    fn of_dir(path: &Path) -> Result<Donor, LabError> {
        RunHeader::read(path)?;
        let folder = path.join("parts");
        let mut dirs: Vec<PathBuf> = (std::fs::read_dir(&folder).into_iter().flatten().flatten())
            .map(|entry| entry.path())
            .collect();
        dirs.sort();
        let mut donor = Donor { matches: Vec::new(), exams: Vec::new() };
        for dir in dirs {
            if dir.join(Plan::FILE).exists() {
                donor.matches.push((header_of::<Plan>(&dir)?, Source::Dir(dir)));
            } else if dir.join(Exam::FILE).exists() {
                donor.exams.push((header_of::<Exam>(&dir)?, None, Source::Dir(dir)));
            }
        }
        Ok(donor)
    }

    fn of_digest(path: &Path, catalog: &[&dyn AnyGame]) -> Result<Donor, LabError> {
        let mut digest = Digest::read(path)?;
        let parts = std::mem::take(&mut digest.parts);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The first versions did not write headers: there the experiment says what was played.
        let old = |part: &PartDigest| part.header.is_none() && part.exam_header.is_none();
        let experiment = match parts.iter().any(old) {
            true => Some(digest.parse(catalog)?),
            false => None,
        };
        let mut donor = Donor { matches: Vec::new(), exams: Vec::new() };
        for part in parts {
            let all = experiment.iter().flat_map(|experiment| experiment.parts());
            let work = all.map(|(_, p)| p).find(|p| p.name == part.part).map(|p| &p.work);
            let (header, exam_header) = (part.header.clone(), part.exam_header.clone());
            let questions = part.questions.clone();
            let source = Source::Digest(name.clone(), Box::new(part));
            match (header, exam_header, work) {
                (Some(header), ..) => donor.matches.push((header, source)),
                (_, Some(header), _) => donor.exams.push((header, questions, source)),
                (_, _, Some(Work::Match(plan))) => {
                    donor.matches.push((plan.header().clone(), source));
                }
                (_, _, Some(Work::Exam(exam))) => {
                    donor.exams.push((exam.header().clone(), None, source));
                }
                _ => {}
            }
        }
        Ok(donor)
    }

    /// What there is of this match, or of one that differs in the number of games, by the name of
    /// the part.
    pub(super) fn matches(
        &self,
        plan: &Plan,
    ) -> impl Iterator<Item = Result<(String, Lot<Plan, Batch>), LabError>> {
        (self.matches.iter()).filter_map(|(header, source)| {
            let lot = match plan.alike(header) {
                Some(fewer) => source.of_match(&fewer),
                None => Ok(Lot::Other(plan.other_network(header)?)),
            };
            Some(lot.map(|lot| (source.part(), lot)))
        })
    }

    /// What there is of this exam, by the name of the part.
    pub(super) fn exams(
        &self,
        exam: &Exam,
    ) -> impl Iterator<Item = Result<(String, Lot<Exam, Sheets>), LabError>> {
        let asked = exam.header();
        (self.exams.iter()).filter_map(move |(header, questions, source)| {
            let mut header = header.clone();
            // A digest has the questions once, in its experiment.
            if let Some(sum) = questions {
                header.questions = asked.questions.clone();
                (*sum == checksum(&header.questions)).then_some(())?;
            }
            if exam.renewed(header.clone()) == *asked {
                return Some(source.of_exam(exam).map(|lot| (source.part(), lot)));
            }
            let network = asked.player.other_network(&header.player)?;
            header.player.net = None;
            let other = (source.part(), Lot::Other(network));
            (exam.renewed(header) == *asked).then_some(Ok(other))
        })
    }

    /// Why there is nothing for a part though one of its name is there: the settings that differ.
    pub(super) fn difference(&self, part: &Part) -> Option<String> {
        let is_it = |source: &Source| source.part() == part.name;
        let of_match = self.matches.iter().find(|(_, source)| is_it(source));
        let of_exam = self.exams.iter().find(|(_, _, source)| is_it(source));
        let fields = match (&part.work, of_match, of_exam) {
            (Work::Match(plan), Some((header, _)), _) => plan.differences(header),
            (Work::Exam(exam), _, Some((header, sum, source))) => {
                exam_differences(exam, header, sum.as_ref(), source)
            }
            (Work::Match(_), None, Some(_)) => return Some("it is an exam there".to_string()),
            (Work::Exam(_), Some(_), None) => return Some("it is a match there".to_string()),
            (_, None, None) => return None,
        };
        Some(format!("it has other settings there: {}", fields.join(", ")))
    }
}

/// The settings in which an exam differs that is there; a digest has a checksum of its questions.
fn exam_differences(
    exam: &Exam,
    header: &ExamHeader,
    sum: Option<&String>,
    source: &Source,
) -> Vec<String> {
    let asked = exam.header();
    let same = match sum {
        Some(sum) => *sum == checksum(&asked.questions),
        None => header.questions == asked.questions,
    };
    let mut there = ExamHeader { questions: asked.questions.clone(), ..header.clone() };
    let mut fields = Vec::new();
    if !same {
        (there.questions_per_unit, there.units) = (asked.questions_per_unit, asked.units);
        let (number, wanted) = (source.questions(header), asked.questions.len() as u64);
        fields.push(match number == wanted {
            true => format!("`questions` ({number} others there)"),
            false => format!("`questions` ({number} there, {wanted} asked)"),
        });
    }
    fields.extend(differences(asked, &exam.renewed(there)));
    fields
}

impl Origin {
    fn digest(name: &str) -> Origin {
        Origin { place: PathBuf::from(name), digest: Some(name.to_string()) }
    }
}

impl Source {
    /// The name of the part.
    fn part(&self) -> String {
        match self {
            Source::Dir(dir) => dir.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Source::Digest(_, part) => part.part.clone(),
        }
    }

    /// How many questions the exam of this header has.
    fn questions(&self, header: &ExamHeader) -> u64 {
        match self {
            Source::Dir(_) => header.questions.len() as u64,
            Source::Digest(_, part) => part.exam.as_ref().map_or(0, |summary| summary.questions),
        }
    }

    fn of_match(&self, plan: &Plan) -> Result<Lot<Plan, Batch>, LabError> {
        match self {
            Source::Dir(dir) => {
                let store = Store::open(dir, plan);
                if let Some((taken, whole)) = store.whole()? {
                    let traps = crate::results::read_json(&dir.join("traps.json"));
                    let (work, digests) = (plan.clone(), taken.digests);
                    let whole = WholePart { work, digests, whole, traps };
                    return Ok(Lot::Whole(Box::new(whole)));
                }
                Ok(Lot::Records(games(&store)?))
            }
            Source::Digest(name, part) => {
                let wrong = |e: String| damaged(Path::new(name), &part.part, &e);
                part.check_match(plan).map_err(wrong)?;
                Ok(match (&part.match_, part.complete) {
                    (Some(summary), true) => Lot::Whole(Box::new(WholePart {
                        work: plan.clone(),
                        digests: BTreeMap::from([(name.clone(), Plan::counted(summary))]),
                        whole: Whole { summary: summary.clone(), times: part.times.clone() },
                        traps: part.traps.clone(),
                    })),
                    _ => {
                        let games = part.games(plan).map_err(wrong)?;
                        let hosts = BTreeMap::from([(0, (name.clone(), 1))]);
                        let played = part.match_.as_ref().map_or(0, Plan::counted);
                        let lost = if part.rows.is_empty() { played } else { 0 };
                        Lot::Records(Batch { games, hosts, origin: Origin::digest(name), lost })
                    }
                })
            }
        }
    }

    fn of_exam(&self, exam: &Exam) -> Result<Lot<Exam, Sheets>, LabError> {
        match self {
            Source::Dir(dir) => {
                let store = Store::open(dir, exam);
                if let Some((taken, whole)) = store.whole()? {
                    let (work, digests) = (exam.clone(), taken.digests);
                    let whole = WholePart { work, digests, whole, traps: None };
                    return Ok(Lot::Whole(Box::new(whole)));
                }
                let mut units = Vec::new();
                for unit in store.units_there() {
                    let Some(answers) = store.read(unit)? else { continue };
                    let timing = store.timing(unit);
                    let host = timing.as_ref().map(|t| (t.host.clone(), t.threads));
                    let times = timing.map(|timing| timing.times).unwrap_or_default();
                    units.push(((unit, answers, times), host));
                }
                let origin = Origin { place: dir.clone(), digest: None };
                Ok(Lot::Records(Sheets { units, origin, lost: 0 }))
            }
            Source::Digest(name, part) => {
                let wrong = |e: String| damaged(Path::new(name), &part.part, &e);
                part.check_exam(exam).map_err(wrong)?;
                Ok(match (&part.exam, part.complete) {
                    (Some(summary), true) => Lot::Whole(Box::new(WholePart {
                        work: exam.clone(),
                        digests: BTreeMap::from([(name.clone(), Exam::counted(summary))]),
                        whole: Whole { summary: summary.clone(), times: part.answers.clone() },
                        traps: None,
                    })),
                    _ => {
                        part.check_answers(exam).map_err(wrong)?;
                        let host = || Some((name.clone(), 1));
                        let units: Vec<_> =
                            part.answered.iter().map(|unit| (unit.clone(), host())).collect();
                        let played = part.exam.as_ref().map_or(0, Exam::counted);
                        let lost = if units.is_empty() { played } else { 0 };
                        Lot::Records(Sheets { units, origin: Origin::digest(name), lost })
                    }
                })
            }
        }
    }
}

/// The games of a record.
fn games(store: &Store) -> Result<Batch, LabError> {
    let (mut games, mut hosts) = (Games::new(), BTreeMap::new());
    for unit in store.units_there() {
        if let Some(timing) = store.timing(unit) {
            let first = store.work().schedule.unit(unit).start;
            hosts.insert(first, (timing.host, timing.threads));
        }
        games.extend(games_of(store, unit)?);
    }
    // Some may be from a digest, and lack the moves that others have.
    let taken = store.taken_over()?.filter(|_| store.work().record == Detail::Full);
    let digest = taken.map(|taken| taken.names());
    let origin = Origin { place: store.dir().to_path_buf(), digest };
    Ok(Batch { games, hosts, origin, lost: 0 })
}
