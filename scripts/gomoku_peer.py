#!/usr/bin/env python3
"""Paired games against the published networks of junxiaosong/AlphaZero_Gomoku, which run in their own code (numpy).

python3 scripts/gomoku_peer.py CHECKOUT [--board 6|8] [--games 100] [--program spielbaum]
    [--player zero-plus:iterations=400] [--playouts 400] [--jobs N] [--seed 1]

CHECKOUT is a copy of that repository. Every opening is two random moves, played twice with sides swapped.
"""
import argparse
import json
import os
import pickle
import random
import subprocess
import sys
import warnings
from multiprocessing import Pool

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

MODELS = {6: (4, "best_policy_6_6_4.model"), 8: (5, "best_policy_8_8_5.model")}


def text(move, size):
    return f"{chr(97 + move % size)}{move // size + 1}"


def number(name, size):
    return (int(name[1:]) - 1) * size + ord(name[0]) - 97


def ours(options, size, row, moves):
    """The program's move; its search begins anew each time."""
    game = f"gomoku:m={size},n={size},k={row}"
    command = [options.program, "analyze", game, options.player, "--json"]
    if moves:
        command += ["--moves", " ".join(text(m, size) for m in moves)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return number(json.loads(answer.stdout)["best"], size)


def play(task):
    """One game: our points, and the moves."""
    options, opening, first = task
    sys.path.insert(0, options.checkout)
    warnings.simplefilter("ignore")
    from game import Board
    from mcts_alphaZero import MCTSPlayer
    from policy_value_net_numpy import PolicyValueNetNumpy

    size = options.board
    row, file = MODELS[size]
    with open(os.path.join(options.checkout, file), "rb") as stream:
        weights = pickle.load(stream, encoding="bytes")
    board = Board(width=size, height=size, n_in_row=row)
    board.init_board()
    net = PolicyValueNetNumpy(size, size, weights)
    peer = MCTSPlayer(net.policy_value_fn, c_puct=5, n_playout=options.playouts)
    moves = []
    ours_is = board.players[0 if first else 1]
    while not board.game_end()[0]:
        if len(moves) < len(opening):
            move = opening[len(moves)]
        elif board.get_current_player() == ours_is:
            move = ours(options, size, row, moves)
        else:
            move = int(peer.get_action(board))
        moves.append(move)
        board.do_move(move)
    winner = board.game_end()[1]
    points = 0.5 if winner == -1 else float(winner == ours_is)
    return points, first, " ".join(text(m, size) for m in moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("--board", type=int, choices=sorted(MODELS), default=6)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--program", default="spielbaum")
    parser.add_argument("--player", default="zero-plus:iterations=400")
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    openings = [chance.sample(range(options.board**2), 2) for _ in range((options.games + 1) // 2)]
    tasks = [(options, opening, first) for opening in openings for first in (True, False)]
    results = []
    with Pool(options.jobs) as pool:
        for points, first, moves in pool.imap(play, tasks):
            results.append((points, first, moves))
            print(f"{points} {'first' if first else 'second'} {moves}", flush=True)
    count = lambda of: [sum(p == x for p, f, _ in results if f in of) for x in (1.0, 0.5, 0.0)]
    total = sum(p for p, _, _ in results)
    print(f"{options.board}x{options.board}: {100 * total / len(results):.1f} % of {len(results)} games; wins, draws, "
          f"losses {count((True, False))}, moving first {count((True,))}, second {count((False,))}")


if __name__ == "__main__":
    main()
