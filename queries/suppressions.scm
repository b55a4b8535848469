; Places whose findings are left out of reports.
; Captures: @suppress covers a whole declaration, @ignore is a comment that covers its line and the next.

(_
  (modifiers
    (annotation
      name: (identifier) @_annotation
      arguments: (annotation_argument_list) @_arguments))
  (#eq? @_annotation "SuppressWarnings")
  (#match? @_arguments "\"mockpoint\"")) @suppress

((line_comment) @ignore
  (#match? @ignore "mockpoint:ignore"))

((block_comment) @ignore
  (#match? @ignore "mockpoint:ignore"))
