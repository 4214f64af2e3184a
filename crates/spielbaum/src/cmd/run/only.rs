//! `--only`: some sections or parts of an experiment, or of several.

use crate::failure::{Failure, Outcome};
use clap::Args;
use spielbaum_lab::{Experiment, Part, Section};

/// Which parts are asked for.
#[derive(Args)]
pub(crate) struct Only {
    /// Only these sections or parts
    #[arg(long = "only", value_name = "ID", value_delimiter = ',', num_args = 1..)]
    ids: Vec<String>,
}

fn is_called(id: &str, section: &Section, part: &Part) -> bool {
    section.id == id || part.name == id
}

impl Only {
    /// An error if a name is in none of the experiments; all of them are told what there is.
    pub(crate) fn check(&self, experiments: &[&Experiment]) -> Outcome {
        let parts = || experiments.iter().flat_map(|experiment| experiment.parts());
        let unknown = |id: &&String| !parts().any(|(section, part)| is_called(id, section, part));
        let Some(id) = self.ids.iter().find(unknown) else { return Ok(()) };
        let sections = |experiment: &&Experiment| {
            let ids: Vec<&str> = experiment.sections.iter().map(|s| s.id.as_str()).collect();
            let ids = ids.join(", ");
            match (experiments.len(), &experiment.paper) {
                (2.., Some(paper)) => format!("{ids} of {}", paper.id),
                _ => ids,
            }
        };
        let sections: Vec<String> = experiments.iter().map(sections).collect();
        Err(Failure::Input(format!(
            "--only {id}: no such section or part; the sections are {}",
            sections.join("; ")
        )))
    }

    /// The names of the parts asked for; none if all that is asked for is in other experiments.
    pub(crate) fn parts(&self, experiment: &Experiment) -> Vec<String> {
        let asked = |section: &Section, part: &Part| {
            self.ids.is_empty() || self.ids.iter().any(|id| is_called(id, section, part))
        };
        let parts = experiment.parts().filter(|(section, part)| asked(section, part));
        parts.map(|(_, part)| part.name.clone()).collect()
    }

    /// The option as it was given, to be repeated.
    pub(crate) fn option(&self) -> String {
        match self.ids.is_empty() {
            true => String::new(),
            false => format!(" --only {}", self.ids.join(",")),
        }
    }
}
