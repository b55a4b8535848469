//! The words of the table of external state.

/// What kind of thing is outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExternalKind {
    /// A database, SQL or not.
    Db,
    /// A cache in another process.
    Cache,
    /// A message broker.
    Mq,
    /// A remote procedure call.
    Rpc,
    /// HTTP and what is spoken over it.
    Http,
    /// A configuration centre, a service registry, feature flags.
    Config,
    /// Locks, leases and elections shared by processes.
    Coordination,
    /// A search engine.
    Search,
    /// A cloud service or another public service with a client of its own.
    Cloud,
    /// Files, local ones and those of file servers.
    File,
    /// Sockets and name look-up.
    Socket,
    /// Mail.
    Mail,
    /// Directories.
    Ldap,
    /// Sensors, cameras, other programs: what the machine does (MOKA §2.1).
    Device,
    /// Job schedulers that keep their jobs outside.
    Job,
}

/// All kinds with the words of the table.
const KINDS: [(&str, ExternalKind); 15] = [
    ("db", ExternalKind::Db),
    ("cache", ExternalKind::Cache),
    ("mq", ExternalKind::Mq),
    ("rpc", ExternalKind::Rpc),
    ("http", ExternalKind::Http),
    ("config", ExternalKind::Config),
    ("coordination", ExternalKind::Coordination),
    ("search", ExternalKind::Search),
    ("cloud", ExternalKind::Cloud),
    ("file", ExternalKind::File),
    ("socket", ExternalKind::Socket),
    ("mail", ExternalKind::Mail),
    ("ldap", ExternalKind::Ldap),
    ("device", ExternalKind::Device),
    ("job", ExternalKind::Job),
];

impl ExternalKind {
    /// The word of the table.
    pub fn as_str(self) -> &'static str {
        KINDS.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }

    /// The kind of a word.
    pub(super) fn read(word: &str) -> Option<ExternalKind> {
        KINDS.iter().find(|it| it.0 == word).map(|it| it.1)
    }
}

/// How a row is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExternalHow {
    /// `call`: calling the member goes outside. `in`: making the object does.
    Call,
    /// `never`: not that member, although a row for every member has it.
    Never,
    /// `repository`: every method of a workspace interface below the type goes outside.
    Repository,
    /// `client`: every method of a workspace type that bears the annotation, or is below the type, goes outside.
    Client,
    /// `reference`: what a field, setter or parameter with the annotation holds is outside: calls on it go there.
    Reference,
    /// `dao`: every method of a workspace class below the type is a mocking point (paper §3.3, iBatis).
    Dao,
    /// `annotated`: an interface method that bears the annotation goes outside.
    Annotated,
    /// `makes`: what the member gives stands for something outside: calls on it go there.
    Makes,
    /// `generated`: a type of that name, which a generator makes, is a client, below the library type in the column of the
    /// member.
    Generated,
}

/// The words of the table.
const HOWS: [(&str, ExternalHow); 10] = [
    ("call", ExternalHow::Call),
    ("in", ExternalHow::Call),
    ("never", ExternalHow::Never),
    ("repository", ExternalHow::Repository),
    ("client", ExternalHow::Client),
    ("reference", ExternalHow::Reference),
    ("dao", ExternalHow::Dao),
    ("annotated", ExternalHow::Annotated),
    ("makes", ExternalHow::Makes),
    ("generated", ExternalHow::Generated),
];

impl ExternalHow {
    /// The use of a word.
    pub(super) fn read(word: &str) -> Option<ExternalHow> {
        HOWS.iter().find(|it| it.0 == word).map(|it| it.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_word() {
        assert!(KINDS.iter().all(|it| it.1.as_str() == it.0 && ExternalKind::read(it.0) == Some(it.1)));
    }
}
