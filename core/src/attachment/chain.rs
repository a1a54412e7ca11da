//! Chains of attachments resolved: every attached point in terms of masters that are no attached points. The order is
//! found once; the weights along the chains are multiplied whenever they change.

use super::{AttachmentError, AttachmentList};
use crate::Mat3;

pub(super) const NONE: u32 = u32::MAX;

/// Attached rows by resolved masters, numbered as in the list.
#[derive(Clone)]
pub(super) struct Chains {
    /// Numbers of the attached points, each after those of its masters that are attached points.
    pub(super) order: Vec<u32>,
    /// Number of an attached point by block row, or [`NONE`].
    pub(super) number: Vec<u32>,
    /// Index of the first resolved master of each attached point.
    pub(super) offsets: Vec<u32>,
    /// Block rows of the resolved masters, rising within an attached point.
    pub(super) masters: Vec<u32>,
    /// Terms of the resolved weights, masters of a chain before what hangs on them.
    terms: Vec<Term>,
}

/// Adds to resolved weight `target` the given weight `own`, times resolved weight `along` where the
/// master is an attached point itself.
#[derive(Clone)]
struct Term {
    own: u32,
    along: u32,
    target: u32,
}

impl Chains {
    pub(super) fn new(
        list: &AttachmentList,
        size: usize,
        fixed: &[[bool; 3]],
    ) -> Result<Self, AttachmentError> {
        let number = attached_numbers(list, size, fixed)?;
        let order = dependency_order(list, &number)?;
        let mut resolved: Vec<Vec<u32>> = vec![Vec::new(); list.attached_rows().len()];
        for &k in &order {
            let mut masters = Vec::new();
            for &master in list.masters(k as usize) {
                match number[master as usize] {
                    NONE => masters.push(master),
                    attached => masters.extend_from_slice(&resolved[attached as usize]),
                }
            }
            masters.sort_unstable();
            masters.dedup();
            resolved[k as usize] = masters;
        }
        let mut offsets = vec![0u32];
        offsets.extend(resolved.iter().scan(0, |sum, m| {
            *sum += m.len() as u32;
            Some(*sum)
        }));
        let (masters, terms) = (resolved.concat(), Vec::new());
        let mut chains = Self { order, number, offsets, masters, terms };
        for k in chains.order.clone() {
            chains.add_terms(list, k as usize);
        }
        Ok(chains)
    }

    fn add_terms(&mut self, list: &AttachmentList, k: usize) {
        let places = self.resolved(k);
        let own_masters = &self.masters[places.clone()];
        let place = |master: u32| {
            let found = own_masters.binary_search(&master).expect("masters were collected before");
            (places.start + found) as u32
        };
        for (own, &master) in list.weights(k).zip(list.masters(k)) {
            let own = own as u32;
            match self.number[master as usize] {
                NONE => self.terms.push(Term { own, along: NONE, target: place(master) }),
                attached => {
                    let along = self.resolved(attached as usize);
                    let term = |along: usize| Term {
                        own,
                        along: along as u32,
                        target: place(self.masters[along]),
                    };
                    self.terms.extend(along.map(term));
                }
            }
        }
    }

    /// Places of the resolved masters of attached point number `k`.
    #[inline(always)]
    pub(super) fn resolved(&self, k: usize) -> std::ops::Range<usize> {
        self.offsets[k] as usize..self.offsets[k + 1] as usize
    }

    /// Multiplies weights along the chains.
    pub(super) fn resolve(&self, given: &[Mat3], resolved: &mut [Mat3]) {
        resolved.fill(Mat3::zeros());
        for term in &self.terms {
            let own = &given[term.own as usize];
            let weight = match term.along {
                NONE => *own,
                along => own * resolved[along as usize],
            };
            resolved[term.target as usize] += weight;
        }
    }
}

fn attached_numbers(
    list: &AttachmentList,
    size: usize,
    fixed: &[[bool; 3]],
) -> Result<Vec<u32>, AttachmentError> {
    let mut number = vec![NONE; size];
    for (k, &row) in list.attached_rows().iter().enumerate() {
        let mut named = std::iter::once(&row).chain(list.masters(k));
        if let Some(&row) = named.find(|&&row| row as usize >= size) {
            return Err(AttachmentError::BlockRow { row, size });
        }
        if number[row as usize] != NONE {
            return Err(AttachmentError::AttachedTwice { row });
        }
        if fixed[row as usize] != [false; 3] {
            return Err(AttachmentError::AttachedFixed { row });
        }
        if list.masters(k).is_empty() {
            return Err(AttachmentError::NoMaster { row });
        }
        number[row as usize] = k as u32;
    }
    Ok(number)
}

/// Numbers of the attached points, each after those of its masters that are attached points.
fn dependency_order(list: &AttachmentList, number: &[u32]) -> Result<Vec<u32>, AttachmentError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Not,
        Open,
        Done,
    }
    let mut visits = vec![Visit::Not; list.attached_rows().len()];
    let mut order = Vec::with_capacity(visits.len());
    // The attached points on the way down, each with how many of its masters have been looked at.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in 0..visits.len() as u32 {
        if visits[start as usize] == Visit::Not {
            visits[start as usize] = Visit::Open;
            path.push((start, 0));
        }
        while let Some((k, seen)) = path.last_mut() {
            let Some(&master) = list.masters(*k as usize).get(*seen) else {
                visits[*k as usize] = Visit::Done;
                order.push(*k);
                path.pop();
                continue;
            };
            *seen += 1;
            let next = number[master as usize];
            if next == NONE || visits[next as usize] == Visit::Done {
                continue;
            }
            if visits[next as usize] == Visit::Open {
                let members = path.iter().map(|p| p.0).skip_while(|&k| k != next);
                let members = members.map(|k| list.attached_rows()[k as usize]).collect();
                return Err(AttachmentError::Cycle { members });
            }
            visits[next as usize] = Visit::Open;
            path.push((next, 0));
        }
    }
    Ok(order)
}
