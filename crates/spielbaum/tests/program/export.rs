//! `export` into files, links, pipes and standard output.

use crate::runs::write;
use crate::support::{Scratch, error, run, stdout};
use std::fs;
use std::path::Path;

/// A run of one match in some units.
fn recorded(scratch: &Scratch) -> String {
    let text = "game = \"gomoku:m=3,n=3,k=3\"\nformat = \"match\"\ngames = 6\n\
                players = [\"uct:iterations=20000\", \"random\"]\n";
    let (file, dir) = (write(scratch, text), scratch.path("run"));
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    dir
}

/// The files beside the run, none of them half-written.
fn files(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(&scratch.0).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_digest_goes_to_standard_output_too() {
    let scratch = Scratch::new("export-stdout");
    let dir = recorded(&scratch);
    let path = scratch.path("d.json");
    assert_eq!(stdout(&format!("export '{dir}' --digest '{path}'")), "");
    let output = run(&format!("export '{dir}' --digest -"));
    assert_eq!(output.stdout, fs::read(&path).unwrap());
    assert!(output.status.success() && !Path::new("-").exists());
    let both = error(&format!("export '{dir}' --digest - --csv -"), 2);
    assert!(both.contains("only one of"), "{both}");
    assert_eq!(files(&scratch), ["d.json", "run", "study.toml"]);
}

#[test]
fn records_of_the_run_are_not_written_over() {
    let scratch = Scratch::new("export-records");
    let dir = recorded(&scratch);
    for (option, name) in [("digest", "run.json"), ("csv", "parts/main-001/units/000000.jsonl")] {
        let before = fs::read(format!("{dir}/{name}")).unwrap();
        let told = error(&format!("export '{dir}' --{option} '{dir}/{name}'"), 2);
        assert!(told.contains("is a file of the run") && told.contains("another name"), "{told}");
        assert_eq!(fs::read(format!("{dir}/{name}")).unwrap(), before);
    }
    // Another file there is as good as anywhere, twice too.
    for _ in 0..2 {
        stdout(&format!("export '{dir}' --csv '{dir}/table.csv'"));
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_only_files_are_replaced() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let scratch = Scratch::new("export-link");
    let dir = recorded(&scratch);
    fs::create_dir(scratch.0.join("kept")).unwrap();
    for option in ["--digest", "--csv"] {
        let expected = run(&format!("export '{dir}' {option} -")).stdout;
        let name = &option[2..];
        let (target, link) = (scratch.0.join("kept").join(name), scratch.0.join(name));
        // A link to where nothing is yet, relative to where it lies; and then there is a file.
        symlink(Path::new("kept").join(name), &link).unwrap();
        stdout(&format!("export '{dir}' {option} '{}'", link.display()));
        assert_eq!(fs::read(&target).unwrap(), expected);
        fs::write(&target, "an old one").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        stdout(&format!("export '{dir}' {option} '{}'", link.display()));
        assert_eq!(fs::read(&target).unwrap(), expected);
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o640);

        let pipe = scratch.path(&format!("{name}.pipe"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let told = error(&format!("export '{dir}' {option} '{pipe}'"), 2);
        assert!(
            told.contains(".pipe is a pipe or a device") && told.contains("a regular file"),
            "{told}"
        );
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        let told = error(&format!("export '{dir}' {option} /dev/null"), 2);
        assert!(told.contains("/dev/null is a pipe or a device"), "{told}");
        let told = error(&format!("export '{dir}' {option} '{}'", scratch.path("kept")), 2);
        assert!(told.contains("kept is a directory"), "{told}");
    }
    let names = ["csv", "csv.pipe", "digest", "digest.pipe", "kept", "run", "study.toml"];
    assert_eq!(files(&scratch), names);
}

#[test]
fn a_damaged_run_leaves_no_part_of_a_table() {
    let scratch = Scratch::new("export-damaged");
    let dir = recorded(&scratch);
    let unit = scratch.0.join("run/parts/main-001/units/000001.jsonl");
    let good = fs::read_to_string(&unit).unwrap();
    fs::write(&unit, good.replacen("\"over\"", "\"limit\"", 1)).unwrap();
    let path = scratch.path("games.csv");
    let told = error(&format!("export '{dir}' --csv '{path}'"), 2);
    assert!(told.contains("000001.jsonl"), "{told}");
    assert_eq!(files(&scratch), ["run", "study.toml"]);
    fs::write(&path, "the table of yesterday").unwrap();
    error(&format!("export '{dir}' --csv '{path}'"), 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), "the table of yesterday");
    assert_eq!(files(&scratch), ["games.csv", "run", "study.toml"]);
}
