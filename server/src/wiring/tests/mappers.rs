//! MyBatis, iBatis, and files of settings.

use super::{at, sym, xml};
use crate::wiring::{StatementKind, WiringFacts, WiringKind, read};
use std::path::Path;

fn statements(facts: &WiringFacts) -> Vec<(&'static str, StatementKind)> {
    facts.mappers[0].statements.iter().map(|it| (it.id.as_str(), it.kind)).collect()
}

#[test]
fn a_mybatis_mapper() {
    let source = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>
        <!DOCTYPE mapper PUBLIC \"-//mybatis.org//DTD Mapper 3.0//EN\" \"http://mybatis.org/dtd/mybatis-3-mapper.dtd\">
        <mapper namespace=\"p.OrderMapper\"><resultMap id='r' type='p.Order'><id column='id'/></resultMap><sql id='cols'>id, name</sql>
        <select id=\"find\" resultMap='r'>select <include refid='cols'/> where a &lt; 1 <if test='x'><where><select id='no'/></where></if></select>
        <insert id='add'><selectKey keyProperty='id'>select 1</selectKey></insert><update id='set'/><delete id='drop'/><delete/></mapper>";
    let facts = xml(source);
    assert_eq!((facts.kind, facts.mappers[0].namespace, &facts.problems[..]), (WiringKind::MyBatisMapper, sym("p.OrderMapper"), &[][..]));
    let expected = [("find", StatementKind::Select), ("add", StatementKind::Insert), ("set", StatementKind::Update), ("drop", StatementKind::Delete)];
    assert_eq!(statements(&facts), expected);
    assert_eq!(at(source, facts.mappers[0].statements[0].range), "<select id=\"find\" resultMap='r'>");
}

#[test]
fn a_mybatis_configuration() {
    let facts = xml("<!DOCTYPE configuration PUBLIC '-//mybatis.org//DTD Config 3.0//EN' 'http://mybatis.org/dtd/mybatis-3-config.dtd'>
        <configuration><typeAliases><package name='p.no'/></typeAliases><mappers><mapper resource='m/Order.xml'/><mapper class='p.UserMapper'/>
        <mapper url='file:///x.xml'/><package name='p.dao'/></mappers></configuration>");
    assert_eq!(facts.kind, WiringKind::MyBatisConfig);
    assert_eq!(facts.imports.iter().map(|it| it.resource.as_str()).collect::<Vec<_>>(), ["m/Order.xml", "file:///x.xml"]);
    assert_eq!((facts.mappers.len(), facts.mappers[0].namespace), (1, sym("p.UserMapper")));
    assert_eq!((facts.mapper_scans.len(), facts.mapper_scans[0].packages[0].as_str()), (1, "p.dao"));
}

#[test]
fn ibatis() {
    let facts = xml("<!DOCTYPE sqlMap PUBLIC '-//ibatis.apache.org//DTD SQL Map 2.0//EN' 'http://ibatis.apache.org/dtd/sql-map-2.dtd'>
        <sqlMap namespace='Order'><typeAlias alias='o' type='p.Order'/><select id='get'>x</select><procedure id='call'/><statement id='any'/></sqlMap>");
    assert_eq!((facts.kind, facts.mappers[0].namespace), (WiringKind::IBatisSqlMap, sym("Order")));
    assert_eq!(statements(&facts), [("get", StatementKind::Select), ("call", StatementKind::Any), ("any", StatementKind::Any)]);
    let facts = xml("<sqlMapConfig><settings useStatementNamespaces='true'/><sqlMap resource='a/Order.xml'/></sqlMapConfig>");
    assert_eq!((facts.kind, facts.imports[0].resource.as_str()), (WiringKind::IBatisConfig, "a/Order.xml"));
}

#[test]
fn what_is_not_ours() {
    let none = |name: &str, text: &str| assert!(read(Path::new(name), text.as_bytes().to_vec()).is_none(), "{name}: {text}");
    none("x.xml", "<configuration><appender name='a'/></configuration>");
    none("x.xml", "<beans xmlns='http://xmlns.jcp.org/xml/ns/javaee'><bean id='a'/></beans>");
    none("x.xml", "<project><dependencies/></project>");
    none("x.xml", "no XML at all");
    none("x.xml", "");
    none("pom.xml", "<beans/>");
    none("x.txt", "<beans/>");
    none("application.yml", "server:\n  port: 1\n");
    none("docker.yml", "spring: [\n");
    none("application.properties", "server.port=1\n");
    none("application.properties", "");
}

#[test]
fn settings() {
    let (facts, _) = read(Path::new("application.properties"), b"spring.profiles.active=d\xe9v".to_vec()).expect("a file of ours");
    assert_eq!((facts.kind, facts.properties[0].value.as_str()), (WiringKind::Properties, "dév"));
    let (facts, _) = read(Path::new("x.yaml"), b"spring:\n  profiles:\n    active: dev\n".to_vec()).expect("a file of ours");
    assert_eq!((facts.kind, facts.properties[0].key.as_str()), (WiringKind::Yaml, "spring.profiles.active"));
    let (facts, text) = read(Path::new("application-x.yml"), b"spring: [\n".to_vec()).expect("a file of ours");
    assert_eq!((facts.problems.len(), text.as_str()), (1, "spring: [\n"));
}
