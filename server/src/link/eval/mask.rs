//! The origins of a value, as words of bits.
//!
//! The lower half of a word stands for what callers bring, the upper half for the sources that the method reads. Of a
//! receiver or parameter two things are told apart: what it is, and what was put inside it (an element of a list, a
//! value of a map). So a callee that asks a list for its size says something else about it than one that reads it.

/// The receiver's bit; parameter i has the bit above i.
pub const THIS: u64 = 1;
/// All bits of receiver and parameters, and of what is inside them.
pub const PORTS: u64 = 0xffff_ffff;
/// The first bit of a source.
pub const FIRST_SOURCE: u32 = 32;
/// The last port that has a bit of its own: parameters from here on share it. Entities have long constructors.
pub const LAST_PORT: usize = 21;
/// The last port of which what is inside has a bit of its own.
const LAST_INSIDE: usize = 9;

/// The number of a parameter (1..) or (0) the receiver, as far as they are told apart.
pub fn port_number(port: usize) -> u8 {
    port.min(LAST_PORT) as u8
}

/// The bit of a parameter or (0) the receiver.
pub fn port_bit(port: usize) -> u64 {
    1 << port_number(port)
}

/// The bit of what is inside a parameter or (0) the receiver.
pub fn inside_bit(port: usize) -> u64 {
    1 << (LAST_PORT + 1 + port.min(LAST_INSIDE))
}

/// The parameter (from 0) that a port, as the number of its bit, is or is inside of; `None` for the receiver.
pub fn parameter_of(port: u8) -> Option<usize> {
    let port = port as usize;
    if port > LAST_PORT { port - LAST_PORT - 1 } else { port }.checked_sub(1)
}

/// How an origin belongs to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Part {
    /// It is what the object is: all that is asked of the object depends on it.
    Value,
    /// It was put into the object: what reads elements gets it, what asks for their number does not.
    Inside,
    /// A field of the object has it: it leaves with the object and goes nowhere else, since the field is a source
    /// wherever it is read.
    Held,
    /// The object is a function that was called with it: it is in what the function gets as its parameters.
    Given,
}

/// The origins of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mask {
    /// That it was computed from.
    pub m: u64,
    /// Also those whose object's fields it was read from: state that changes as a whole taints what is read from it.
    pub deep: u64,
    /// As `deep`, without what went through a callee of the workspace.
    pub intra: u64,
    /// [`Part::Held`].
    pub held: u64,
    /// [`Part::Inside`]: of its elements, of the values of a map, of the value of an entry.
    pub elem: u64,
    /// Of what is inside of those.
    pub inner: u64,
    /// `deep` of all that is inside.
    pub below: u64,
}

impl Mask {
    /// A value that is this origin.
    pub fn of(bit: u64) -> Mask {
        Mask { m: bit, deep: bit, intra: bit, ..Mask::default() }
    }

    /// What a caller brings at a port.
    pub fn port(port: usize) -> Mask {
        let inside = inside_bit(port);
        Mask { elem: inside, inner: inside, below: inside, ..Mask::of(port_bit(port)) }
    }

    /// An object that an origin belongs to.
    pub fn seed(bit: u64, part: Part) -> Mask {
        match part {
            Part::Value | Part::Given => Mask::of(bit),
            Part::Inside => Mask { elem: bit, inner: bit, below: bit, intra: bit, ..Mask::default() },
            Part::Held => Mask { held: bit, ..Mask::default() },
        }
    }

    /// Of all that is inside it.
    pub fn inside(self) -> u64 {
        self.elem | self.inner
    }

    /// Of what it is and all that is inside it.
    pub fn content(self) -> u64 {
        self.m | self.inside()
    }

    /// What the object brings with it: its content, and what its fields hold.
    pub fn whole(self) -> u64 {
        self.content() | self.held
    }

    /// All origins, however they belong to it.
    pub fn any(self) -> u64 {
        self.whole() | self.deep | self.below
    }

    /// A value that is computed from all of the content.
    pub fn flat(self) -> Mask {
        Mask { m: self.content(), deep: self.deep | self.below, elem: 0, inner: 0, below: 0, ..self }
    }

    /// What does not depend on what is inside it: how many, whether there is a key.
    pub fn shape(self) -> Mask {
        Mask { elem: 0, inner: 0, below: 0, held: 0, ..self }
    }

    /// One of its elements; which one there is depends on the object too.
    pub fn element(self) -> Mask {
        Mask { m: self.m | self.elem, deep: self.deep | self.below, elem: self.inner, held: 0, ..self }
    }

    /// An object that it was put into.
    pub fn as_element(self) -> Mask {
        Mask { m: 0, deep: 0, elem: self.m, inner: self.inside(), below: self.deep | self.below, ..self }
    }

    /// An array that its content is copied into: how many elements there are stays.
    pub fn as_filling(self) -> Mask {
        Mask { m: 0, deep: 0, elem: self.m | self.elem, below: self.deep | self.below, ..self }
    }

    /// What an object gets of it that is reached from another one, to which it belongs as `part`. `deep` as for [`Mask::as_held`].
    pub fn within(self, part: Part, deep: u64) -> Mask {
        match part {
            Part::Value | Part::Given => self,
            Part::Inside => self.as_element(),
            Part::Held => Mask { intra: self.intra, ..self.as_held(deep) },
        }
    }

    /// All of it as held in a field, with what was read from objects that change as a whole: those are `deep`.
    pub fn as_held(self, deep: u64) -> Mask {
        Mask { held: self.whole() | ((self.deep | self.below) & deep), ..Mask::default() }
    }

    /// Without these origins.
    pub fn without(self, bits: u64) -> Mask {
        let Mask { m, deep, intra, held, elem, inner, below } = self;
        Mask { m: m & !bits, deep: deep & !bits, intra: intra & !bits, held: held & !bits, elem: elem & !bits, inner: inner & !bits, below: below & !bits }
    }

    /// Without what is held in fields.
    pub fn value(self) -> Mask {
        Mask { held: 0, ..self }
    }

    /// What a field of it has, which is a source of its own: only state that changes as a whole is in it.
    pub fn field(self) -> Mask {
        Mask { m: 0, ..self.shape() }
    }

    /// Adds the origins of another.
    pub fn join(&mut self, other: Mask) {
        self.m |= other.m;
        self.deep |= other.deep;
        self.intra |= other.intra;
        self.held |= other.held;
        self.elem |= other.elem;
        self.inner |= other.inner;
        self.below |= other.below;
    }

    /// With those of another.
    pub fn with(mut self, other: Mask) -> Mask {
        self.join(other);
        self
    }
}
