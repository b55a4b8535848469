//! Settings that decide what is a bean, a mapper or a mock, and which profile holds.
//!
//! Everything else in a file of settings is left out: it is values, and a value may be another one on every host.

use super::Setting;
use crate::intern::Sym;
use crate::java::decls::Range;
use std::cell::LazyCell;

/// The keys, in their canonical form. `*` stands for one part, a final `**` for any number of them.
const KEYS: &[&str] = &[
    // Which profiles hold, and where further settings come from.
    "spring.profiles",
    "spring.profiles.active",
    "spring.profiles.include",
    "spring.profiles.default",
    "spring.profiles.group.**",
    "spring.config.activate.**",
    "spring.config.import",
    "spring.config.additional-location",
    "spring.application.name",
    // How the container treats beans.
    "spring.main.sources",
    "spring.main.lazy-initialization",
    "spring.main.allow-bean-definition-overriding",
    "spring.main.allow-circular-references",
    "spring.main.web-application-type",
    "spring.main.**",
    "spring.autoconfigure.exclude",
    "spring.data.*.repositories.**",
    "spring.cache.type",
    "spring.session.store-type",
    // Which interfaces are mappers.
    "mybatis.mapper-locations",
    "mybatis.config-location",
    "mybatis.base-packages",
    "mybatis.type-aliases-package",
    "mybatis.**",
    "mybatis-plus.mapper-locations",
    "mybatis-plus.config-location",
    "mybatis-plus.type-aliases-package",
    "mybatis-plus.**",
    "mapper.**",
    // Whether calls of other processes leave this one.
    "dubbo.scan.base-packages",
    "dubbo.consumer.mock",
    "dubbo.consumer.injvm",
    "dubbo.consumer.scope",
    "dubbo.**",
    "spring.dubbo.**",
    "com.alipay.sofa.**",
    "sofa.**",
    "spring.hsf.**",
    "grpc.**",
    "feign.**",
    // Whether pushed configuration reaches fields.
    "spring.cloud.**",
    "nacos.**",
    "apollo.**",
];

/// Nobody writes more of them into a file.
const MAX_SETTINGS: usize = 5000;

/// Whether a line of YAML may begin such keys: its first part is the first part of one. Clusters are described in YAML too,
/// by the megabyte, and of such a line the first letter mostly tells that it is none.
pub(super) fn may_decide(line: &[u8]) -> bool {
    let first = line.first().map_or(' ', |it| it.to_ascii_lowercase() as char);
    let part = LazyCell::new(|| line.iter().position(|it| matches!(it, b':' | b'.')).map(|end| &line[..end]));
    let alike_to = |key: &str| part.is_some_and(|part| alike(key.split('.').next().unwrap_or_default(), part));
    KEYS.iter().filter(|key| key.starts_with(first)).any(|key| alike_to(key))
}

/// Whether two parts of keys are the same to Spring: case, dashes and underscores do not matter.
fn alike(canonical: &str, written: &[u8]) -> bool {
    let plain = |it: &u8| (!matches!(it, b'-' | b'_')).then(|| it.to_ascii_lowercase());
    canonical.as_bytes().iter().filter_map(plain).eq(written.iter().filter_map(plain))
}

/// The key in its canonical form, if it decides something. What `**` stands for is as written, since the keys of maps
/// are names of classes and the like.
fn canonical(written: &str) -> Option<String> {
    KEYS.iter().find_map(|key| {
        let mut res = String::new();
        let mut rest = Some(written);
        for part in key.split('.') {
            let left = rest?;
            if part == "**" {
                res.push_str(left);
                return Some(res);
            }
            let (own, after) = match left.split_once('.') {
                Some((own, after)) => (own, Some(after)),
                None => (left, None),
            };
            // Items of a list are `key[0]`.
            let (name, index) = own.split_at(own.find('[').unwrap_or(own.len()));
            if part != "*" && !alike(part, name.as_bytes()) {
                return None;
            }
            res.push_str(if part == "*" { name } else { part });
            res.push_str(index);
            if after.is_some() {
                res.push('.');
            }
            rest = after;
        }
        rest.is_none().then_some(res)
    })
}

/// Collects the settings of a file.
#[derive(Default)]
pub(super) struct Settings {
    all: Vec<Setting>,
    /// Where the settings of the current document begin.
    document: usize,
}

impl Settings {
    /// Notes a setting if it decides something.
    pub(super) fn add(&mut self, key: &str, value: &str, range: Range) {
        if self.all.len() < MAX_SETTINGS
            && let Some(key) = canonical(key)
        {
            self.all.push(Setting { key: Sym::new(&key), value: Sym::new(value), range, profile: None });
        }
    }

    /// Ends a document: all of it holds only in the profile that it names.
    pub(super) fn end_document(&mut self) {
        let document = &mut self.all[self.document..];
        // `spring.profiles` until Boot 2.4; it may be a list.
        let names: Vec<&str> =
            document.iter().filter(|it| is_profile_of_document(it.key.as_str())).map(|it| it.value.as_str()).filter(|it| !it.is_empty()).collect();
        if !names.is_empty() {
            let profile = Sym::new(&names.join(","));
            document.iter_mut().for_each(|it| it.profile = Some(profile));
        }
        self.document = self.all.len();
    }

    pub(super) fn into_list(mut self) -> Vec<Setting> {
        self.end_document();
        self.all
    }
}

fn is_profile_of_document(key: &str) -> bool {
    let key = key.split('[').next().unwrap_or_default();
    key == "spring.profiles" || key.strip_prefix("spring.config.activate.").is_some_and(|it| alike("on-profile", it.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{canonical, may_decide};

    #[test]
    fn keys() {
        let of = |key: &str| canonical(key);
        assert_eq!(of("spring.profiles.active").as_deref(), Some("spring.profiles.active"));
        assert_eq!(of("spring.profiles.active[1]").as_deref(), Some("spring.profiles.active[1]"));
        assert_eq!(of("mybatis.mapperLocations[0]").as_deref(), Some("mybatis.mapper-locations[0]"));
        assert_eq!(of("mybatisPlus.type_aliases_package").as_deref(), Some("mybatis-plus.type-aliases-package"));
        assert_eq!(of("SPRING.MAIN.lazyInitialization").as_deref(), Some("spring.main.lazy-initialization"));
        assert_eq!(of("dubbo.reference.com.acme.OrderFacade.mock").as_deref(), Some("dubbo.reference.com.acme.OrderFacade.mock"));
        assert_eq!(of("spring.data.mongodb.repositories.type").as_deref(), Some("spring.data.mongodb.repositories.type"));
        assert_eq!(of("spring.data.mongodb.uri"), None);
        assert_eq!(of("spring.datasource.url"), None);
        assert_eq!(of("spring.cache.type.x"), None);
        assert_eq!(of("spring"), None);
        assert_eq!(of("mapper"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn lines() {
        assert!(may_decide(b"spring:") && may_decide(b"mybatisPlus.x: 1") && may_decide(b"com:") && may_decide(b"Spring.x: y"));
        assert!(!may_decide(b"  spring:") && !may_decide(b"spring") && !may_decide(b"services:") && !may_decide(b"- spring:") && !may_decide(b""));
    }
}
