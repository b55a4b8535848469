//! The words of `library.tsv`: what calls do to the values they touch.

/// Before the word for a result that cannot be changed.
const FROZEN: &str = "frozen-";

/// Who absorbs something in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The receiver.
    Recv,
    /// The argument with this number.
    Arg(u8),
}

/// What is absorbed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feed {
    /// Nothing: it changes, that is all.
    Nothing,
    /// All arguments.
    Args,
    /// The argument with this number; the last one of a varargs member stands for all from there on.
    Arg(u8),
    /// The receiver.
    Recv,
}

/// How it is absorbed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Into the value: all that is asked of the object depends on it.
    Absorbs,
    /// The same, and what was there before is gone (`setTime`).
    Becomes,
    /// As an element.
    Element,
    /// Its elements become elements, its keys become keys.
    Elements,
    /// Its content goes into the elements; how many there are stays.
    Filling,
    /// As one of many properties, which nothing but the object as a whole has to do with.
    Property,
}

/// One effect of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// What changes.
    pub into: Slot,
    /// What it absorbs.
    pub from: Feed,
    /// How.
    pub how: Takes,
}

/// What a function gets that a call is given as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// A key of the receiver.
    Keys,
    /// The argument with this number.
    Arg(u8),
}

/// What the result of a call follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultRule {
    /// Receiver and arguments, with all that is inside them.
    Default,
    /// The receiver, not what is inside it; not the arguments.
    RecvOnly,
    /// The receiver, not what is inside it; and the arguments.
    Shape,
    /// The arguments; not the receiver.
    Args,
    /// The arguments, not what is inside them; not the receiver.
    ArgsOnly,
    /// It is the receiver.
    Recv,
    /// It is that argument, or a view of it.
    Arg(u8),
    /// An element of the receiver, or anything else that is read from it, which may share objects with it.
    Part,
    /// A view, iterator or stream of the receiver, with the same elements.
    View,
    /// A copy of the receiver, with the same elements.
    Clone,
    /// The keys of the receiver.
    Keys,
    /// The entries of the receiver.
    Entries,
    /// As many as the receiver has, made by the functions that the call gets.
    Made,
    /// What the functions that the call gets say of elements of the receiver.
    Tested,
    /// What a collector makes of the elements.
    Collected,
    /// A new collection of the arguments.
    Elements,
    /// A new map (or entry) of the arguments: keys and values in turn.
    Pairs,
    /// A new collection with the elements of the argument.
    Copy,
    /// What the receiver held before the call.
    Old,
    /// Nothing.
    None,
    /// The receiver with all that it holds, and the arguments: a builder's product.
    Whole,
}

/// What a call does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What it writes.
    pub effects: Vec<Effect>,
    /// What functions get that it is given, by the number of their parameter; elements of the receiver where nothing
    /// is said.
    pub functions: Vec<(u8, Given)>,
    /// What its result follows.
    pub result: ResultRule,
    /// Its result cannot be changed: a method that would do so throws.
    pub frozen: bool,
}

impl Rule {
    /// That of a member without a row.
    pub fn default_rule() -> Rule {
        Rule { effects: Vec::new(), functions: Vec::new(), result: ResultRule::Default, frozen: false }
    }

    /// Reads the last two columns of a row. Words that mean nothing are left out.
    pub fn read(effects: &str, result: &str) -> Rule {
        let words = || effects.split(',').filter(|it| *it != "-");
        let unfrozen = result.strip_prefix(FROZEN);
        Rule {
            effects: words().filter_map(effect).collect(),
            functions: words().filter_map(function).collect(),
            result: result_rule(unfrozen.unwrap_or(result)).unwrap_or(ResultRule::Default),
            frozen: unfrozen.is_some(),
        }
    }

    /// Whether it says that a call neither changes anything nor takes anything into its result.
    pub fn is_nothing(&self) -> bool {
        self.result == ResultRule::None && self.effects.is_empty()
    }

    /// Whether all words of the last two columns mean something.
    #[cfg(test)]
    pub fn is_understood(effects: &str, result: &str) -> bool {
        effects.split(',').all(|it| it == "-" || effect(it).is_some() || function(it).is_some())
            && result_rule(result.strip_prefix(FROZEN).unwrap_or(result)).is_some()
    }
}

fn number(text: &str) -> Option<u8> {
    text.strip_prefix("arg").and_then(|it| it.parse().ok())
}

fn effect(text: &str) -> Option<Effect> {
    let who = |it: &str| if it == "recv" { Some(Slot::Recv) } else { number(it).map(Slot::Arg) };
    let what = |it: &str| match it {
        "args" => Some(Feed::Args),
        "recv" => Some(Feed::Recv),
        "nothing" => Some(Feed::Nothing),
        _ => number(it).map(Feed::Arg),
    };
    if let Some(into) = text.strip_suffix('!') {
        return Some(Effect { into: who(into)?, from: Feed::Nothing, how: Takes::Absorbs });
    }
    // The longer signs end like the shorter ones.
    let signs =
        [("[]+=", Takes::Elements), ("[]=", Takes::Element), ("[..]=", Takes::Filling), (".=", Takes::Property), ("+=", Takes::Absorbs), ("=", Takes::Becomes)];
    let (into, from, how) = signs.iter().find_map(|&(sign, how)| text.split_once(sign).map(|it| (it.0, it.1, how)))?;
    Some(Effect { into: who(into)?, from: what(from)?, how })
}

fn function(text: &str) -> Option<(u8, Given)> {
    let (parameter, given) = text.strip_prefix("fn")?.split_once('=')?;
    let given = if given == "keys" { Given::Keys } else { Given::Arg(number(given)?) };
    Some((parameter.parse().ok()?, given))
}

fn result_rule(text: &str) -> Option<ResultRule> {
    Some(match text {
        "default" => ResultRule::Default,
        "recv-only" => ResultRule::RecvOnly,
        "shape" => ResultRule::Shape,
        "args" => ResultRule::Args,
        "args-only" => ResultRule::ArgsOnly,
        "recv" => ResultRule::Recv,
        "part" => ResultRule::Part,
        "view" => ResultRule::View,
        "clone" => ResultRule::Clone,
        "keys" => ResultRule::Keys,
        "entries" => ResultRule::Entries,
        "made" => ResultRule::Made,
        "tested" => ResultRule::Tested,
        "collected" => ResultRule::Collected,
        "elements" => ResultRule::Elements,
        "pairs" => ResultRule::Pairs,
        "copy" => ResultRule::Copy,
        "old" => ResultRule::Old,
        "none" => ResultRule::None,
        "whole" => ResultRule::Whole,
        _ => return number(text).map(ResultRule::Arg),
    })
}
