#!/usr/bin/env bash
# Checks a real Slurm cluster: a sweep whose tasks are requeued and killed, and a sequential test,
# both compared byte by byte with runs on this machine. Takes some minutes of two cores.
#
#   tests/slurm.sh PROGRAM [SBATCH-OPTION...]
#
# To be called in a directory that the cluster's machines see; works below ./slurm-check there.
set -euo pipefail
program=$(realpath "${1:?usage: tests/slurm.sh PROGRAM [SBATCH-OPTION...]}")
shift
options=()
for option; do options+=("--slurm-option=$option"); done
dir=$PWD/slurm-check
[ ! -e "$dir" ] || { echo "$dir is there already: remove it first" >&2; exit 2; }
mkdir "$dir"

cat >"$dir/sweep.toml" <<TOML
seed = 5
[[experiment]]
id = "c"
game = "gomoku:m=6,n=6,k=4"
format = "gauntlet"
games = 40
players = ["uct:iterations=20000,c=[0.5,0.9,1.4]"]
opponents = ["uct:iterations=20000"]
[[experiment]]
id = "traps"
game = "lion"
format = "match"
games = 20
traps = 3
players = ["uct:iterations=2000", "random"]
[[experiment]]
id = "deep"
game = "lion"
format = "depths"
depths = 6
max-nodes = 1_000_000
players = ["alphabeta", "minimax"]
TOML
cat >"$dir/test.toml" <<TOML
seed = 5
game = "gomoku:m=6,n=6,k=4"
format = "gauntlet"
games = 4000
players = ["uct:iterations=400"]
opponents = ["uct:iterations=[350,100]"]
[stop]
sprt = "elo0=0,elo1=15"
TOML

# on_cluster NAME: in the background; $! is the command that submits and watches.
on_cluster() {
    "$program" run "$dir/$1.toml" --out "$dir/$1" --backend slurm --task-time 5s "${options[@]}" &
}
# The job of the first submission, once there is one.
job() {
    until sed -n 's/.*"job": "\([0-9]*\)".*/\1/p' "$dir/$1/slurm/wave-001.json" 2>/dev/null | grep .; do
        sleep 0.2
    done
}
# Waits until a task runs; whether it did before the run was over.
runs() {
    while kill -0 "$2" 2>/dev/null; do
        [ "$(squeue --noheader --format=%T --jobs="$1" 2>/dev/null)" != RUNNING ] || return 0
        sleep 0.2
    done
    return 1
}
same() {
    diff -r --exclude=timing --exclude=slurm "$dir/$1-local" "$dir/$1"
    echo "== $1: the same bytes; submissions: $(ls "$dir/$1"/slurm/wave-*.json | wc -l)"
}

for name in sweep test; do
    "$program" run "$dir/$name.toml" --out "$dir/$name-local" --quiet >/dev/null
done

on_cluster sweep
watcher=$!
id=$(job sweep)
if runs "${id}_0" $watcher; then scontrol requeue "${id}_0" && echo "== requeued task 0"; fi
if runs "${id}_1" $watcher; then scancel --full --signal=KILL "${id}_1" && echo "== killed task 1"; fi
sleep 1
kill -INT $watcher
wait $watcher || true
echo "== the submitting command was interrupted; it comes back"
"$program" run "$dir/sweep" --backend slurm "${options[@]}"
same sweep

on_cluster test
wait $!
same test
rm -r "$dir"
echo "Slurm is fine."
