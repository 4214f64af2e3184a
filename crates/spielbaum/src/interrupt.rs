//! Ctrl-C: the first asks for a clean end, the second ends at once.

use crate::failure::Failure;
use spielbaum_core::Stop;

/// A flag that Ctrl-C and a termination signal set. To be called once in a process.
pub(crate) fn on_ctrl_c(message: &'static str) -> Result<Stop, Failure> {
    let stop = Stop::new();
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.is_set() {
            std::process::exit(130);
        }
        flag.set();
        if !message.is_empty() {
            let _ =
                std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("\n{message}\n"));
        }
    })
    .map_err(|e| Failure::Task(format!("cannot listen to Ctrl-C: {e}")))?;
    Ok(stop)
}
