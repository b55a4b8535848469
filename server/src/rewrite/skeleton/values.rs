//! Values for parameters, fields and results: the *Arrange* part of a test.

use super::names::Names;
use super::types::{Kind, Type, World};

/// Placeholders are no deeper than this.
const MAX_DEPTH: u32 = 3;

/// A value of the run that a test prepares.
#[derive(Clone, Debug)]
pub struct Value {
    /// How the test writes it, if it can.
    pub text: Option<String>,
    /// What is known of it.
    pub what: What,
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub enum What {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A string.
    Text(String),
    /// A mock, by its number.
    Mock(usize),
    /// A collection of these.
    List(Vec<Value>),
    /// An `Optional`.
    Maybe(Option<Box<Value>>),
    /// Anything that is not null, with its type if that is known.
    Object(Option<Type>),
    /// The object that is tested.
    This,
    /// A number, a truth value, an object or `null`.
    Unknown,
}

impl Value {
    /// A value that no test can write.
    pub fn of(what: What) -> Value {
        Value { text: None, what }
    }

    /// A value that a test writes so.
    pub fn written(text: impl Into<String>, what: What) -> Value {
        Value { text: Some(text.into()), what }
    }

    /// Something that is not null.
    pub fn object() -> Value {
        Value::of(What::Object(None))
    }

    /// Nothing is known of it.
    pub fn unknown() -> Value {
        Value::of(What::Unknown)
    }
}

/// A mock that a test makes.
#[derive(Clone, Debug)]
pub struct Mock {
    /// The local that holds it.
    pub name: String,
    /// What it stands for.
    pub ty: Type,
}

/// What a test makes before it acts.
pub struct Arrange<'a> {
    pub world: &'a dyn World,
    pub names: Names<'a>,
    pub mocks: Vec<Mock>,
    pub lines: Vec<String>,
    /// Collections and optionals have something in them.
    pub is_full: bool,
}

impl Arrange<'_> {
    /// Makes a value for a type and declares a local that holds it. `None` if no test may name the type.
    pub fn local(&mut self, hint: &str, ty: &Type) -> Option<Value> {
        if self.is_mocked(ty, 0) {
            return self.mock(hint, ty);
        }
        let made = self.value(hint, ty, 0)?;
        let name = self.names.local(hint);
        let declared = self.names.declared(ty)?;
        self.lines.push(format!("{declared} {name} = {};", made.text?));
        let what = made.what;
        Some(Value::written(name, what))
    }

    /// A value for a type, written where it is used.
    pub fn inline(&mut self, hint: &str, ty: &Type) -> Option<Value> {
        self.value(hint, ty, 0)
    }

    /// Makes a mock of a type and declares a local that holds it.
    pub fn mock(&mut self, hint: &str, ty: &Type) -> Option<Value> {
        if ty.dims > 0 || ty.kind == Kind::Primitive || !self.world.is_visible(ty) || self.world.shape(ty).is_sealed {
            return None;
        }
        let name = self.names.local(hint);
        let (declared, class) = (self.names.declared(ty)?, self.names.class(ty)?);
        let mock = self.names.of_mockito("mock");
        self.lines.push(format!("{declared} {name} = {mock}({class}.class);"));
        self.mocks.push(Mock { name: name.clone(), ty: ty.clone() });
        Some(Value::written(name, What::Mock(self.mocks.len() - 1)))
    }

    /// Whether a mock is the best that can be had for a type.
    fn is_mocked(&self, ty: &Type, depth: u32) -> bool {
        if ty.dims > 0 || matches!(ty.kind, Kind::Primitive | Kind::Enum) || self.plain(ty).is_some() || self.is_container(ty) {
            return false;
        }
        let shape = self.world.shape(ty);
        let is_throwable = ty.package == "java.lang" && (ty.name.ends_with("Exception") || ty.name.ends_with("Error") || ty.name == "Throwable");
        let can_be_made = (shape.components.is_some() && depth < MAX_DEPTH) || (shape.has_plain_constructor && shape.holds_values);
        !can_be_made && !is_throwable
    }

    fn is_container(&self, ty: &Type) -> bool {
        ty.package == "java.util" && matches!(ty.name.as_str(), "List" | "Collection" | "ArrayList" | "Set" | "Map" | "Optional")
            || ty.package == "java.lang" && ty.name == "Iterable"
    }

    /// An expression for a type. Mocks in it get locals of their own.
    fn value(&mut self, hint: &str, ty: &Type, depth: u32) -> Option<Value> {
        if ty.is_void() || (ty.kind != Kind::Primitive && !self.world.is_visible(ty)) {
            return None;
        }
        if ty.dims > 0 {
            let declared = self.names.class(&Type { dims: 0, ..ty.clone() })?;
            return Some(Value::written(format!("new {declared}[0]{}", "[]".repeat(usize::from(ty.dims) - 1)), What::Object(Some(ty.clone()))));
        }
        if self.is_mocked(ty, depth) {
            return self.mock(hint, ty);
        }
        if ty.kind == Kind::Primitive {
            return primitive(&ty.name);
        }
        if ty.is("java.lang.String") || ty.is("java.lang.CharSequence") {
            return Some(Value::written(format!("\"{hint}\""), What::Text(hint.to_owned())));
        }
        if let Some((expression, types)) = self.plain(ty) {
            let mut text = expression.to_owned();
            for (i, it) in types.iter().enumerate() {
                text = text.replace(&format!("${i}"), &self.names.qualified(it));
            }
            let what = match ty.name.as_str() {
                "Integer" | "Long" | "Short" | "Byte" => What::Int(1),
                "Boolean" => What::Bool(true),
                _ => What::Object(Some(ty.clone())),
            };
            return Some(Value::written(text, what));
        }
        if self.is_container(ty) {
            return self.container(hint, ty, depth);
        }
        let class = self.names.class(ty)?;
        if ty.kind == Kind::Enum {
            let text = self.world.shape(ty).first_constant.map_or(format!("{class}.values()[0]"), |it| format!("{class}.{it}"));
            return Some(Value::written(text, What::Object(Some(ty.clone()))));
        }
        let shape = self.world.shape(ty);
        if let Some(components) = shape.components {
            let mut texts = Vec::new();
            for (name, ty) in components {
                texts.push(self.value(&name, &ty, depth + 1)?.text?);
            }
            let diamond = if ty.is_generic { "<>" } else { "" };
            return Some(Value::written(format!("new {class}{diamond}({})", texts.join(", ")), What::Object(Some(ty.clone()))));
        }
        let diamond = if ty.is_generic { "<>" } else { "" };
        Some(Value::written(format!("new {class}{diamond}()"), What::Object(Some(ty.clone()))))
    }

    fn container(&mut self, hint: &str, ty: &Type, depth: u32) -> Option<Value> {
        let n = if ty.name == "Map" { 2 } else { 1 };
        let mut items = Vec::new();
        if self.is_full && depth < MAX_DEPTH && ty.is_whole() && ty.args.len() == n {
            for (i, arg) in ty.args.iter().enumerate() {
                let hint = if n == 2 { ["key", "value"][i].to_owned() } else { singular(hint, arg) };
                items.push(self.value(&hint, arg, depth + 1)?);
            }
        }
        let texts: Option<Vec<&str>> = items.iter().map(|it| it.text.as_deref()).collect();
        let inside = texts?.join(", ");
        if ty.name == "Optional" {
            let optional = self.names.qualified("java.util.Optional");
            let text = if items.is_empty() { format!("{optional}.empty()") } else { format!("{optional}.of({inside})") };
            return Some(Value::written(text, What::Maybe(items.pop().map(Box::new))));
        }
        let (class, of) = match ty.name.as_str() {
            "Set" => ("HashSet", "Set"),
            "Map" => ("HashMap", "Map"),
            _ => ("ArrayList", "List"),
        };
        let class = self.names.qualified(&format!("java.util.{class}"));
        let filled = if items.is_empty() { String::new() } else { format!("{}.of({inside})", self.names.qualified(&format!("java.util.{of}"))) };
        let what = if ty.name == "Map" { What::Object(Some(ty.clone())) } else { What::List(items) };
        Some(Value::written(format!("new {class}<>({filled})"), what))
    }

    /// An expression that gives a value of a type of the JDK, with the types that `$0`, `$1` stand for in it.
    fn plain(&self, ty: &Type) -> Option<(&'static str, &'static [&'static str])> {
        PLAIN.iter().find(|it| ty.is(it.0)).map(|it| (it.1, it.2))
    }
}

/// Values of types of the JDK that are better than mocks: they are always the same.
const PLAIN: &[(&str, &str, &[&str])] = &[
    ("java.lang.Object", "new Object()", &[]),
    ("java.lang.String", "\"\"", &[]),
    ("java.lang.CharSequence", "\"\"", &[]),
    ("java.lang.Integer", "1", &[]),
    ("java.lang.Long", "1L", &[]),
    ("java.lang.Short", "(short) 1", &[]),
    ("java.lang.Byte", "(byte) 1", &[]),
    ("java.lang.Double", "1.0", &[]),
    ("java.lang.Float", "1.0f", &[]),
    ("java.lang.Number", "1", &[]),
    ("java.lang.Character", "'a'", &[]),
    ("java.lang.Boolean", "true", &[]),
    ("java.lang.Class", "Object.class", &[]),
    ("java.lang.StringBuilder", "new StringBuilder()", &[]),
    ("java.lang.StringBuffer", "new StringBuffer()", &[]),
    ("java.lang.Appendable", "new StringBuilder()", &[]),
    ("java.lang.Thread", "Thread.currentThread()", &[]),
    ("java.lang.ClassLoader", "ClassLoader.getSystemClassLoader()", &[]),
    ("java.lang.Exception", "new Exception(\"a cause\")", &[]),
    ("java.lang.RuntimeException", "new RuntimeException(\"a cause\")", &[]),
    ("java.lang.Throwable", "new Exception(\"a cause\")", &[]),
    ("java.lang.Error", "new Error(\"a cause\")", &[]),
    ("java.math.BigDecimal", "$0.ONE", &["java.math.BigDecimal"]),
    ("java.math.BigInteger", "$0.ONE", &["java.math.BigInteger"]),
    ("java.math.MathContext", "$0.DECIMAL64", &["java.math.MathContext"]),
    ("java.time.Clock", "$0.fixed($1.parse(\"2024-03-01T10:00:00Z\"), $2.UTC)", &["java.time.Clock", "java.time.Instant", "java.time.ZoneOffset"]),
    ("java.time.Instant", "$0.parse(\"2024-03-01T10:00:00Z\")", &["java.time.Instant"]),
    ("java.time.LocalDate", "$0.of(2024, 3, 1)", &["java.time.LocalDate"]),
    ("java.time.LocalTime", "$0.of(10, 0)", &["java.time.LocalTime"]),
    ("java.time.LocalDateTime", "$0.of(2024, 3, 1, 10, 0)", &["java.time.LocalDateTime"]),
    ("java.time.ZonedDateTime", "$0.parse(\"2024-03-01T10:00:00Z\")", &["java.time.ZonedDateTime"]),
    ("java.time.OffsetDateTime", "$0.parse(\"2024-03-01T10:00:00Z\")", &["java.time.OffsetDateTime"]),
    ("java.time.Year", "$0.of(2024)", &["java.time.Year"]),
    ("java.time.YearMonth", "$0.of(2024, 3)", &["java.time.YearMonth"]),
    ("java.time.Duration", "$0.ofMinutes(1)", &["java.time.Duration"]),
    ("java.time.Period", "$0.ofDays(1)", &["java.time.Period"]),
    ("java.time.ZoneId", "$0.of(\"UTC\")", &["java.time.ZoneId"]),
    ("java.time.ZoneOffset", "$0.UTC", &["java.time.ZoneOffset"]),
    ("java.time.DayOfWeek", "$0.FRIDAY", &["java.time.DayOfWeek"]),
    ("java.time.Month", "$0.MARCH", &["java.time.Month"]),
    ("java.util.UUID", "new $0(1, 2)", &["java.util.UUID"]),
    ("java.util.Date", "new $0(0)", &["java.util.Date"]),
    ("java.util.Calendar", "new $0(2024, 2, 1)", &["java.util.GregorianCalendar"]),
    ("java.util.Locale", "$0.ROOT", &["java.util.Locale"]),
    ("java.util.TimeZone", "$0.getTimeZone(\"UTC\")", &["java.util.TimeZone"]),
    ("java.util.Random", "new $0(1)", &["java.util.Random"]),
    ("java.util.Properties", "new $0()", &["java.util.Properties"]),
    ("java.util.HashMap", "new $0<>()", &["java.util.HashMap"]),
    ("java.util.LinkedHashMap", "new $0<>()", &["java.util.LinkedHashMap"]),
    ("java.util.HashSet", "new $0<>()", &["java.util.HashSet"]),
    ("java.util.LinkedList", "new $0<>()", &["java.util.LinkedList"]),
    ("java.util.BitSet", "new $0()", &["java.util.BitSet"]),
    ("java.util.concurrent.TimeUnit", "$0.SECONDS", &["java.util.concurrent.TimeUnit"]),
    ("java.util.concurrent.ConcurrentHashMap", "new $0<>()", &["java.util.concurrent.ConcurrentHashMap"]),
    ("java.util.concurrent.atomic.AtomicInteger", "new $0(1)", &["java.util.concurrent.atomic.AtomicInteger"]),
    ("java.util.concurrent.atomic.AtomicLong", "new $0(1)", &["java.util.concurrent.atomic.AtomicLong"]),
    ("java.util.concurrent.atomic.AtomicBoolean", "new $0(true)", &["java.util.concurrent.atomic.AtomicBoolean"]),
    ("java.util.regex.Pattern", "$0.compile(\"a\")", &["java.util.regex.Pattern"]),
    ("java.nio.charset.Charset", "$0.UTF_8", &["java.nio.charset.StandardCharsets"]),
    ("java.nio.file.Path", "$0.of(\"placeholder\")", &["java.nio.file.Path"]),
    ("java.nio.ByteBuffer", "$0.allocate(16)", &["java.nio.ByteBuffer"]),
    ("java.nio.CharBuffer", "$0.allocate(16)", &["java.nio.CharBuffer"]),
    ("java.io.File", "new $0(\"placeholder\")", &["java.io.File"]),
    ("java.io.InputStream", "new $0(new byte[] {1})", &["java.io.ByteArrayInputStream"]),
    ("java.io.OutputStream", "new $0()", &["java.io.ByteArrayOutputStream"]),
    ("java.io.ByteArrayOutputStream", "new $0()", &["java.io.ByteArrayOutputStream"]),
    ("java.io.Reader", "new $0(\"text\")", &["java.io.StringReader"]),
    ("java.io.Writer", "new $0()", &["java.io.StringWriter"]),
    ("java.io.StringWriter", "new $0()", &["java.io.StringWriter"]),
    ("java.io.IOException", "new $0(\"a cause\")", &["java.io.IOException"]),
    ("java.net.URI", "$0.create(\"http://localhost\")", &["java.net.URI"]),
    ("java.text.DateFormat", "new $0(\"yyyy-MM-dd\")", &["java.text.SimpleDateFormat"]),
    ("java.text.SimpleDateFormat", "new $0(\"yyyy-MM-dd\")", &["java.text.SimpleDateFormat"]),
];

fn primitive(name: &str) -> Option<Value> {
    Some(match name {
        "boolean" => Value::written("true", What::Bool(true)),
        "char" => Value::written("'a'", What::Unknown),
        "byte" => Value::written("(byte) 1", What::Int(1)),
        "short" => Value::written("(short) 1", What::Int(1)),
        "int" => Value::written("1", What::Int(1)),
        "long" => Value::written("1L", What::Int(1)),
        "float" => Value::written("1.0f", What::Unknown),
        "double" => Value::written("1.0", What::Unknown),
        _ => return None,
    })
}

/// `lines` has a `line` in it; other names tell nothing.
fn singular(hint: &str, ty: &Type) -> String {
    match hint.strip_suffix('s').filter(|it| it.len() > 1 && !it.ends_with('s')) {
        Some(it) => it.to_owned(),
        None => lower_first(ty.name.rsplit('.').next().unwrap_or(&ty.name)),
    }
}

/// `OrderLine` is called `orderLine`.
pub(super) fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(|| "value".to_owned(), |first| first.to_lowercase().chain(chars).collect())
}
