//! Gives a class a `java.time.Clock` (or a supplier of ids, or a generator) and uses it wherever the class asks the
//! system: a test then sets the time, and the reads of one class come from one place.

use super::Edit;
use super::source::{Source, children, is_class, kind_of};
use crate::java::kinds::{FieldName, Kind, child};
use std::ops::Range;
use tree_sitter::Node;

/// What is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seam {
    /// `java.time.Clock`, for `now()`, `currentTimeMillis()` and `new Date()`.
    Clock,
    /// `Supplier<UUID>`, for `UUID.randomUUID()`.
    Ids,
    /// `java.util.Random`, for `new Random()` and `Math.random()`.
    Random,
}

impl Seam {
    /// All of them.
    pub const ALL: [Seam; 3] = [Seam::Clock, Seam::Ids, Seam::Random];

    /// The field's type as people call it.
    pub fn title(self) -> &'static str {
        match self {
            Seam::Clock => "java.time.Clock",
            Seam::Ids => "Supplier<UUID>",
            Seam::Random => "java.util.Random",
        }
    }

    fn field_name(self) -> &'static str {
        match self {
            Seam::Clock => "clock",
            Seam::Ids => "ids",
            Seam::Random => "random",
        }
    }

    /// The types that the field's declaration names.
    fn types(self) -> &'static [&'static str] {
        match self {
            Seam::Clock => &["java.time.Clock"],
            Seam::Ids => &["java.util.function.Supplier", "java.util.UUID"],
            Seam::Random => &["java.util.Random"],
        }
    }

    fn declared(self, names: &[String]) -> String {
        match (self, names) {
            (Seam::Ids, [supplier, id]) => format!("{supplier}<{id}>"),
            _ => names.concat(),
        }
    }

    fn initial(self, names: &[String]) -> String {
        match (self, names) {
            (Seam::Clock, [clock]) => format!("{clock}.systemDefaultZone()"),
            (Seam::Ids, [_, id]) => format!("{id}::randomUUID"),
            _ => format!("new {}()", names.concat()),
        }
    }

    /// What to write instead of an expression, if it is one of those that the seam stands for.
    fn replacement(self, source: &Source<'_>, node: Node<'_>, field: &str) -> Option<(Range<usize>, String)> {
        let no_arguments = |node| child(node, FieldName::Arguments).is_some_and(|it| children(it).is_empty());
        if kind_of(node) == Kind::ObjectCreation {
            if !no_arguments(node) || children(node).iter().any(|it| kind_of(*it) == Kind::ClassBody) || child(node, FieldName::Object).is_some() {
                return None;
            }
            let ty = source.field(node, FieldName::Type)?;
            let text = match self {
                Seam::Clock if is(source, ty, "java.util.Date") => format!("{ty}.from({field}.instant())"),
                Seam::Random if is(source, ty, "java.util.Random") => field.to_owned(),
                _ => return None,
            };
            return Some((node.byte_range(), text));
        }
        if kind_of(node) != Kind::MethodInvocation || !no_arguments(node) {
            return None;
        }
        let (owner, name) = (source.field(node, FieldName::Object)?, source.field(node, FieldName::Name)?);
        match (self, name) {
            (Seam::Clock, "now") => {
                let simple = owner.rsplit('.').next()?;
                let is_time = TIMES.contains(&simple) && is(source, owner, &format!("java.time.{simple}"));
                let inside = child(node, FieldName::Arguments)?.start_byte() + 1;
                is_time.then(|| (inside..inside, field.to_owned()))
            }
            (Seam::Clock, "currentTimeMillis") if is(source, owner, "java.lang.System") => Some((node.byte_range(), format!("{field}.millis()"))),
            (Seam::Ids, "randomUUID") if is(source, owner, "java.util.UUID") => Some((node.byte_range(), format!("{field}.get()"))),
            (Seam::Random, "random") if is(source, owner, "java.lang.Math") => Some((node.byte_range(), format!("{field}.nextDouble()"))),
            _ => None,
        }
    }
}

/// Types of `java.time` whose `now` takes a clock.
const TIMES: [&str; 10] =
    ["Instant", "LocalDate", "LocalDateTime", "LocalTime", "MonthDay", "OffsetDateTime", "OffsetTime", "Year", "YearMonth", "ZonedDateTime"];

/// Whether a type is written so that it means this one.
fn is(source: &Source<'_>, written: &str, qualified: &str) -> bool {
    written == qualified || source.means(written, qualified)
}

/// What is known of the class besides its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// A container makes its objects, and gives them what their constructors ask for.
    pub is_bean: bool,
    /// Something in the workspace makes one with `new`: its constructors must stay as they are.
    pub is_made: bool,
}

/// How the class comes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It has such a field already.
    Present,
    /// By its constructor, written or made by Lombok: the container must have one to give.
    Constructor,
    /// By a field that holds the system's until someone sets it.
    Field,
}

/// The edits for the class around `bytes`, how it comes by the new field, and how many places use it.
pub fn inject(source: &Source<'_>, bytes: Range<usize>, seam: Seam, known: Known) -> Option<(Form, usize, Vec<Edit>)> {
    let around = source.around(&bytes);
    let class = *around.iter().rfind(|it| is_class(**it) || matches!(kind_of(**it), Kind::Interface | Kind::ClassBody)).map(|it| match kind_of(*it) {
        Kind::ClassBody => around.iter().rfind(|up| up.end_byte() == it.end_byte() && up.id() != it.id()).unwrap_or(it),
        _ => it,
    })?;
    if kind_of(class) != Kind::Class {
        return None;
    }
    let members = children(child(class, FieldName::Body)?);
    let present = members.iter().find_map(|it| present(source, *it, seam));
    let field = match &present {
        Some(name) => name.clone(),
        None => free_name(source, class, seam)?,
    };
    let uses: Vec<(Range<usize>, String)> = members.iter().flat_map(|it| uses(source, *it, seam, &field)).collect();
    if uses.is_empty() {
        return None;
    }
    let n_uses = uses.len();
    let mut edits: Vec<Edit> = uses.into_iter().filter_map(|(bytes, text)| Edit::replace(bytes, text)).collect();
    if present.is_some() {
        return Some((Form::Present, n_uses, edits));
    }
    let mut names = Vec::new();
    let mut imports = Vec::new();
    for ty in seam.types() {
        let (name, import) = source.name_of(ty);
        names.push(name);
        imports.extend(import);
    }
    let ty = seam.declared(&names);
    // Two imports at one place are one edit.
    if let [first, rest @ ..] = &mut imports[..] {
        rest.iter().for_each(|it| first.text.push_str(&it.text));
        edits.push(first.clone());
    }
    let by_constructor = seam == Seam::Clock && known.is_bean && !known.is_made;
    let form = if by_constructor && makes_constructor(source, class, &members) {
        Form::Constructor
    } else if let Some(constructor) = by_constructor.then(|| only_constructor(source, &members)).flatten() {
        let parameters = child(constructor, FieldName::Parameters)?;
        let separator = if children(parameters).is_empty() { "" } else { ", " };
        edits.push(Edit::insert(parameters.end_byte() - 1, format!("{separator}{ty} {field}"))?);
        edits.push(assignment(source, child(constructor, FieldName::Body)?, constructor, &field)?);
        Form::Constructor
    } else {
        Form::Field
    };
    let declaration = match form {
        Form::Field => {
            let by_field = members.iter().any(|it| kind_of(*it) == Kind::Field && source.has_annotation(*it, "Autowired"));
            let optional = if seam == Seam::Clock && known.is_bean && by_field { "@Autowired(required = false) " } else { "" };
            format!("{optional}private {ty} {field} = {};", seam.initial(&names))
        }
        _ => format!("private final {ty} {field};"),
    };
    edits.push(new_field(source, class, &members, &declaration)?);
    Some((form, n_uses, edits))
}

/// The name of a field that holds such a thing already.
fn present(source: &Source<'_>, member: Node<'_>, seam: Seam) -> Option<String> {
    if kind_of(member) != Kind::Field || source.has_modifier(member, "static") {
        return None;
    }
    let written = source.field(member, FieldName::Type)?;
    let is_it = match seam {
        Seam::Ids => matches!(written, "Supplier<UUID>") && source.means("Supplier", "java.util.function.Supplier"),
        _ => is(source, written, seam.types()[0]),
    };
    let declarator = children(member).into_iter().find(|it| kind_of(*it) == Kind::VariableDeclarator)?;
    is_it.then(|| source.field(declarator, FieldName::Name).map(str::to_owned)).flatten()
}

fn free_name(source: &Source<'_>, class: Node<'_>, seam: Seam) -> Option<String> {
    let name = seam.field_name();
    let names = [name.to_owned(), format!("{name}Source"), format!("own{}", seam.title().rsplit('.').next()?.split('<').next()?)];
    names.into_iter().find(|it| !source.has_word_in(it, class.byte_range()))
}

/// What in a member uses the system. Static members have no object to ask, constructors run before fields are injected,
/// and classes inside have members of their own.
fn uses(source: &Source<'_>, member: Node<'_>, seam: Seam, field: &str) -> Vec<(Range<usize>, String)> {
    if kind_of(member) != Kind::Method || source.has_modifier(member, "static") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open = vec![member];
    while let Some(node) = open.pop() {
        if matches!(kind_of(node), Kind::ClassBody | Kind::Class | Kind::Interface | Kind::Enum | Kind::Record) {
            continue;
        }
        match seam.replacement(source, node, field) {
            Some(it) => found.push(it),
            None => open.extend(children(node)),
        }
    }
    found
}

/// Whether Lombok makes a constructor that takes all final fields.
fn makes_constructor(source: &Source<'_>, class: Node<'_>, members: &[Node<'_>]) -> bool {
    let is_made = ["RequiredArgsConstructor", "AllArgsConstructor"].iter().any(|it| source.has_annotation(class, it));
    is_made && !members.iter().any(|it| kind_of(*it) == Kind::Constructor)
}

fn only_constructor<'t>(source: &Source<'_>, members: &[Node<'t>]) -> Option<Node<'t>> {
    let mut constructors = members.iter().copied().filter(|it| kind_of(*it) == Kind::Constructor);
    let first = constructors.next().filter(|_| constructors.next().is_none())?;
    // A constructor without parameters is what a container calls that injects by fields.
    let takes_some = child(first, FieldName::Parameters).is_some_and(|it| !children(it).is_empty());
    (takes_some && !source.has_modifier(first, "private")).then_some(first)
}

fn assignment(source: &Source<'_>, body: Node<'_>, constructor: Node<'_>, field: &str) -> Option<Edit> {
    let indent = source.indentation(constructor.start_byte());
    match children(body).last() {
        Some(last) => {
            let inner = source.indentation(last.start_byte());
            let same_line = source.line_start(last.start_byte()) == source.line_start(body.start_byte());
            let gap = if same_line { " ".to_owned() } else { format!("{}{inner}", source.line_break()) };
            Edit::insert(last.end_byte(), format!("{gap}this.{field} = {field};"))
        }
        None => {
            let line = source.line_break();
            let step = source.step("", indent);
            Edit::replace(body.byte_range(), format!("{{{line}{indent}{step}this.{field} = {field};{line}{indent}}}"))
        }
    }
}

/// Behind the last field, or at the beginning of the body.
fn new_field(source: &Source<'_>, class: Node<'_>, members: &[Node<'_>], declaration: &str) -> Option<Edit> {
    let line = source.line_break();
    let fields = members.iter().filter(|it| kind_of(**it) == Kind::Field);
    if let Some(last) = fields.max_by_key(|it| it.end_byte()) {
        let indent = source.indentation(last.start_byte());
        return Edit::insert(last.end_byte(), format!("{line}{line}{indent}{declaration}"));
    }
    let first = members.iter().find(|it| !matches!(kind_of(**it), Kind::LineComment | Kind::BlockComment))?;
    let outer = source.indentation(class.start_byte());
    let indent = source.indentation(first.start_byte());
    let indent = if source.line_start(first.start_byte()) == source.line_start(class.start_byte()) { format!("{outer}    ") } else { indent.to_owned() };
    let body = child(class, FieldName::Body)?.start_byte() + 1;
    Edit::insert(body, format!("{line}{indent}{declaration}{line}"))
}

#[cfg(test)]
mod tests;
