//! Files that wire beans together, as the command line and the editor see them; most of all hostile ones: a message,
//! the findings in other files intact, no growth and no waiting.

use mockpoint::host::Host;
use mockpoint::load::{LoadOptions, load};
use mockpoint::wiring::{WiringFacts, read};
use mockpoint_tests::{GOOD, Tree};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// Far more than any of this takes, even on a busy machine without optimisation.
const PATIENCE: Duration = Duration::from_secs(30);

/// The problems of a tree with `spring.xml` and a good Java file: `line:column message`.
fn problems(xml: &[u8]) -> Vec<String> {
    let tree = Tree::new();
    tree.write("Good.java", GOOD.as_bytes());
    tree.write("spring.xml", xml);
    mockpoint_tests::binary();
    let start = Instant::now();
    let run = tree.run(&["check", "--format", "json"]);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let json = run.json();
    assert_eq!(json["mocking_points"].as_array().map(Vec::len), Some(1));
    let line = |it: &Value| {
        assert_eq!(it["file"], "spring.xml");
        let place = if it["position"].is_null() { "-".to_owned() } else { format!("{}:{}", it["position"]["line"], it["position"]["column"]) };
        format!("{place} {}", it["message"].as_str().unwrap_or_default())
    };
    json["files"]["problems"].as_array().into_iter().flatten().map(line).collect()
}

/// The facts of one file, which must not take long.
fn facts(name: &str, bytes: impl Into<Vec<u8>>) -> Option<WiringFacts> {
    let start = Instant::now();
    let res = read(Path::new(name), bytes.into()).map(|it| it.0);
    assert!(start.elapsed() < PATIENCE, "{name}: {:?}", start.elapsed());
    res
}

fn messages(facts: &WiringFacts) -> Vec<&str> {
    facts.problems.iter().map(|it| it.message.as_str()).collect()
}

#[test]
fn a_good_file_has_no_problems() {
    assert_eq!(problems(b"<beans>\n<bean id='a' class='Good'/>\n</beans>"), [""; 0]);
}

#[test]
fn problems_have_a_place() {
    let tree = Tree::new();
    tree.write("Good.java", GOOD.as_bytes());
    tree.write("a/spring.xml", "<beans>\n  <!-- 订单 --><bean id='a'>\n</beans>".as_bytes());
    let run = tree.run(&["check"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("warning: a/spring.xml:2:14: `<bean>` is not closed\n"), "{}", run.stderr);
    let json = tree.run(&["check", "--format", "json"]).json();
    let expected = json!([{ "file": "a/spring.xml", "position": { "line": 2, "column": 14 }, "message": "`<bean>` is not closed" }]);
    assert_eq!(json["files"]["problems"], expected);
}

#[test]
fn an_entity_bomb() {
    let mut xml = "<?xml version='1.0'?>\n<!DOCTYPE beans [\n<!ENTITY lol0 'lol'>\n".to_owned();
    for level in 1..30 {
        let _ = writeln!(xml, "<!ENTITY lol{level} '{}'>", format!("&lol{};", level - 1).repeat(10));
    }
    xml += "]>\n<beans><bean id='&lol29;' class='p.A'><property name='x'><value>&lol29;</value></property></bean></beans>";
    let expected = ["34:18 entity `lol29` is not plain text and is not put in", "34:65 entity `lol29` is not plain text and is not put in"];
    assert_eq!(problems(xml.as_bytes()), expected);
}

#[test]
fn a_long_entity_many_times() {
    let xml = format!("<!DOCTYPE beans [<!ENTITY a '{}'>]><beans>{}</beans>", "a".repeat(1000), "<bean id='&a;&a;&a;&a;'/>".repeat(20_000));
    let facts = facts("x.xml", xml).expect("it is ours");
    let n_bytes: usize = facts.beans.iter().filter_map(|it| it.id).map(|it| it.as_str().len()).sum();
    assert!(n_bytes < 1 << 20, "{n_bytes}");
    assert!(messages(&facts).contains(&"entity `a` expands to too much and is not put in"));
}

#[test]
fn other_files_are_not_read() {
    let tree = Tree::new();
    tree.write("secret.txt", b"classified");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("sockets can be asked");
    let address = listener.local_addr().expect("it has an address");
    let xml = format!(
        "<!DOCTYPE beans SYSTEM 'http://{address}/beans.dtd' [<!ENTITY a SYSTEM 'secret.txt'><!ENTITY b PUBLIC 'x' 'http://{address}/b'>
        <!ENTITY % c SYSTEM 'http://{address}/c'> %c;]>\n<beans><bean id='&a;&b;'/><import resource='http://{address}/d.xml'/></beans>"
    );
    tree.write("spring.xml", xml.as_bytes());
    let loaded = load(&[tree.path().to_owned()], &LoadOptions::default(), &());
    let messages: Vec<&str> = loaded.problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["entity `a` is in another file, which is not read", "entity `b` is in another file, which is not read"]);
    assert_eq!(loaded.wiring[0].facts.beans[0].id.map(|it| it.as_str()), Some("&a;&b;"));
    assert!(listener.accept().is_err(), "someone has connected");
}

#[test]
fn elements_nested_10000_deep() {
    let deep = |open: &str, close: &str| format!("<beans>{}{}<bean id='last'/></beans>", open.repeat(10_000), close.repeat(10_000));
    for (open, close) in [("<bean><property name='x'>", "</property></bean>"), ("<list>", "</list>"), ("<beans profile='p'>", "</beans>"), ("<x:y>", "</x:y>")]
    {
        let facts = facts("x.xml", deep(open, close)).expect("it is ours");
        assert_eq!(messages(&facts), ["nested deeper than 200 elements, passed over"], "{open}");
        assert_eq!(facts.beans.last().and_then(|it| it.id).map(|it| it.as_str()), Some("last"), "{open}");
    }
    let never_closed = facts("x.xml", format!("<beans>{}", "<list>".repeat(1_000_000))).expect("it is ours");
    assert_eq!(messages(&never_closed), ["`<list>` is not closed", "nested deeper than 200 elements, passed over"]);
    // What is passed over in a mapper is SQL.
    let mapper = format!("<mapper namespace='p.M'><select id='a'>{}{}</select></mapper>", "<if>".repeat(10_000), "</if>".repeat(10_000));
    assert_eq!(messages(&facts("m.xml", mapper).expect("it is ours")), [""; 0]);
}

#[test]
fn fifty_megabytes() {
    let bean = "<bean id='a' class='p.A'/>\n";
    assert_eq!(problems(format!("<beans>{}</beans>", bean.repeat((50 << 20) / bean.len())).as_bytes()), ["- larger than 8 MiB, passed over"]);
    // Data, which nobody asked to be read.
    assert_eq!(problems(format!("<data>{}</data>", bean.repeat((50 << 20) / bean.len())).as_bytes()), [""; 0]);
    // As much as is read.
    let bean = "<bean id='orderService' class='com.acme.orders.OrderService'/>\n";
    let most = format!("<beans>{}</beans>", bean.repeat((8 << 20) / bean.len() - 1));
    assert!(facts("x.xml", most).is_some_and(|it| it.problems.is_empty() && it.beans.len() > 130_000));
}

#[test]
fn millions_of_elements_and_attributes() {
    let elements = facts("x.xml", format!("<beans>{}</beans>", "<a/>".repeat(2_000_000))).expect("it is ours");
    assert_eq!(messages(&elements), ["more than 400000 elements or attributes, the rest is passed over"]);
    let attributes: String = (0..700_000).fold(String::new(), |text, it| text + " a" + &it.to_string() + "=''");
    let one_tag = facts("x.xml", format!("<beans><bean{attributes}/><bean id='b'/></beans>")).expect("it is ours");
    assert_eq!(messages(&one_tag), ["more than 400000 elements or attributes, the rest is passed over"]);
    let bindings: String = (0..400_000).fold(String::new(), |text, it| text + " xmlns:a" + &it.to_string() + "='u'");
    assert!(facts("x.xml", format!("<beans{bindings}>{}</beans>", "<a1:b a2:c=''/>".repeat(10_000))).is_some());
}

#[test]
fn markup_that_never_ends() {
    for tail in ["<!--", "<![CDATA[", "<?x ", "<!DOCTYPE x [", "<bean id='", "<bean ", "</", "<", "&", "&#", "&#x110000;"] {
        let facts = facts("x.xml", format!("<beans><bean id='a'/>{}", tail.repeat(400_000))).expect("it is ours");
        assert_eq!(facts.beans[0].id.map(|it| it.as_str()), Some("a"), "{tail}");
        assert!(!facts.problems.is_empty(), "{tail}");
    }
    let names = format!("<!DOCTYPE beans [{}]><beans/>", "<!ENTITY".repeat(500_000));
    let _ = facts("x.xml", names);
    let quotes = format!("<!DOCTYPE beans [{}]><beans/>", "<!ENTITY a \"".repeat(300_000));
    let _ = facts("x.xml", quotes);
}

#[test]
fn ends_that_close_nothing() {
    let facts = facts("x.xml", format!("<beans>{}<bean id='a'/></beans>", "</a>".repeat(1_000_000))).expect("it is ours");
    assert_eq!((facts.problems.len(), facts.beans.len()), (10, 1));
}

#[test]
fn encodings() {
    let beans = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?>\n<beans><bean id='订单' class='p.Order'/></beans>");
    let utf16 = |unit: fn(u16) -> [u8; 2]| beans("UTF-16").encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    assert_eq!(problems(&utf16(u16::to_be_bytes)), [""; 0]);
    assert_eq!(problems(&utf16(u16::to_le_bytes)), [""; 0]);
    assert_eq!(problems(beans("UTF-8").as_bytes()), [""; 0]);
    let mut gbk = beans("GBK").into_bytes();
    let at = gbk.windows(6).position(|it| it == "订单".as_bytes()).expect("it is there");
    gbk.splice(at..at + 6, *b"\xb6\xa9\xb5\xa5");
    assert_eq!(facts("x.xml", gbk.clone()).expect("it is ours").beans[0].id.map(|it| it.as_str()), Some("订单"));
    // Declared as something else, or as nothing that there is.
    let text = String::from_utf8_lossy(&gbk).replace("GBK", "UTF-16");
    assert_eq!(problems(text.as_bytes()), ["1:1 declared as UTF-16, which it is not"]);
    gbk.splice(30..33, *b"klingon");
    assert_eq!(problems(&gbk), ["1:1 unknown encoding `klingon`"]);
    assert_eq!(problems(b"<beans><bean id='\xb6\xa9'/></beans>"), ["1:1 not UTF-8, read as Latin-1"]);
}

#[test]
fn bytes_of_every_kind() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let seed = b"<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE beans [<!ENTITY a 'b'>]><beans xmlns:p='http://www.springframework.org/schema/p'>
        <bean id='a' p:x='&a;'><property name='y'><map><entry key='1'><list><value>&lt;&#65;<![CDATA[x]]></value></list></entry></map></property></bean></beans>";
    let yaml = b"spring:\n  profiles: &a\n    active: [dev, 'x', \"y\"]\n  main: {a: *a, ? b : |\n  c}\n---\ndubbo.x: @y@\n";
    let properties = b"spring.profiles.active=a,\\\n b\ndubbo.x : \\u0041\\t\n#---\nmybatis.y z";
    for (name, seed) in [("x.xml", &seed[..]), ("application.yml", &yaml[..]), ("application.properties", &properties[..])] {
        for _ in 0..3000 {
            let mut bytes = seed.to_vec();
            for _ in 0..1 + next() % 4 {
                if bytes.is_empty() {
                    break;
                }
                let at = (usize::from(next()) * 256 + usize::from(next())) % bytes.len();
                match next() % 4 {
                    0 => bytes[at] = next(),
                    1 => drop(bytes.drain(at..(at + usize::from(next() % 16)).min(bytes.len()))),
                    2 => bytes.insert(at, b"<>&;'\"[]{}:-\\\n@%!?*"[usize::from(next()) % 19]),
                    _ => bytes.truncate(at + 1),
                }
            }
            // Places must be in the text, at characters.
            if let Some((facts, text)) = read(Path::new(name), bytes) {
                for range in facts.problems.iter().map(|it| it.range).chain(facts.beans.iter().map(|it| it.range)) {
                    assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} in {text:?}");
                }
                for setting in &facts.properties {
                    assert!(text.get(setting.range.start as usize..setting.range.end as usize).is_some(), "{setting:?} in {text:?}");
                }
            }
        }
    }
}

#[test]
fn yaml_bombs() {
    let mut bomb = "spring:\n  a0: &a0 [x, x]\n".to_owned();
    for level in 1..40 {
        let _ = writeln!(bomb, "  a{level}: &a{level} [{}]", vec![format!("*a{}", level - 1); 10].join(", "));
    }
    assert!(facts("application.yml", bomb).is_none_or(|it| it.problems.is_empty()));
    let deep = |text: String| facts("application.yml", format!("dubbo.a: 1\nspring:\n  x: {text}")).expect("it is ours");
    for text in ["[".repeat(10_000), "{a: ".repeat(10_000), "[".repeat(500_000), "- ".repeat(10_000)] {
        let facts = deep(text);
        assert_eq!((facts.properties.len(), facts.problems.len()), (1, 1), "{:?}", facts.problems);
    }
    let steps = (0..10_000).fold("\n".to_owned(), |text, it| text + &" ".repeat(it % 300 + 3) + "a:\n");
    assert_eq!(deep(steps).problems.len(), 1);
    let large = facts("application.yml", format!("spring:\n{}", "  # x\n".repeat(300_000))).expect("it is ours");
    assert_eq!(messages(&large), ["larger than 1024 KiB, passed over"]);
    for text in ["a: b\n", "? ", "&a ", "!t ", "'", "\"", "|\n", "%YAML\n", "--- ", "a", "* ", ", ", ": ", "\t", "- a\n", "\u{feff}", "\r"] {
        let _ = facts("application.yml", format!("spring:\n{}", text.repeat((900 << 10) / text.len())));
    }
}

#[test]
fn long_properties() {
    for text in ["a", "\\", "\\\n", "\\\r\n  ", "a=b\n", "=", ": ", "\\u", "#", "\n", "spring.profiles.active=x\n"] {
        let _ = facts("application.properties", text.repeat((4 << 20) / text.len()));
    }
}

#[test]
fn which_files_are_read() {
    let tree = Tree::new();
    let beans = b"<beans><bean id='a' class='p.A'/></beans>";
    let ours =
        ["b/src/main/java/p/build/M.xml", "m/src/main/resources/application.yml", "m/src/main/resources/x.properties", "m/src/test/resources/t.xml", "z.xml"];
    for path in ours {
        let bytes: &[u8] = match path.rsplit('.').next() {
            Some("yml") => b"spring.profiles.active: dev",
            Some("properties") => b"mybatis.x=1",
            _ => beans,
        };
        tree.write(path, bytes);
    }
    for path in ["m/target/classes/x.xml", "build/x.xml", "pom.xml", "notes.txt", ".idea/x.xml", "ignored/x.xml"] {
        tree.write(path, beans);
    }
    tree.write("m/src/main/resources/log.xml", b"<configuration/>");
    tree.write("m/src/test/resources/broken.xml", b"<beans><bean></beans>");
    tree.write("deploy.yml", b"spring: {{ value }}\n");
    tree.write(".gitignore", b"ignored\n");
    tree.write("Good.java", GOOD.as_bytes());
    let loaded = load(&[tree.path().to_owned()], &LoadOptions::default(), &());
    let found: Vec<String> = loaded.wiring.iter().map(|it| mockpoint::load::relative(tree.path(), &it.path)).collect();
    let mut expected = ours.to_vec();
    expected.insert(3, "m/src/test/resources/broken.xml");
    assert_eq!(found, expected);
    assert_eq!((loaded.files.len(), &loaded.problems[..]), (1, &[][..]));
    assert_eq!(loaded.wiring.iter().map(|it| it.is_test).collect::<Vec<_>>(), [false, false, false, true, true, false]);

    // The editor sees the same, and sees what becomes of them.
    let mut host = Host::default();
    host.add_root(tree.path().to_owned());
    host.settle();
    let paths = |host: &mut Host| host.wiring().iter().map(|it| mockpoint::load::relative(tree.path(), &it.path)).collect::<Vec<_>>();
    assert_eq!(paths(&mut host), expected);
    assert_eq!(host.last_link().linked.wiring.len(), 6);
    tree.write("z.xml", b"<beans><bean id='b'/><bean id='c'/></beans>");
    tree.write("new.xml", beans);
    tree.write("build/new.xml", beans);
    host.disk_changed(["z.xml", "new.xml", "build/new.xml", "ignored/x.xml"].map(|it| tree.path().join(it)));
    host.settle();
    expected.insert(5, "new.xml");
    assert_eq!(paths(&mut host), expected);
    let linked = &host.last_link().linked.wiring;
    assert_eq!(linked[6].facts.beans.len(), 2);
    // It is no longer one of ours, and another one is gone.
    tree.write("z.xml", b"<data/>");
    host.disk_changed([tree.path().join("z.xml")]);
    host.removed(&tree.path().join("m"));
    host.settle();
    assert_eq!(paths(&mut host), ["b/src/main/java/p/build/M.xml", "new.xml"]);
    assert_eq!(host.last_link().linked.wiring.len(), 2);
    host.remove_root(tree.path());
    host.settle();
    assert_eq!(host.last_link().linked.wiring.len(), 0);
}
