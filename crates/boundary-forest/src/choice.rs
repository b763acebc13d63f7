//! Random choice among the closest: the only draws of a walk.

use crate::chance::Chance;

/// Which of `marks` is the least, each of several equal ones with the same probability.
///
/// A draw is made only if there are several: `below(m)` for `m` of them, the i-th for the answer i.
/// 0 if there are no marks.
pub(crate) fn least<V: Copy + PartialOrd>(marks: &[V], chance: &mut impl Chance) -> usize {
    let Some(least) = minimum(marks) else {
        return 0;
    };
    let mut equal = marks.iter().enumerate().filter(|(_, mark)| **mark == least);
    let first = equal.next().map_or(0, |(index, _)| index);
    let others = equal.count();
    if others == 0 {
        return first;
    }
    nth_equal(marks, least, chance.below(others + 1))
}

/// The least of `marks`.
#[inline(always)]
pub(crate) fn minimum<V: Copy + PartialOrd>(marks: &[V]) -> Option<V> {
    let smaller = |a: V, b: V| if b < a { b } else { a };
    marks.iter().copied().reduce(smaller)
}

#[cold]
fn nth_equal<V: Copy + PartialOrd>(marks: &[V], least: V, nth: usize) -> usize {
    let mut equal = marks.iter().enumerate().filter(|(_, mark)| **mark == least);
    equal.nth(nth).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scripted(Vec<(usize, usize)>);

    impl Chance for Scripted {
        fn below(&mut self, n: usize) -> usize {
            let (of, answer) = self.0.remove(0);
            assert_eq!(n, of);
            answer
        }
    }

    #[test]
    fn only_the_closest_are_chosen_among() {
        let marks = [3, 1, 3, 1, 2, 1];
        for (answer, index) in [(0, 1), (1, 3), (2, 5)] {
            assert_eq!(least(&marks, &mut Scripted(vec![(3, answer)])), index);
        }
    }

    #[test]
    fn no_draw_is_made_without_a_tie() {
        let mut never = Scripted(vec![]);
        assert_eq!(least(&[2.0, 2.0, 1.0], &mut never), 2);
        assert_eq!(least(&[f64::NAN], &mut never), 0);
        assert_eq!(least::<u32>(&[], &mut never), 0);
    }
}
