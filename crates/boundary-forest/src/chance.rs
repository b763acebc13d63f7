//! Random choice among ties: the only draws of a walk.

use forest_core::TreeRng;

/// Where a walk takes its draws from.
pub(crate) trait Chance {
    /// Uniform on `0..n`; `n` is at least 1.
    fn below(&mut self, n: usize) -> usize;
}

/// Learning draws from the tree's own stream.
impl Chance for TreeRng {
    fn below(&mut self, n: usize) -> usize {
        TreeRng::below(self, n)
    }
}

/// Prediction draws what the tree's stream would give next and leaves the stream alone.
///
/// The copy is made at the first draw: most walks meet no tie, and a generator is not small.
pub(crate) struct Foresight<'a> {
    stream: &'a TreeRng,
    copy: Option<TreeRng>,
}

impl<'a> Foresight<'a> {
    pub(crate) fn of(stream: &'a TreeRng) -> Self {
        Self { stream, copy: None }
    }
}

impl Chance for Foresight<'_> {
    fn below(&mut self, n: usize) -> usize {
        let stream = self.stream;
        self.copy.get_or_insert_with(|| stream.clone()).below(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foresight_draws_what_the_stream_draws_next() {
        let mut stream = TreeRng::new(5, 1);
        let before = stream.clone();
        let mut foresight = Foresight::of(&before);
        let foreseen: Vec<usize> = (0..9).map(|_| foresight.below(1000)).collect();
        let drawn: Vec<usize> = (0..9).map(|_| stream.below(1000)).collect();
        assert_eq!(foreseen, drawn);
    }
}
