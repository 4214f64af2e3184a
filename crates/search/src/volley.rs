//! Leaf parallelism: several playouts from a new leaf at once, averaged (Cazenave and Jouandeau
//! 2007; Chaslot, Winands, van den Herik 2008).
//!
//! Each playout counts as a simulation, and has a seed of its own, drawn in order; so with a budget
//! of simulations or plays the search is the same on one core as on many.

use crate::leaf::Leaf;
use spielbaum_core::{Game, MAX_PLAYERS, Meter, Payoffs, Rng};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// A playout to be made elsewhere: from where, by which seed, within what.
struct Order<G> {
    pos: G,
    seed: u64,
    meter: Meter,
}

/// A thread that makes playouts until its orders end. It gives the position back with the
/// result, so that nothing is allocated for a playout.
struct Helper<G: Game> {
    orders: Option<Sender<Order<G>>>,
    results: Receiver<(Payoffs, Order<G>)>,
    thread: Option<JoinHandle<()>>,
    /// The position and meter of the last order, to be used again.
    spare: Option<Order<G>>,
}

impl<G: Game> Helper<G> {
    fn new(mut leaf: Box<dyn Leaf<G>>) -> Self {
        let (orders, inbox) = channel::<Order<G>>();
        let (outbox, results) = channel();
        let thread = std::thread::spawn(move || {
            for mut order in inbox {
                let mut rng = Rng::new(order.seed);
                let payoffs = leaf.evaluate(&mut order.pos, &mut rng, &mut order.meter);
                if outbox.send((payoffs, order)).is_err() {
                    break;
                }
            }
        });
        Helper { orders: Some(orders), results, thread: Some(thread), spare: None }
    }

    fn send(&mut self, pos: &G, seed: u64, meter: Meter) {
        let order = match self.spare.take() {
            Some(mut order) => {
                order.pos.clone_from(pos);
                Order { seed, meter, ..order }
            }
            None => Order { pos: pos.clone(), seed, meter },
        };
        if let Some(orders) = &self.orders
            && orders.send(order).is_err()
        {
            self.fail();
        }
    }

    fn receive(&mut self) -> (Payoffs, u64) {
        match self.results.recv() {
            Ok((payoffs, order)) => {
                let nodes = order.meter.nodes();
                self.spare = Some(order);
                (payoffs, nodes)
            }
            Err(_) => self.fail(),
        }
    }

    /// The thread has panicked: so does this one.
    fn fail(&mut self) -> ! {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => resume_unwind(panic),
            _ => unreachable!("a helper ends only when its orders do"),
        }
    }
}

impl<G: Game> Drop for Helper<G> {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told when it happened.
            drop(thread.join());
        }
    }
}

/// Playouts side by side. The leaves must not learn: none of them would see all playouts.
pub struct Volley<G: Game> {
    own: Box<dyn Leaf<G>>,
    /// What the helpers will use, until they are first needed.
    idle: Vec<Box<dyn Leaf<G>>>,
    helpers: Vec<Helper<G>>,
}

impl<G: Game> Volley<G> {
    /// One playout on the thread of the search and one on a thread of its own for each other leaf.
    pub fn new(own: Box<dyn Leaf<G>>, others: Vec<Box<dyn Leaf<G>>>) -> Self {
        Volley { own, idle: others, helpers: Vec::new() }
    }
}

impl<G: Game> Leaf<G> for Volley<G> {
    fn settle(&mut self, pos: &G) -> Payoffs {
        self.own.settle(pos)
    }

    fn evaluate(&mut self, pos: &mut G, rng: &mut Rng, meter: &mut Meter) -> Payoffs {
        self.helpers.extend(self.idle.drain(..).map(Helper::new));
        // The simulation itself is counted; each further playout asks.
        let mut sent = 0;
        for helper in &mut self.helpers {
            if !meter.iteration() {
                break;
            }
            helper.send(pos, rng.next(), meter.part(0, 1));
            sent += 1;
        }
        let mut seeded = Rng::new(rng.next());
        let mut sum = self.own.evaluate(pos, &mut seeded, meter).map(f64::from);
        for helper in &mut self.helpers[..sent] {
            let (payoffs, nodes) = helper.receive();
            meter.plays(nodes);
            for seat in 0..MAX_PLAYERS {
                sum[seat] += f64::from(payoffs[seat]);
            }
        }
        sum.map(|s| (s / (sent + 1) as f64) as f32)
    }

    fn begin(&mut self, root: &G) {
        self.own.begin(root);
    }

    fn restart(&mut self) {
        self.own.restart();
    }

    fn bytes(&self) -> usize {
        self.own.bytes()
    }
}
