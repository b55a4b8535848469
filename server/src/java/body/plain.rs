//! Names with nothing between them but dots (`order.items`, `this.clock.millis(..)`): their text says all that their nodes would,
//! and is read in a fraction of the time that the tree takes.

use super::{BodyWalker, Kind};
use crate::intern::Sym;
use crate::java::ops::OpKind;
use crate::java::patterns::is_benign;
use tree_sitter::{Node, TreeCursor};

/// How many bytes of `text` are plain names with dots between them. `None` where a name has other letters, or a word means more
/// than a name does: that is left to the tree.
fn plain_names(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let len = bytes.iter().position(|&it| !(it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$' | b'.'))).unwrap_or(bytes.len());
    let is_name = |name: &str| !name.is_empty() && !name.starts_with(|it: char| it.is_ascii_digit()) && !matches!(name, "super" | "class");
    let is_plain = bytes.get(len).is_none_or(u8::is_ascii) && text[..len].split('.').enumerate().all(|(i, name)| is_name(name) && (i == 0 || name != "this"));
    is_plain.then_some(len)
}

impl<'t> BodyWalker<'_, 't> {
    /// Moves on from a node that was just entered, to the first of its children that has to be visited. False if none has.
    pub(super) fn goto_part(&mut self, cursor: &mut TreeCursor<'t>, node: Node<'t>) -> bool {
        let is_read = match self.stack.last().map(|it| it.kind) {
            Some(Kind::MethodInvocation) => return self.goto_arguments(cursor, node),
            Some(Kind::FieldAccess) => self.read_field(node),
            _ => self.is_bare(node),
        };
        !is_read && cursor.goto_first_child()
    }

    /// Reads what stands before the arguments of a call.
    fn goto_arguments(&mut self, cursor: &mut TreeCursor<'t>, node: Node<'t>) -> bool {
        let (start, text) = (node.start_byte(), self.str(node));
        let Some(len) = plain_names(text).filter(|&it| text.as_bytes().get(it) == Some(&b'(')) else { return cursor.goto_first_child() };
        if &text[len..] == "()" {
            self.read_call(node, &text[..len]);
            return false;
        }
        if cursor.goto_first_child_for_byte(start + len).is_none() {
            return cursor.goto_first_child();
        }
        // Else they are the arguments of the call that this one is made on, which is the first child.
        if cursor.node().start_byte() == start + len {
            self.read_call(node, &text[..len]);
        }
        true
    }

    /// Says what the call on top is made on, and its name.
    fn read_call(&mut self, node: Node<'t>, names: &str) {
        let Some(top) = self.stack.len().checked_sub(1) else { return };
        let name = match names.rsplit_once('.') {
            None => names,
            Some((object, name)) => {
                self.read_names(object, node.start_byte());
                (self.stack[top].n, self.stack[top].mark) = (1, 1);
                if !object.contains('.') && object != "this" && is_benign(node, Sym::new(object), self.text) {
                    self.benign.push(node.start_byte() as u32);
                }
                name
            }
        };
        self.stack[top].sym = Some(Sym::new(name));
    }

    /// Says what the field on top is read from, and its name. False if its text is not plain.
    fn read_field(&mut self, node: Node<'t>) -> bool {
        let text = self.str(node);
        let plain = plain_names(text).filter(|&it| it == text.len());
        let Some((object, name)) = plain.and_then(|_| text.rsplit_once('.')) else { return false };
        self.read_names(object, node.start_byte());
        if let Some(field) = self.stack.last_mut() {
            field.sym = Some(Sym::new(name));
        }
        true
    }

    /// The value of plain names that begin at `start` in the file.
    fn read_names(&mut self, names: &str, start: usize) {
        let mut end = start;
        for (i, name) in names.split('.').enumerate() {
            end += name.len() + usize::from(i > 0);
            let kind = match i {
                0 if name == "this" => OpKind::This,
                0 => OpKind::Name(Sym::new(name)),
                _ => OpKind::Select(Sym::new(name)),
            };
            self.emit_span(kind, start, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain_names;

    #[test]
    fn what_is_plain() {
        assert_eq!(plain_names("order.items_2.size()"), Some("order.items_2.size".len()));
        assert_eq!(plain_names("this.a"), Some("this.a".len()));
        assert_eq!(plain_names("a(b)"), Some(1));
        // White space, comments and type arguments follow what is plain, and the caller sees that.
        assert_eq!(plain_names("list .size()"), Some("list".len()));
        for other in ["", "super.m()", "Outer.this.a", "A.super.m()", "int.class", "1.0", "a..b", ".a", "a.(", "größe.m()", "a.größe"] {
            assert_eq!(plain_names(other), None, "{other}");
        }
    }
}
