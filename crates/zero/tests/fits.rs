//! A network that does not fit the board is told before the game.

use spielbaum_core::Player;
use spielbaum_core::param::resolve;
use spielbaum_games::gomoku::Gomoku;
use spielbaum_net::{Shape, Weights};
use spielbaum_zero::spec::{ZERO, learned};

fn player(net: &str) -> Box<dyn Player<Gomoku>> {
    let args = resolve(&format!("zero:net=\"{net}\""), "player", &[&ZERO]);
    let args = args.unwrap_or_else(|e| panic!("{e}"));
    let player = learned::<Gomoku>(&args).expect("it is a player of this crate");
    player.unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_network_for_another_board_does_not_fit() {
    let shape = Shape { planes: 4, height: 6, width: 6 };
    let path =
        std::env::temp_dir().join(format!("spielbaum-fits-{}.safetensors", std::process::id()));
    for (architecture, anywhere) in [("paper", false), ("res:blocks=1,channels=16", true)] {
        let weights = Weights::new(architecture.parse().unwrap(), shape, 1).unwrap();
        std::fs::write(&path, weights.to_tensors().to_bytes()).unwrap();
        let mut player = player(path.to_str().unwrap());
        assert_eq!(player.fits(&Gomoku::new(6, 6, 4).unwrap()), Ok(()));
        let other = player.fits(&Gomoku::new(8, 8, 5).unwrap());
        assert_eq!(other.is_ok(), anywhere, "{architecture}: {other:?}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn no_network_comes_for_three_in_a_row() {
    let error = player("auto").fits(&Gomoku::new(6, 6, 3).unwrap()).unwrap_err();
    assert!(error.contains("k=3"), "{error}");
    assert_eq!(player("auto").fits(&Gomoku::new(6, 6, 5).unwrap()), Ok(()));
}
