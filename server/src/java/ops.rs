//! A method body as a flat list of operations in evaluation order: what the flow pass reads instead of a tree.
//!
//! Expressions work on a stack of values; statements bracket their parts. The list has no depth, so nothing that
//! reads it recurses, however deep the source is nested.

use crate::intern::{Sym, Ty};

/// Why a condition is asked; each is a sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BranchKind {
    /// `if`.
    If,
    /// `while`, `do` and `for`.
    Loop,
    /// The iterated value of an enhanced `for`.
    ForEach,
    /// The selector of a `switch`, or the guard of one of its labels.
    Switch,
    /// `? :`.
    Ternary,
    /// `&&` and `||`: their right side runs or does not.
    ShortCircuit,
    /// `assert`.
    Assert,
}

/// What a call is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CallForm {
    /// `m(..)`: a method of an enclosing class or a static import.
    Plain,
    /// `x.m(..)`.
    On,
    /// `super.m(..)`.
    Super,
    /// `new T(..)`.
    New,
    /// `this(..)`.
    ThisConstructor,
    /// `super(..)`.
    SuperConstructor,
    /// `x::m`, `T::m` and `T::new`: a call made later, with arguments unknown here.
    Reference,
}

/// What an assignment or `++` writes to. Its parts, if any, are on the stack below the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A local or a field by its simple name.
    Name(Sym),
    /// A field of the object on the stack.
    Select(Sym),
    /// An element: array and index are on the stack.
    Index,
}

/// One operation. `start` and `len` are bytes from the start of the member it belongs to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Op {
    /// What it does.
    pub kind: OpKind,
    /// First byte of the source it stands for.
    pub start: u32,
    /// Length of that source in bytes.
    pub len: u32,
}

/// What an operation does; "pops" and "pushes" speak of the value stack.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OpKind {
    /// Pushes a literal of this type.
    Literal(Ty),
    /// Pushes `null`.
    Null,
    /// Pushes the receiver.
    This,
    /// Pops a class name, pushes that enclosing instance (`Outer.this`).
    OuterThis,
    /// Pushes a local, a field or a type by its simple name.
    Name(Sym),
    /// Pushes a type that cannot be an expression (`int[]` in `int[]::new`).
    TypeName(Ty),
    /// Pops an object, pushes its field (or a qualified name).
    Select(Sym),
    /// Pops index and array, pushes the element.
    Index,
    /// Pops `n` values, pushes one computed from them.
    Derive(u16),
    /// Pops a condition, pushes the opposite.
    Not,
    /// Pops two values, pushes whether they are equal (`true`) or not; kept apart for null checks.
    Equals(bool),
    /// Pops a value, pushes it as this type.
    Cast(Ty),
    /// Pops the value (and the target's parts), writes, pushes the value.
    Assign(Target, bool),
    /// Pops the target's parts, writes, pushes the value.
    Increment(Target),
    /// Pops `argc` arguments and, for [`CallForm::On`] and references, the receiver; pushes the result.
    /// The type is that of `new`, else the empty one.
    Call {
        /// How it is written.
        form: CallForm,
        /// The method's name; `<init>` for constructors.
        name: Sym,
        /// Number of arguments.
        argc: u16,
        /// The type of a `new`.
        ty: Option<Ty>,
        /// The nested type that is the class body of a `new`, as an index into the member's types.
        body: Option<u16>,
    },
    /// Pops `n` elements, pushes an array of this type.
    NewArray(Ty, u16),
    /// Pops `n` sizes, pushes an array of this type.
    SizedArray(Ty, u16),
    /// Drops a value.
    Pop,
    /// Pushes the value on top once more.
    Dup,
    /// Drops the value below the top.
    Nip,
    /// Pops a record, pushes its component with this number.
    Component(Ty, u16),
    /// Declares a local; pops its value if there is one.
    Declare {
        /// Its name.
        name: Sym,
        /// Its type; `None` for `var` and untyped lambda parameters.
        ty: Option<Ty>,
        /// Whether a value is popped.
        init: bool,
    },
    /// A local class: its bodies may use the locals that are visible here.
    LocalType(u16),
    /// Opens a block.
    ScopeBegin,
    /// Closes it: its locals end.
    ScopeEnd,
    /// Before the condition of an `if` or `? :`.
    CondBegin,
    /// Pops a condition: a sink.
    Branch(BranchKind),
    /// After the condition: what is guarded begins.
    Then,
    /// The other side begins.
    Else,
    /// End of an `if`.
    EndIf,
    /// End of `? :`: pops both values, pushes one of them.
    EndTernary,
    /// After the left side of `&&`/`||` (whose value stays on the stack).
    ShortBegin(bool),
    /// Pops both sides, pushes the result.
    ShortEnd,
    /// A loop begins; what follows may run again.
    LoopBegin,
    /// The condition is behind: leaving the loop from here is its normal end.
    LoopBody,
    /// Where `continue` goes on.
    LoopContinue,
    /// The end of the loop; with `true` the normal end is here (`do`).
    LoopEnd(bool),
    /// Pops an iterable, pushes an element of it.
    Element,
    /// A labelled statement begins.
    LabelBegin(Sym),
    /// It ends.
    LabelEnd,
    /// Leaves the labelled or innermost loop or switch.
    Break(Option<Sym>),
    /// Goes on with the labelled or innermost loop.
    Continue(Option<Sym>),
    /// Pops the selector.
    SwitchBegin,
    /// Pushes the selector.
    Subject,
    /// A group of labels begins; `true` for arrow form (nothing falls in).
    CaseBegin(bool),
    /// What follows in this group is done where the selector has this type.
    CaseType(Ty),
    /// Pops the value of an arrow expression: the switch's value.
    CaseValue,
    /// A group ends; `true` for arrow form (nothing falls out).
    CaseEnd(bool),
    /// Pushes the switch's value.
    SwitchEnd {
        /// Some label takes everything.
        total: bool,
        /// Its value is used.
        used: bool,
    },
    /// Pops the value of `yield`.
    Yield,
    /// The block of a `try` begins.
    TryBegin,
    /// It ends.
    TryEnd,
    /// A handler begins; what was written in the block may have happened or not.
    CatchBegin,
    /// It ends.
    CatchEnd,
    /// The `finally` block begins.
    FinallyBegin,
    /// It ends.
    FinallyEnd,
    /// The whole statement ends.
    TryDone,
    /// Returns; pops the value if `true`.
    Return(bool),
    /// Pops an exception: a sink.
    Throw,
    /// Whether the value on the stack has a type; that is not known of a pattern that takes it apart.
    TypeTest(Option<Ty>),
    /// A lambda begins, with this many parameters, which are declared next by [`OpKind::LambdaParam`].
    LambdaBegin(u16),
    /// Declares a lambda's parameter.
    LambdaParam(Sym, Option<Ty>, u16),
    /// The lambda ends; pops the value of an expression body if `true`; pushes the lambda.
    LambdaEnd(bool),
    /// An expression statement begins.
    StatementBegin,
    /// It ends; its value is popped.
    StatementEnd,
    /// The initialiser of a field: pops the value and writes it.
    InitField(Sym),
}
