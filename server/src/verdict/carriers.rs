//! Fields that carry state: whoever reads one reads what was written to it (paper, Algorithm 1, lines 6-7).

use super::path::{brought, carry_of};
use super::view::View;
use super::{Carried, CarrierField, Category};
use crate::link::symbols::FieldId;

/// What a field carries, if anything. A field that is modified while the service runs is a source itself, and is told as that.
pub(super) fn carrier(view: &View<'_>, id: FieldId) -> Option<CarrierField> {
    let symbols = view.symbols();
    let info = &symbols.fields[id as usize];
    if !view.taint().is_carrier(id) || view.taint().internal.contains(&id) || !view.has_unit(info.unit) {
        return None;
    }
    let place = view.field_place(id);
    if view.link().files[place.file as usize].is_test {
        return None;
    }
    let carried = Category::ALL.into_iter().filter_map(|category| {
        let (what, path) = brought(view, id, carry_of(view, id, category)?, category);
        Some(Carried { category, what, path })
    });
    Some(CarrierField { class: symbols.type_name(info.owner).to_owned(), name: info.name.as_str().to_owned(), place, carried: carried.collect() })
}
