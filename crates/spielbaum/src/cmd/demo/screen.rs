//! Where the show is seen: frames redrawn in place on a terminal, plain text elsewhere.

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::paint::{Paint, is_screen};
use std::io::Write;
use std::time::Duration;

/// Cursor shown, lines wrapped: how a terminal should be left.
const RESTORE: &str = "\x1b[?25h\x1b[?7h";
/// Cursor hidden, long lines cut: a narrow window shows less, and frames stay in their place.
const DRAW: &str = "\x1b[?25l\x1b[?7l";

pub(super) struct Screen<'a> {
    out: &'a mut Output,
    pub(super) paint: Paint,
    /// A terminal that can be drawn on.
    pub(super) live: bool,
    /// Lines of the frame that the next one replaces.
    height: usize,
}

impl<'a> Screen<'a> {
    pub(super) fn new(out: &'a mut Output) -> Self {
        Screen { out, paint: Paint::stdout(), live: is_screen(), height: 0 }
    }

    /// Text that stays.
    pub(super) fn say(&mut self, text: &str) -> Outcome {
        self.height = 0;
        self.out.text(text)?;
        Ok(self.out.flush()?)
    }

    /// A frame in the place of the last one; nothing but on a terminal.
    pub(super) fn frame(&mut self, lines: &[String]) -> Outcome {
        if !self.live {
            return Ok(());
        }
        let mut text = DRAW.to_string();
        if self.height > 0 {
            text += &format!("\x1b[{}A\r", self.height);
        }
        for line in lines {
            text += &format!("{line}\x1b[K\n");
        }
        text += RESTORE;
        self.height = lines.len();
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    /// The last frame of a scene, which stays; the only one where frames are not redrawn.
    pub(super) fn last_frame(&mut self, lines: &[String]) -> Outcome {
        if self.live {
            self.frame(lines)?;
            self.height = 0;
            return Ok(());
        }
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        self.say(&lines.join("\n"))
    }

    /// Time to look at it.
    pub(super) fn pause(&self, time: Duration) {
        if self.live {
            std::thread::sleep(time);
        }
    }
}

/// Ctrl-C leaves the terminal as it was.
pub(super) fn restore_on_ctrl_c() -> Outcome {
    let live = is_screen();
    ctrlc::set_handler(move || {
        if live {
            let mut out = std::io::stdout();
            let _ = out.write_all(format!("{RESTORE}\n").as_bytes()).and_then(|()| out.flush());
        }
        std::process::exit(130);
    })
    .map_err(|e| Failure::Task(format!("cannot listen to Ctrl-C: {e}")))
}
