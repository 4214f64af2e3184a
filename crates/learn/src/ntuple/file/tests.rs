use super::*;
use crate::ntuple::{Config, Learner};
use spielbaum_games::g2048::G2048;

fn learner(method: Method, init: f32) -> Learner<G2048> {
    let shape = "0123-0145".parse().unwrap();
    let config =
        Config { shape, method, alpha: 0.5, init, backward: None, promote: false, seed: 3 };
    let mut learner = Learner::new(G2048::new(4, 4).unwrap(), "2048:rows=4,columns=4", config);
    learner.train(30, 1, &|| false);
    learner
}

fn small(net: &Network, blank: f32) -> (Header, Vec<u8>) {
    let training = Training {
        seed: 3,
        method: Method::Tc,
        alpha: 0.5,
        init: 0.0,
        backward: None,
        promote: false,
        cooled: None,
        origin: None,
        games: 30,
        moves: 5,
        tally: Tally::default(),
    };
    let header = Header {
        format: FORMAT,
        kind: Kind::Small,
        game: "2048:rows=4,columns=4".to_string(),
        board: [4, 4],
        shape: net.shape().to_string(),
        blank,
        scales: Vec::new(),
        training,
    };
    let mut bytes = Vec::new();
    write(&mut bytes, &header, net).unwrap();
    (header, bytes)
}

#[test]
fn a_small_net_is_read_as_it_was_but_for_rounding() {
    for init in [0.0, 1600.0] {
        let learner = learner(Method::Tc, init);
        let net = learner.net();
        let (header, bytes) = small(net, init / 16.0);
        let (found, again) = read(&*bytes, "test").unwrap();
        assert_eq!(Header { scales: Vec::new(), ..found.clone() }, header);
        let mut different = 0;
        for i in 0..net.shape().weights() {
            let scale = found.scales[i >> 16];
            let (a, b) = (net.weight(i), again.weight(i));
            assert!((a - b).abs() <= 0.51 * scale, "{i}: {a} {b}");
            different += usize::from(a != header.blank);
        }
        assert!(different > 1000, "{different}");
        assert!(bytes.len() < 1000 + 6 * different, "{} bytes", bytes.len());
    }
}

/// A net that is read again and written again is the same file.
#[test]
fn rounding_happens_once() {
    let (_, bytes) = small(learner(Method::Td, 0.0).net(), 0.0);
    let (header, net) = read(&*bytes, "test").unwrap();
    let mut again = Vec::new();
    write(&mut again, &header, &net).unwrap();
    let (_, second) = read(&*again, "test").unwrap();
    assert!((0..net.shape().weights()).all(|i| net.weight(i) == second.weight(i)));
}

#[test]
fn damage_is_found() {
    let (_, bytes) = small(learner(Method::Tc, 0.0).net(), 0.0);
    let mut rng = spielbaum_core::Rng::new(1);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = rng.below(bytes.len());
        damaged[at] ^= 1 << rng.below(8);
        assert!(read(&*damaged, "test").is_err(), "bit flipped in byte {at}");
        assert!(read(&bytes[..at], "test").is_err(), "cut at {at}");
    }
    let mut longer = bytes;
    longer.push(0);
    let error = read(&*longer, "test").err().unwrap().to_string();
    assert!(error.contains("test is no n-tuple net") && error.contains("follows"), "{error}");
    let error = read(&b"something else altogether"[..], "x").err().unwrap().to_string();
    assert!(error.contains("does not begin like one"), "{error}");
}

/// Interrupted and taken up again is the same as in one go, byte by byte.
#[test]
fn a_checkpoint_has_everything() {
    let dir = std::env::temp_dir().join(format!("spielbaum-ntuple-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let backward = |lambda, restart| Some(Backward { lambda, restart });
    let ways = [None, backward(0.5, None), backward(0.25, Some(10))];
    for (method, backward) in [Method::Td, Method::Tc].iter().flat_map(|m| ways.map(|w| (*m, w))) {
        let shape: Shape = "0123-0145".parse().unwrap();
        let promote = method == Method::Tc && backward.is_some();
        let config = Config { shape, method, alpha: 0.5, init: 320.0, backward, promote, seed: 3 };
        let (start, game) = (G2048::new(4, 4).unwrap(), "2048:rows=4,columns=4");
        let mut whole = Learner::new(start, game, config.clone());
        whole.train(20, 1, &|| false);
        whole.save(&dir.join("whole")).unwrap();
        let mut first = Learner::new(start, game, config.clone());
        first.train(7, 1, &|| false);
        first.save(&dir.join("part")).unwrap();
        drop(first);
        let mut second = Learner::resume(start, game, config.clone(), &dir.join("part")).unwrap();
        assert_eq!(second.games(), 7);
        second.train(20, 1, &|| false);
        second.save(&dir.join("part")).unwrap();
        let bytes = |name: &str| fs::read(dir.join(name)).unwrap();
        assert!(bytes("whole") == bytes("part"));
        // Of learning during the game the header says what it always said.
        let head = String::from_utf8_lossy(&bytes("part")[..600]).contains("backward");
        assert_eq!(head, backward.is_some());
        // To play with it, nobody needs the rest.
        let (header, net) = read_file(&dir.join("part")).unwrap();
        assert_eq!(header.training.games, 20);
        let all = 0..net.shape().weights();
        assert!(all.into_iter().all(|i| net.weight(i) == whole.net().weight(i)));
        let lambda = Some(Backward { lambda: 0.75, restart: Some(10) });
        let others = [
            Config { alpha: 0.25, ..config.clone() },
            Config { backward: lambda, ..config.clone() },
            Config { promote: !promote, ..config },
        ];
        for other in others {
            let error = Learner::resume(start, game, other, &dir.join("part")).err().unwrap();
            assert!(error.to_string().contains("not of a training of this kind"), "{error}");
        }
    }
    fs::remove_dir_all(&dir).unwrap();
}
