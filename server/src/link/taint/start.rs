//! Where the fixed point starts, and who has to be looked at again when something new is known.

use super::Context;
use crate::facts::MethodFacts;
use crate::facts::graph::NONE;
use crate::link::resolve::{Listing, Ref, Target};
use crate::link::symbols::{FieldId, MethodId, TypeId};
use rayon::prelude::*;

/// Which methods have to do with what, as sorted pairs: made once on all cores, and only read after that.
pub(super) struct Index<K>(Vec<(K, MethodId)>);

impl<K: Copy + Ord + Send> Index<K> {
    fn new(mut pairs: Vec<(K, MethodId)>) -> Index<K> {
        pairs.par_sort_unstable();
        pairs.dedup();
        Index(pairs)
    }

    /// The methods that have to do with one of these, in order.
    pub fn of(&self, key: K) -> impl Iterator<Item = &MethodId> {
        let from = self.0.partition_point(|it| it.0 < key);
        self.0[from..].iter().take_while(move |it| it.0 == key).map(|it| &it.1)
    }
}

/// What is known of all methods before one of them is evaluated.
pub(super) struct Start {
    /// Those with sources of their own.
    pub reading: Vec<MethodId>,
    /// Who reads each field.
    pub readers: Index<FieldId>,
    /// Who makes objects of each class.
    pub makers: Index<TypeId>,
    /// Of each method that start-up code calls, that code.
    pub asked_at_start: Vec<(MethodId, MethodId)>,
}

impl Start {
    /// Looks at all methods; `is_test` methods take no part.
    pub fn of<'a>(context: &Context<'a, impl Fn(MethodId) -> &'a MethodFacts + Sync>, is_test: &(impl Fn(MethodId) -> bool + Sync)) -> Start {
        let all = (0..context.symbols.methods.len() as MethodId)
            .into_par_iter()
            .filter(|&it| !is_test(it))
            .fold(Found::default, |mut found, id| {
                found.add(context, id);
                found
            })
            .reduce(Found::default, Found::with);
        Start { reading: all.reading, readers: Index::new(all.readers), makers: Index::new(all.makers), asked_at_start: all.asked_at_start }
    }
}

/// What was found in some of the methods, in their order.
#[derive(Default)]
struct Found {
    reading: Vec<MethodId>,
    readers: Vec<(FieldId, MethodId)>,
    makers: Vec<(TypeId, MethodId)>,
    asked_at_start: Vec<(MethodId, MethodId)>,
}

impl Found {
    fn with(mut self, other: Found) -> Found {
        self.reading.extend(other.reading);
        self.readers.extend(other.readers);
        self.makers.extend(other.makers);
        self.asked_at_start.extend(other.asked_at_start);
        self
    }

    fn add<'a>(&mut self, context: &Context<'a, impl Fn(MethodId) -> &'a MethodFacts + Sync>, id: MethodId) {
        let symbols = context.symbols;
        let resolved = context.resolved.get(id);
        let file = symbols.file_of_unit(symbols.methods[id as usize].unit);
        let mut reads = context.states.beans.outside.point(id).is_some() || context.listed.point(id).is_some();
        for reference in &resolved.refs {
            match reference {
                Ref::Field(field) => {
                    self.readers.push((*field, id));
                    reads |= context.listed.field(file, *field).is_some();
                }
                Ref::Source(_) | Ref::Listed(_) => reads = true,
                _ => {}
            }
        }
        let at_start = context.runs_at_start(id);
        for (index, site) in resolved.calls.iter().enumerate() {
            if at_start && !context.is_kept(&(context.facts)(id).graph, resolved, index as u32) {
                let callees = context.callees(id, index as u32).filter(|&it| !context.is_constructor(it));
                self.asked_at_start.extend(callees.map(|it| (it, id)));
            }
            reads |= site.source != NONE || site.external != NONE || matches!(site.listing, Listing::Source(_) | Listing::Point(_) | Listing::Marked(_));
            let mut made = resolved.targets(&site.target).0.iter().filter(|&&it| context.is_constructor(it)).map(|&it| symbols.methods[it as usize].owner);
            let class = if let Target::Default(class) = site.target { Some(class) } else { made.next() };
            self.makers.extend(class.map(|it| (it, id)));
        }
        if reads {
            self.reading.push(id);
        }
    }
}
