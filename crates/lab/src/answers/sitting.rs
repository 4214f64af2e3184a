//! A player who is asked.

use super::{Answer, AnswerTime, Verdict};
use crate::playable::Build;
use crate::table::{guarded, seen};
use crate::{Exam, LabError};
use spielbaum_core::{Forfeit, Game, Player, Report, Task};
use std::time::Instant;

/// One thread's player of an exam.
pub trait Candidate {
    /// Puts a question to the player, begun anew with the question's own seed: no answer
    /// depends on what was asked before. Whatever the player does is part of the record.
    fn answer(&mut self, exam: &Exam, question: usize) -> Result<(Answer, AnswerTime), LabError>;
}

pub(crate) struct Sitting<G: Game> {
    start: G,
    build: Build<G>,
    player: Option<Box<dyn Player<G>>>,
}

impl<G: Game> Sitting<G> {
    pub(crate) fn new(start: G, build: Build<G>) -> Self {
        Sitting { start, build, player: None }
    }

    /// The player's report and a legal move, or its failure.
    fn ask(
        player: &mut dyn Player<G>,
        pos: &G,
        exam: &Exam,
        question: usize,
    ) -> Result<Report<G::Move>, Forfeit> {
        let seed = exam.seed_of(question);
        let seat = pos.turn().player().unwrap_or_default();
        let view = seen(pos, seat, exam.player.sees_all(), seed, 0);
        let mut task = Task::new(exam.limits_of(question));
        guarded(|| {
            player.restart(seed);
            player.think(&view, &mut task)
        })
        .and_then(|answer| answer)
        .and_then(|report| {
            let mut legal = Vec::new();
            pos.moves(&mut legal);
            match legal.contains(&report.best) {
                true => Ok(report),
                false => Err(Forfeit::Illegal(report.best.to_string())),
            }
        })
    }
}

impl<G: Game> Candidate for Sitting<G> {
    fn answer(&mut self, exam: &Exam, question: usize) -> Result<(Answer, AnswerTime), LabError> {
        let asked = &exam.questions[question];
        let number = question as u64;
        let pos = match &asked.position {
            Some(text) => self.start.parse(text).map_err(|e| {
                LabError::Request(format!("the position of question {question}: {e}"))
            })?,
            None => self.start.clone(),
        };
        if self.player.is_none() {
            self.player = Some((self.build)(&exam.player)?);
        }
        let Some(player) = &mut self.player else {
            return Err(LabError::Request("nobody is there to be asked".to_string()));
        };
        let begun = Instant::now();
        let result = Self::ask(player.as_mut(), &pos, exam, question);
        let time = AnswerTime { question: number, seconds: begun.elapsed().as_secs_f64() };
        let answer = match result {
            Ok(report) => {
                let best = report.best.to_string();
                Answer {
                    question: number,
                    kept: asked.keeps(&best),
                    best: Some(best),
                    value: Some(report.value).filter(|value| value.is_finite()),
                    proven: report.proven.map(Verdict::from),
                    depth: report.depth,
                    iterations: report.iterations,
                    nodes: report.nodes,
                    failure: None,
                }
            }
            Err(forfeit) => {
                // Whatever went wrong may have left it in disorder.
                self.player = None;
                let kept = (!asked.known.is_empty()).then_some(false);
                Answer {
                    question: number,
                    best: None,
                    value: None,
                    proven: None,
                    depth: 0,
                    iterations: 0,
                    nodes: 0,
                    kept,
                    failure: Some(forfeit.to_string()),
                }
            }
        };
        Ok((answer, time))
    }
}
