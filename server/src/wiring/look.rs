//! Whether a file is worth reading, from its name and its first bytes.
//!
//! A repository has many XML files: build files, reports, layouts, test data. Of these no more than the begin is read.

use super::WiringKind;
use super::decode::decode;
use super::settings;
use super::xml::reader;
use quick_xml::events::{BytesStart, Event};
use std::path::Path;

/// The bytes at the begin of a file that [`look`] mostly needs.
pub const LOOK: usize = 8 << 10;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// XML.
    Xml,
    /// `key=value` lines.
    Properties,
    /// YAML.
    Yaml,
}

/// What is to be done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// It wires something together.
    Read,
    /// It is none of ours.
    Skip,
    /// More of it must be seen.
    More,
}

/// Files that everyone has and that wire nothing together.
const OTHERS: &[&str] = &[
    "pom.xml",
    "build.xml",
    "ivy.xml",
    "web.xml",
    "persistence.xml",
    "logback.xml",
    "logback-spring.xml",
    "logback-test.xml",
    "log4j.xml",
    "log4j2.xml",
    "log4j2-spring.xml",
    "generatorConfig.xml",
    "checkstyle.xml",
    "AndroidManifest.xml",
    "log4j.properties",
    "gradle.properties",
    "gradle-wrapper.properties",
    "maven-wrapper.properties",
    "docker-compose.yml",
    "pnpm-lock.yaml",
];

/// How a file is written, told by its name; `None` if files of this name wire nothing together.
pub fn format_of(path: &Path) -> Option<Format> {
    let format = match path.extension()?.to_str()? {
        "xml" => Format::Xml,
        "properties" => Format::Properties,
        "yml" | "yaml" => Format::Yaml,
        _ => return None,
    };
    let name = path.file_name()?.to_str()?;
    (!OTHERS.contains(&name)).then_some(format)
}

/// Whether Spring Boot reads a file by its name: `application.yml`, `bootstrap-dev.properties`.
pub(super) fn is_application_settings(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    let rest = stem.strip_prefix("application").or_else(|| stem.strip_prefix("bootstrap"));
    rest.is_some_and(|it| it.is_empty() || it.starts_with('-'))
}

/// Looks at the first bytes of a file, or at all of them.
pub fn look(format: Format, bytes: &[u8], is_all: bool) -> Look {
    let more = if is_all { Look::Skip } else { Look::More };
    match format {
        Format::Xml => match root(&decode(bytes.to_vec()).text) {
            Root::Of(_) => Look::Read,
            Root::Other => Look::Skip,
            Root::Unfinished => more,
        },
        // Their keys come in any order.
        Format::Properties => {
            if is_all {
                Look::Read
            } else {
                Look::More
            }
        }
        Format::Yaml => {
            if bytes.split(|it| *it == b'\n').any(settings::may_decide) {
                Look::Read
            } else {
                more
            }
        }
    }
}

/// What the root element says.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// The file is of this kind.
    Of(WiringKind),
    /// It is of no kind of ours.
    Other,
    /// The text ends before the root element does.
    Unfinished,
}

/// The kind of an XML file.
pub(super) fn root(text: &str) -> Root {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = reader(text);
    let mut doctype = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                let rest = text.get(reader.buffer_position() as usize..).unwrap_or_default();
                return kind(&doctype, &tag, rest).map_or(Root::Other, Root::Of);
            }
            // Declarations of entities do not tell what the file is.
            Ok(Event::DocType(text)) => doctype = text.split('[').next().unwrap_or_default().to_lowercase(),
            Ok(Event::Text(text)) if !text.trim().is_empty() => return Root::Other,
            Ok(Event::End(_) | Event::CData(_) | Event::GeneralRef(_)) => return Root::Other,
            Ok(Event::Eof) | Err(_) => return Root::Unfinished,
            Ok(_) => {}
        }
    }
}

fn kind(doctype: &str, tag: &BytesStart<'_>, rest: &str) -> Option<WiringKind> {
    let name = tag.name();
    let (prefix, local) = name.0.split_once(':').unwrap_or(("", name.0));
    let attribute = |name: &str| tag.attributes().with_checks(false).flatten().find(|it| it.key.0 == name).map(|it| it.value);
    let namespace = || attribute(&if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") });
    let is_batis = || doctype.contains("mybatis") || doctype.contains("ibatis");
    match local {
        // CDI and others have roots of this name.
        "beans" => namespace().is_none_or(|it| it.contains("springframework.org")).then_some(WiringKind::Spring),
        "mapper" if prefix.is_empty() => (is_batis() || attribute("namespace").is_some()).then_some(WiringKind::MyBatisMapper),
        // Of Logback, Log4j, Hadoop and more.
        "configuration" if prefix.is_empty() && namespace().is_none() => {
            (is_batis() || rest.contains("<mappers") || rest.contains("<typeAliases")).then_some(WiringKind::MyBatisConfig)
        }
        "sqlMap" | "sql-map" => Some(WiringKind::IBatisSqlMap),
        "sqlMapConfig" | "sql-map-config" => Some(WiringKind::IBatisConfig),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        let of = |kind| Root::Of(kind);
        assert_eq!(root("<?xml version='1.0'?>\n<!-- x -->\n<beans xmlns='http://www.springframework.org/schema/beans'>"), of(WiringKind::Spring));
        assert_eq!(root("\u{feff}<b:beans xmlns:b=\"http://www.springframework.org/schema/beans\"/>"), of(WiringKind::Spring));
        assert_eq!(root("<!DOCTYPE beans PUBLIC '-//SPRING//DTD BEAN//EN' 'x.dtd'><beans>"), of(WiringKind::Spring));
        assert_eq!(root("<beans xmlns='http://xmlns.jcp.org/xml/ns/javaee'/>"), Root::Other);
        let mapper = "<!DOCTYPE mapper PUBLIC \"-//mybatis.org//DTD Mapper 3.0//EN\" \"http://mybatis.org/dtd/mybatis-3-mapper.dtd\">\n<mapper>";
        assert_eq!(root(mapper), of(WiringKind::MyBatisMapper));
        assert_eq!(root("<mapper namespace='a.B'/>"), of(WiringKind::MyBatisMapper));
        assert_eq!(root("<mapper class='a.B'/>"), Root::Other);
        assert_eq!(root("<configuration><mappers><mapper resource='a.xml'/>"), of(WiringKind::MyBatisConfig));
        assert_eq!(root("<configuration><appender/></configuration>"), Root::Other);
        assert_eq!(root("<sqlMap namespace='Order'>"), of(WiringKind::IBatisSqlMap));
        assert_eq!(root("<sqlMapConfig>"), of(WiringKind::IBatisConfig));
        assert_eq!(root("<project xmlns='http://maven.apache.org/POM/4.0.0'>"), Root::Other);
        assert_eq!(root("plain text"), Root::Other);
        assert_eq!(root("<!-- a long li"), Root::Unfinished);
        assert_eq!(root("<beans xmlns='http"), Root::Unfinished);
        assert_eq!(root(""), Root::Unfinished);
    }

    #[test]
    fn names() {
        let of = |name: &str| format_of(Path::new(name));
        assert_eq!(of("a/spring/dao.xml"), Some(Format::Xml));
        assert_eq!(of("a/pom.xml"), None);
        assert_eq!(of("a/application-dev.yaml"), Some(Format::Yaml));
        assert_eq!(of("application.properties"), Some(Format::Properties));
        assert_eq!(of("A.java"), None);
        assert_eq!(of("xml"), None);
        let is = |name: &str| is_application_settings(Path::new(name));
        assert!(is("a/application.yml") && is("bootstrap-dev.properties"));
        assert!(!is("applications.yml") && !is("deploy.yml"));
    }

    #[test]
    fn looks() {
        assert_eq!(look(Format::Xml, b"<beans>", false), Look::Read);
        assert_eq!(look(Format::Xml, b"<project", false), Look::More);
        assert_eq!(look(Format::Xml, b"<project", true), Look::Skip);
        assert_eq!(look(Format::Yaml, b"a: 1\nspring:\n  x: y\n", true), Look::Read);
        assert_eq!(look(Format::Yaml, b"a: 1\n  spring:\n", true), Look::Skip);
        assert_eq!(look(Format::Yaml, b"a: 1\n", false), Look::More);
    }
}
