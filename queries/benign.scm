; Calls without effect on results that are told by their looks: loggers whose type nobody declares in the source
; (Lombok's @Slf4j and its like give a class a field `log`).
; Captures: @benign is the whole call.

(method_invocation
  object: (identifier) @_logger
  name: (identifier) @_level
  (#any-of? @_logger "log" "LOG" "logger" "LOGGER" "_log" "_logger" "auditLog" "auditLogger")
  (#any-of? @_level "trace" "debug" "info" "warn" "warning" "error" "fatal" "fine" "finer" "finest" "severe" "config" "log"
    "atTrace" "atDebug" "atInfo" "atWarn" "atError" "isTraceEnabled" "isDebugEnabled" "isInfoEnabled" "isWarnEnabled"
    "isErrorEnabled" "isLoggable" "entering" "exiting")) @benign
