//! Training on a card.

use super::card::{Buffer, Precision, args};
use super::layers::Layers;
use super::room::{Room, SHARES};
use crate::architecture::Shape;
use crate::device::{Batch, Losses, Train};
use crate::error::NetError;
use crate::plan::Head;
use crate::tensors::Tensors;
use crate::train::{Moments, Optimiser, check};
use crate::weights::Weights;

/// A network that learns on a graphics card.
pub struct GpuTrainer {
    layers: Layers,
    optimiser: Optimiser,
    steps: u64,
    /// The weights as they were given: names, texts and extents.
    template: Weights,
    gradient: Buffer,
    first: Buffer,
    second: Buffer,
    trained: Buffer,
    count: usize,
    room: Option<Room>,
}

impl GpuTrainer {
    /// A trainer on the card of this number.
    ///
    /// # Errors
    ///
    /// No such card, no driver, or too little memory.
    pub fn new(
        card: usize,
        weights: Weights,
        optimiser: Optimiser,
    ) -> Result<GpuTrainer, NetError> {
        GpuTrainer::with_precision(card, weights, optimiser, Precision::default())
    }

    /// A trainer that multiplies as exactly as asked for.
    ///
    /// # Errors
    ///
    /// No such card, no driver, or too little memory.
    pub fn with_precision(
        card: usize,
        weights: Weights,
        optimiser: Optimiser,
        precision: Precision,
    ) -> Result<GpuTrainer, NetError> {
        let layers = Layers::new(card, &weights, precision, true)?;
        let moments = Moments::new(&weights);
        let trained: Vec<f32> = weights
            .tensors()
            .iter()
            .zip(&moments.trained)
            .flat_map(|(tensor, trained)| {
                std::iter::repeat_n(f32::from(*trained), tensor.data.len())
            })
            .collect();
        let count = trained.len();
        let zeros = || layers.card.zeros(count);
        let (gradient, first, second, mut mask) = (zeros()?, zeros()?, zeros()?, zeros()?);
        layers.card.upload(&trained, &mut mask)?;
        Ok(GpuTrainer {
            layers,
            optimiser,
            steps: 0,
            template: weights,
            gradient,
            first,
            second,
            trained: mask,
            count,
            room: None,
        })
    }

    /// A kernel that sums over rows, per channel.
    fn sum_rows(
        &self,
        kernel: &str,
        channels: usize,
        args: &[super::card::Arg],
    ) -> Result<(), NetError> {
        let threads = (512 / channels).max(1) * channels;
        self.layers.card.launch(kernel, [SHARES, 1, 1], threads, 8 * threads, args)
    }

    fn forward(&self, room: &Room) -> Result<(), NetError> {
        let layers = &self.layers;
        let Shape { height, width, .. } = layers.shape;
        let rows = layers.rows(room.positions);
        layers.input(room.positions, room.planes.at(0), room.input.at())?;
        for (at, layer) in layers.list.iter().enumerate() {
            layers.pack(at, false, at > 0)?;
            let x = if at == 0 { room.input.at() } else { room.x[at - 1].at() };
            let (y, out, channels) = (room.y[at].at(), room.x[at].at(), layer.wide);
            layers.conv(at, false, rows, (x, y), (0, 0, false))?;
            if layer.norm {
                self.sum_rows("moments", channels, args![y, room.sums.at(0), rows, channels])?;
            }
            let count = room.positions * layers.shape.cells();
            layers.normalisation(at, Some((room.sums.at(0), SHARES)), count)?;
            let skip = if layer.skip { room.x[at - 2].at() } else { 0 };
            let numbers = rows * channels;
            layers.card.each(
                "activate",
                numbers,
                args![y, layer.per.at(0), skip, out, rows, channels, height, width],
            )?;
        }
        let last = layers.list.len() - 1;
        layers.heads(room.positions, room.x[last].at(), &room.heads)
    }

    /// Gradients of the heads; that of the last layer's output in `room.g`.
    fn heads(&self, room: &Room) -> Result<(), NetError> {
        let Layers { card, plan, shape, list, .. } = &self.layers;
        let (layers, n, cells) = (&self.layers, room.positions, shape.cells());
        let gradient = |name: &str| self.gradient.at(layers.start(name));
        let channels = list[list.len() - 1].wide;
        let (p, v, units, inputs) =
            (plan.policy, plan.value, plan.hidden, plan.value_inputs(cells));
        let heads = &room.heads;
        let (logits, hidden, d_value, d_hidden) =
            (heads.logits.at(0), heads.hidden.at(0), room.d_value.at(0), room.d_hidden.at(0));
        let share = 1.0 / n as f32;
        let (policies, outcomes) = (room.policies.at(0), room.outcomes.at(0));
        let losses = room.losses.at(0);
        card.launch(
            "loss",
            [n, 1, 1],
            128,
            0,
            args![logits, heads.values.at(0), policies, outcomes, losses, d_value, cells, share],
        )?;
        let none = (0u64, false);
        // Value: the last layer, the hidden one, what goes into it.
        card.each("column_sums", 1, args![d_value, gradient("value.dense2.bias"), n, 1usize])?;
        layers.product(
            (d_value, (1, 1)),
            (hidden, (units, 1)),
            none,
            gradient("value.dense2.weight"),
            (1, units, n),
        )?;
        card.each(
            "unvalue",
            n * units,
            args![d_value, layers.param("value.dense2.weight"), hidden, d_hidden, n, units],
        )?;
        card.each("column_sums", units, args![d_hidden, gradient("value.dense1.bias"), n, units])?;
        let (d_rows, d_columns) = ((d_hidden, (units, 1)), (d_hidden, (1, units)));
        layers.product(
            d_columns,
            (heads.inputs.at(0), (inputs, 1)),
            none,
            gradient("value.dense1.weight"),
            (units, inputs, n),
        )?;
        layers.product(
            d_rows,
            (layers.param("value.dense1.weight"), (inputs, 1)),
            none,
            room.d_inputs.at(0),
            (n, inputs, units),
        )?;
        let Shape { height, width, .. } = *shape;
        let rows = layers.rows(n);
        match plan.head {
            Head::Dense => {
                let features = p * cells;
                card.each(
                    "column_sums",
                    cells,
                    args![logits, gradient("policy.dense.bias"), n, cells],
                )?;
                layers.product(
                    (logits, (1, cells)),
                    (heads.policy.at(0), (features, 1)),
                    none,
                    gradient("policy.dense.weight"),
                    (cells, features, n),
                )?;
                layers.product(
                    (logits, (cells, 1)),
                    (layers.param("policy.dense.weight"), (features, 1)),
                    none,
                    room.d_policy.at(0),
                    (n, features, cells),
                )?;
                card.each(
                    "scatter",
                    rows * channels,
                    args![
                        room.d_policy.at(0),
                        room.d_inputs.at(0),
                        room.g.at(),
                        rows,
                        channels,
                        p,
                        v,
                        height,
                        width
                    ],
                )
            }
            Head::Pooled => {
                let h = room.x[list.len() - 1].at();
                let weight = layers.param("policy.logit.weight");
                card.launch(
                    "unpool",
                    [n, 1, 1],
                    256,
                    0,
                    args![
                        h,
                        weight,
                        logits,
                        room.d_inputs.at(0),
                        heads.best.at(0),
                        room.g.at(),
                        room.d_logit.at(0),
                        channels,
                        p,
                        v,
                        height,
                        width
                    ],
                )?;
                // Weight and bias lie side by side among the parameters, as they do here.
                card.each(
                    "column_sums",
                    p + 1,
                    args![room.d_logit.at(0), gradient("policy.logit.weight"), n, p + 1],
                )
            }
        }
    }

    fn backward(&self, room: &Room) -> Result<(), NetError> {
        let layers = &self.layers;
        let Shape { height, width, .. } = layers.shape;
        let (card, rows) = (&layers.card, layers.rows(room.positions));
        let (mut g, mut behind) = (room.g.at(), room.behind.at());
        let (dy, sums, with, shares) =
            (room.dy.at(), room.sums.at(0), room.coefficients.at(0), room.shares.at(0));
        let count = (room.positions * layers.shape.cells()) as f32;
        for (at, layer) in layers.list.iter().enumerate().rev() {
            let (y, x, per, wide, deep) =
                (room.y[at].at(), room.x[at].at(), layer.per.at(0), layer.wide, layer.deep);
            self.sum_rows("mask", wide, args![x, y, per, g, sums, rows, wide])?;
            card.each(
                "channel_gradients",
                32 * wide,
                args![
                    sums,
                    SHARES,
                    wide,
                    layer.cout,
                    count,
                    per,
                    self.gradient.at(0),
                    layer.places,
                    layer.norm,
                    with
                ],
            )?;
            card.each(
                "normalised",
                rows * wide,
                args![g, y, per, with, dy, rows, wide, height, width],
            )?;
            if layer.skip {
                std::mem::swap(&mut g, &mut behind);
            }
            let input = if at == 0 { room.input.at() } else { room.x[at - 1].at() };
            let parts = Room::weight_shares(layers, at, rows);
            let taps = layer.side * layer.side;
            card.launch(
                if layer.side == 3 { "gradient3" } else { "gradient1" },
                [parts, layer.side * deep.div_ceil(64), wide.div_ceil(64)],
                256,
                0,
                args![input, dy, shares, rows, deep, wide, width + 1],
            )?;
            let places = self.layers.weight_places(at);
            card.each(
                "add_shares",
                taps * layer.cin * layer.cout,
                args![
                    shares,
                    self.gradient.at(0),
                    parts,
                    taps,
                    layer.cin,
                    layer.cout,
                    deep,
                    wide,
                    layer.places.split as usize,
                    places[0],
                    places[1]
                ],
            )?;
            if at > 0 {
                let first = layers.list.get(at + 1).is_some_and(|layer| layer.skip);
                layers.conv(at, true, rows, (dy, g), (0, if first { behind } else { 0 }, false))?;
            }
        }
        Ok(())
    }

    fn differentiate(&mut self, batch: &Batch<'_>) -> Result<Losses, NetError> {
        let positions = check(batch, &self.template)?;
        let mut room = match self.room.take() {
            Some(room) if room.positions == positions => room,
            old => {
                // Give the memory back before taking more.
                drop(old);
                Room::new(&self.layers, positions)?
            }
        };
        let card = &self.layers.card;
        card.upload(batch.planes, &mut room.planes)?;
        card.upload(batch.policies, &mut room.policies)?;
        card.upload(batch.values, &mut room.outcomes)?;
        self.forward(&room)?;
        self.heads(&room)?;
        self.backward(&room)?;
        let mut each = vec![0.0; 3 * positions];
        card.download(&room.losses, &mut each)?;
        self.room = Some(room);
        let mean = |which: usize| {
            let numbers = each.iter().skip(which).step_by(3);
            numbers.map(|number| f64::from(*number)).sum::<f64>() / positions as f64
        };
        Ok(Losses { value: mean(0), policy: mean(1), entropy: mean(2) })
    }

    /// As [`crate::Trainer::gradients`].
    ///
    /// # Errors
    ///
    /// Targets that do not fit the planes, or a card that failed.
    pub fn gradients(&mut self, batch: &Batch<'_>) -> Result<(Losses, Vec<Vec<f32>>), NetError> {
        let losses = self.differentiate(batch)?;
        Ok((losses, self.tensors(&self.gradient)?))
    }

    /// A buffer laid out as the parameters, tensor by tensor.
    fn tensors(&self, buffer: &Buffer) -> Result<Vec<Vec<f32>>, NetError> {
        let mut flat = vec![0.0; self.count];
        self.layers.card.download(buffer, &mut flat)?;
        let mut rest = flat.as_slice();
        let tensors = self.template.tensors().iter().map(|tensor| {
            let (own, others) = rest.split_at(tensor.data.len());
            rest = others;
            own.to_vec()
        });
        Ok(tensors.collect())
    }
}

impl Train for GpuTrainer {
    fn step(&mut self, batch: &Batch<'_>) -> Result<Losses, NetError> {
        let losses = self.differentiate(batch)?;
        self.steps += 1;
        let with = self.optimiser.at(self.steps);
        self.layers.card.each(
            "adam",
            self.count,
            args![
                self.layers.params.at(0),
                self.gradient.at(0),
                self.first.at(0),
                self.second.at(0),
                self.trained.at(0),
                self.count,
                with.decay,
                with.beta1,
                with.beta2,
                with.rate,
                with.correction,
                with.epsilon
            ],
        )?;
        Ok(losses)
    }

    fn weights(&self) -> Result<Weights, NetError> {
        let mut weights = self.template.clone();
        let tensors = self.tensors(&self.layers.params)?;
        for (tensor, data) in weights.tensors_mut().iter_mut().zip(tensors) {
            tensor.data = data;
        }
        Ok(weights)
    }

    fn state(&self) -> Result<Tensors, NetError> {
        let mut moments = Moments::new(&self.template);
        moments.steps = self.steps;
        moments.first = self.tensors(&self.first)?;
        moments.second = self.tensors(&self.second)?;
        Ok(moments.save(&self.optimiser, &self.weights()?))
    }

    fn restore(&mut self, state: &Tensors) -> Result<(), NetError> {
        let (moments, optimiser, weights) = Moments::load(state, &self.template)?;
        let card = &self.layers.card;
        let params: Vec<f32> =
            weights.tensors().iter().flat_map(|tensor| tensor.data.iter().copied()).collect();
        card.upload(&params, &mut self.layers.params)?;
        card.upload(&moments.first.concat(), &mut self.first)?;
        card.upload(&moments.second.concat(), &mut self.second)?;
        self.steps = moments.steps;
        self.optimiser = optimiser;
        self.template = weights;
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.optimiser.learning_rate
    }

    fn set_learning_rate(&mut self, rate: f64) {
        self.optimiser.learning_rate = rate;
    }
}
