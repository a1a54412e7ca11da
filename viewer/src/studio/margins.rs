//! Titles in two columns beside a model, none over another, with the lines that lead from each to its part.

/// First words of titles of what comes in pairs.
pub(super) const SIDES: [&str; 2] = ["left ", "right "];

/// Height of letters [pixel] on a common display.
pub(super) const HEIGHT: f32 = 14.0;

/// Distance of titles above each other over the height of their letters.
const SPACING: f32 = 1.55;

/// Width of a letter over its height, in the mean of a title.
const LETTER: f32 = 0.52;

/// Share of the width of a picture that each column takes at most.
pub(super) const COLUMN: f32 = 0.22;

/// A part that is seen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) title: String,
    /// Point of it [pixel].
    pub(super) pixel: [f32; 2],
    /// Number of its points that are seen: what is seen of it.
    pub(super) weight: usize,
}

/// A title where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) title: String,
    /// End of the title that its line begins at [pixel].
    pub(super) at: [f32; 2],
    /// Bend of its line, and the point of the part that it leads to [pixel].
    pub(super) line: [[f32; 2]; 2],
    /// True in the left column, where titles end beside the model.
    pub(super) left: bool,
}

/// Places of titles in a picture of this size, for letters of this height [pixel]. Where there are more than fit, those of
/// which least is seen are left out.
pub(super) fn placed_titles(mut parts: Vec<Part>, size: [f32; 2], height: f32) -> Vec<Placed> {
    let pitch = SPACING * height;
    let room = ((size[1] - pitch) / pitch).max(0.0) as usize;
    parts.sort_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.title.cmp(&b.title)));
    parts.truncate(2 * room);
    parts.sort_by(|a, b| a.pixel[0].total_cmp(&b.pixel[0]));
    // Either side takes what lies on it, the other what is left over.
    let on_left = parts.iter().filter(|part| part.pixel[0] < 0.5 * size[0]).count();
    let count = on_left.clamp(parts.len().saturating_sub(room), room.min(parts.len()));
    let right = parts.split_off(count);
    let mut placed = column(parts, size, height, true);
    placed.extend(column(right, size, height, false));
    placed
}

fn column(mut parts: Vec<Part>, size: [f32; 2], height: f32, left: bool) -> Vec<Placed> {
    parts.sort_by(|a, b| a.pixel[1].total_cmp(&b.pixel[1]));
    let pitch = SPACING * height;
    let heights: Vec<f32> = parts.iter().map(|part| part.pixel[1]).collect();
    let heights = spread(&heights, pitch, [pitch, size[1] - pitch]);
    let widest = parts.iter().map(|part| part.title.chars().count()).max().unwrap_or(0);
    let width = (LETTER * height * widest as f32 + height).min(COLUMN * size[0]);
    let (x, inwards) = if left { (width, 1.0) } else { (size[0] - width, -1.0) };
    let place = |(part, y): (Part, f32)| Placed {
        title: capitalized(&part.title),
        at: [x, y],
        line: [[x + inwards * 1.2 * height, y], part.pixel],
        left,
    };
    parts.into_iter().zip(heights).map(place).collect()
}

/// Numbers in order, each at least `apart` more than the one before, between two ends, and as near to those given as that
/// allows: those that meet are moved together by their mean.
fn spread(wanted: &[f32], apart: f32, [low, high]: [f32; 2]) -> Vec<f32> {
    let mut runs: Vec<(f32, usize)> = Vec::new();
    for (k, wanted) in wanted.iter().enumerate() {
        // In steps of `apart`, numbers only have to rise.
        let mut run = (wanted - k as f32 * apart, 1);
        while let Some(&(mean, count)) = runs.last().filter(|(mean, _)| *mean > run.0) {
            runs.pop();
            let all = count + run.1;
            run = ((mean * count as f32 + run.0 * run.1 as f32) / all as f32, all);
        }
        runs.push(run);
    }
    let last = high - wanted.len().saturating_sub(1) as f32 * apart;
    let values = runs.iter().flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    values.enumerate().map(|(k, x)| x.min(last).max(low) + k as f32 * apart).collect()
}

fn capitalized(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(title: &str, pixel: [f32; 2], weight: usize) -> Part {
        Part { title: title.into(), pixel, weight }
    }

    #[test]
    fn numbers_are_spread_as_little_as_they_must_be() {
        assert_eq!(spread(&[10.0, 50.0], 10.0, [0.0, 100.0]), [10.0, 50.0], "they do not meet");
        assert_eq!(spread(&[50.0, 50.0, 50.0], 10.0, [0.0, 100.0]), [40.0, 50.0, 60.0]);
        assert_eq!(spread(&[1.0, 2.0], 10.0, [0.0, 100.0]), [0.0, 10.0], "the end holds them");
        assert_eq!(spread(&[99.0, 100.0], 10.0, [0.0, 100.0]), [90.0, 100.0]);
        assert!(spread(&[], 10.0, [0.0, 100.0]).is_empty());
    }

    #[test]
    fn no_title_covers_another_and_lines_of_a_column_do_not_cross() {
        // Thirty parts on a spiral.
        let at = |k: usize| {
            let (sin, cos) = (0.9 * k as f32).sin_cos();
            [400.0 + 6.0 * k as f32 * cos, 300.0 + 5.0 * k as f32 * sin]
        };
        let parts = (0..30).map(|k| part(&format!("part {k}"), at(k), 1 + k % 5)).collect();
        let placed = placed_titles(parts, [800.0, 600.0], 14.0);
        assert_eq!(placed.len(), 30);
        for left in [true, false] {
            let column: Vec<_> = placed.iter().filter(|it| it.left == left).collect();
            assert!(column.len() > 8, "{} of 30", column.len());
            for pair in column.windows(2) {
                assert!(pair[1].at[1] - pair[0].at[1] >= SPACING * 14.0 - 1e-3, "{pair:?}");
                assert!(pair[1].line[1][1] >= pair[0].line[1][1], "{pair:?}");
            }
            assert!(column.iter().all(|it| (14.0..586.0).contains(&it.at[1])));
        }
    }

    #[test]
    fn of_more_parts_than_fit_the_best_seen_are_named() {
        let parts = (0..100).map(|k| part(&format!("{k}"), [k as f32, 50.0], k)).collect();
        let placed = placed_titles(parts, [100.0, 120.0], 10.0);
        assert!((4..20).contains(&placed.len()), "{}", placed.len());
        assert!(placed.iter().all(|it| it.title.parse::<usize>().unwrap() >= 80), "{placed:?}");
        assert!(placed_titles(vec![part("a", [1.0; 2], 1)], [100.0, 5.0], 10.0).is_empty());
    }
}
