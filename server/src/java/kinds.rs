//! Node kinds and fields of the grammar as numbers of our own.
//!
//! The grammar's numbers change with every release of it; looking names up once keeps `match` usable.

use std::sync::LazyLock;
use tree_sitter::Language;

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $name {
            /// Anything that has no name here.
            Other,
            $(#[doc = $text] $variant,)*
        }

        impl $name {
            const ALL: &[($name, &str)] = &[$(($name::$variant, $text),)*];
        }
    };
}

names! {
    /// Named nodes, and the few anonymous tokens that decide something.
    Kind {
        Program = "program",
        Package = "package_declaration",
        Import = "import_declaration",
        Asterisk = "asterisk",
        Class = "class_declaration",
        Interface = "interface_declaration",
        Enum = "enum_declaration",
        Record = "record_declaration",
        AnnotationType = "annotation_type_declaration",
        ClassBody = "class_body",
        InterfaceBody = "interface_body",
        EnumBody = "enum_body",
        EnumBodyDeclarations = "enum_body_declarations",
        AnnotationBody = "annotation_type_body",
        EnumConstant = "enum_constant",
        Field = "field_declaration",
        Constant = "constant_declaration",
        Method = "method_declaration",
        Constructor = "constructor_declaration",
        CompactConstructor = "compact_constructor_declaration",
        ConstructorBody = "constructor_body",
        ExplicitConstructor = "explicit_constructor_invocation",
        StaticInitializer = "static_initializer",
        Block = "block",
        Modifiers = "modifiers",
        MarkerAnnotation = "marker_annotation",
        Annotation = "annotation",
        ElementValueArray = "element_value_array_initializer",
        TypeParameters = "type_parameters",
        TypeParameter = "type_parameter",
        TypeBound = "type_bound",
        Superclass = "superclass",
        SuperInterfaces = "super_interfaces",
        ExtendsInterfaces = "extends_interfaces",
        TypeList = "type_list",
        FormalParameters = "formal_parameters",
        FormalParameter = "formal_parameter",
        SpreadParameter = "spread_parameter",
        InferredParameters = "inferred_parameters",
        VariableDeclarator = "variable_declarator",
        Dimensions = "dimensions",
        LocalVariable = "local_variable_declaration",
        ExpressionStatement = "expression_statement",
        If = "if_statement",
        While = "while_statement",
        Do = "do_statement",
        For = "for_statement",
        EnhancedFor = "enhanced_for_statement",
        Labeled = "labeled_statement",
        Break = "break_statement",
        Continue = "continue_statement",
        Return = "return_statement",
        Yield = "yield_statement",
        Throw = "throw_statement",
        Assert = "assert_statement",
        Synchronized = "synchronized_statement",
        Try = "try_statement",
        TryWithResources = "try_with_resources_statement",
        Resource = "resource",
        Catch = "catch_clause",
        CatchParameter = "catch_formal_parameter",
        CatchType = "catch_type",
        Finally = "finally_clause",
        Switch = "switch_expression",
        SwitchBlock = "switch_block",
        SwitchGroup = "switch_block_statement_group",
        SwitchRule = "switch_rule",
        SwitchLabel = "switch_label",
        Guard = "guard",
        Pattern = "pattern",
        TypePattern = "type_pattern",
        RecordPattern = "record_pattern",
        RecordPatternBody = "record_pattern_body",
        RecordPatternComponent = "record_pattern_component",
        Underscore = "underscore_pattern",
        Identifier = "identifier",
        ScopedIdentifier = "scoped_identifier",
        This = "this",
        Super = "super",
        Assignment = "assignment_expression",
        Binary = "binary_expression",
        Unary = "unary_expression",
        Update = "update_expression",
        Cast = "cast_expression",
        InstanceOf = "instanceof_expression",
        Ternary = "ternary_expression",
        Parenthesized = "parenthesized_expression",
        Lambda = "lambda_expression",
        MethodInvocation = "method_invocation",
        MethodReference = "method_reference",
        ObjectCreation = "object_creation_expression",
        ArrayCreation = "array_creation_expression",
        ArrayInitializer = "array_initializer",
        ArrayAccess = "array_access",
        DimensionsExpr = "dimensions_expr",
        FieldAccess = "field_access",
        ClassLiteral = "class_literal",
        Template = "template_expression",
        ArgumentList = "argument_list",
        TypeArguments = "type_arguments",
        TypeIdentifier = "type_identifier",
        ScopedTypeIdentifier = "scoped_type_identifier",
        GenericType = "generic_type",
        ArrayType = "array_type",
        AnnotatedType = "annotated_type",
        IntegralType = "integral_type",
        FloatingPointType = "floating_point_type",
        BooleanType = "boolean_type",
        VoidType = "void_type",
        StringLiteral = "string_literal",
        CharacterLiteral = "character_literal",
        DecimalInteger = "decimal_integer_literal",
        HexInteger = "hex_integer_literal",
        OctalInteger = "octal_integer_literal",
        BinaryInteger = "binary_integer_literal",
        DecimalFloat = "decimal_floating_point_literal",
        HexFloat = "hex_floating_point_literal",
        True = "true",
        False = "false",
        Null = "null_literal",
        LineComment = "line_comment",
        BlockComment = "block_comment",
        AndAnd = "&&",
        OrOr = "||",
        ColonColon = "::",
        Arrow = "->",
        New = "new",
        Default = "default",
        Equals = "=",
        Static = "static",
        Module = "module",
    }
}

names! {
    /// Fields that children are found by.
    FieldName {
        Alternative = "alternative",
        Arguments = "arguments",
        Array = "array",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Constructor = "constructor",
        Declarator = "declarator",
        Dimensions = "dimensions",
        Element = "element",
        Field = "field",
        Index = "index",
        Init = "init",
        Interfaces = "interfaces",
        Key = "key",
        Left = "left",
        Name = "name",
        Object = "object",
        Operand = "operand",
        Operator = "operator",
        Parameters = "parameters",
        Pattern = "pattern",
        Resources = "resources",
        Right = "right",
        Superclass = "superclass",
        Type = "type",
        TypeParameters = "type_parameters",
        TypeArguments = "type_arguments",
        Update = "update",
        Value = "value",
    }
}

impl Kind {
    /// Whether its parts are alike: none has a name in the grammar.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Kind::Block | Kind::ArgumentList | Kind::ExpressionStatement | Kind::Parenthesized | Kind::Return)
    }
}

/// The grammar behind everything: the one place to change it.
pub fn language() -> Language {
    tree_sitter_java::LANGUAGE.into()
}

struct Tables {
    kinds: Vec<Kind>,
    fields: Vec<FieldName>,
    /// The grammar's number of each of our fields.
    field_ids: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = language();
    let mut kinds = vec![Kind::Other; language.node_kind_count()];
    for id in 0..language.node_kind_count() as u16 {
        let name = language.node_kind_for_id(id).unwrap_or_default();
        if let Some((kind, _)) = Kind::ALL.iter().find(|(_, text)| *text == name) {
            kinds[id as usize] = *kind;
        }
    }
    let mut fields = vec![FieldName::Other; language.field_count() + 1];
    let mut field_ids = vec![0; FieldName::ALL.len() + 1];
    for (field, name) in FieldName::ALL {
        if let Some(id) = language.field_id_for_name(name) {
            fields[id.get() as usize] = *field;
            field_ids[*field as usize] = id.get();
        }
    }
    Tables { kinds, fields, field_ids }
});

/// The kind of a node number.
#[inline]
pub(crate) fn kind(id: u16) -> Kind {
    TABLES.kinds.get(id as usize).copied().unwrap_or(Kind::Other)
}

/// The field of a field number.
#[inline]
pub(crate) fn field(id: Option<std::num::NonZeroU16>) -> FieldName {
    id.map_or(FieldName::Other, |id| TABLES.fields[id.get() as usize])
}

/// The child in a field, found by number.
pub(crate) fn child<'t>(node: tree_sitter::Node<'t>, field: FieldName) -> Option<tree_sitter::Node<'t>> {
    node.child_by_field_id(TABLES.field_ids[field as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_no_named_parts() {
        let types: Vec<serde_json::Value> = serde_json::from_str(tree_sitter_java::NODE_TYPES).unwrap();
        for (_, name) in Kind::ALL.iter().filter(|it| it.0.is_list()) {
            let found = types.iter().find(|it| it["type"] == *name && it["named"] == true).unwrap();
            assert!(found["fields"].as_object().is_some_and(serde_json::Map::is_empty), "{found}");
        }
    }

    #[test]
    fn every_name_exists_in_the_grammar() {
        let language = language();
        let known: Vec<&str> = (0..language.node_kind_count() as u16).filter_map(|id| language.node_kind_for_id(id)).collect();
        for (_, name) in Kind::ALL {
            assert!(known.contains(name), "no node kind {name}");
        }
        for (_, name) in FieldName::ALL {
            assert!(language.field_id_for_name(name).is_some(), "no field {name}");
        }
    }
}
