;;; eglot.el --- Drives mockpoint from a real Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;;   MOCKPOINT=PROGRAM emacs --batch -l editors/emacs/mockpoint.el -l tests/editors/eglot.el FOLDER FILE
;;
;; FOLDER is a copy that may be changed, FILE a Java file in it with a mocking point and a static field that is never
;; modified and not final.  Prints one line a check and `N passed, N failed' at the end.

;;; Code:

(require 'eglot)
(require 'flymake)
(require 'cc-mode)

(defvar passed 0)
(defvar failed 0)

(defun say (format &rest arguments)
  (princ (concat (apply #'format format arguments) "\n")))

(defun check (name ok &optional detail)
  (if ok (setq passed (1+ passed)) (setq failed (1+ failed)))
  (say "%s  %s%s" (if ok "ok    " "FAILED") name (if (or ok (null detail)) "" (format ": %S" detail)))
  ok)

(defun eventually (get)
  "Wait until GET gives something, and give that."
  (let ((end (+ (float-time) 20)) res)
    (while (and (not (setq res (funcall get))) (< (float-time) end))
      (accept-process-output nil 0.05))
    res))

(defun diagnostics (text)
  "Those whose message has TEXT."
  (flymake-start)
  (seq-filter (lambda (it) (string-match-p (regexp-quote text) (flymake-diagnostic-text it))) (flymake-diagnostics)))

(defun messages ()
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun apply-action (beginning end prefix)
  "Apply the action for a place whose title begins with PREFIX, after it was resolved."
  (let* ((server (eglot-current-server))
         (actions (append (eglot-code-actions beginning end nil nil) nil))
         (action (seq-find (lambda (it) (string-prefix-p prefix (plist-get it :title))) actions)))
    (when (check (format "an action `%s ...' is offered" prefix) action (mapcar (lambda (it) (plist-get it :title)) actions))
      (unless (plist-get action :edit)
        (setq action (jsonrpc-request server :codeAction/resolve action)))
      (eglot--apply-workspace-edit (plist-get action :edit))
      ;; Idle timers, which would tell the server, do not run in batch mode.
      (eglot--signal-textDocument/didChange))))

(defun session (file)
  (find-file file)
  (unless (derived-mode-p 'java-mode) (java-mode))
  (say "Emacs %s" emacs-version)
  (apply #'eglot (eglot--guess-contact))
  (check "M-x eglot starts mockpoint" (eglot-current-server))
  (let ((point (eventually (lambda () (car (diagnostics "is a mocking point"))))))
    (when (check "a mocking point is shown" point (messages))
      (goto-char (flymake-diagnostic-beg point))
      (check "at the name of its method" (looking-at "\\w+(") (buffer-substring (line-beginning-position) (line-end-position)))
      (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
        (check "hovering tells something" (plist-get hover :contents) hover))
      (mockpoint-show-path)
      (with-current-buffer "*mockpoint*"
        (check "its path is listed" (string-match-p "OrderService.java:[0-9]+:[0-9]+" (buffer-string)) (buffer-string)))))
  (let ((buffer (current-buffer)))
    (dolist (it '(("arex" . "arex.json") ("csv" . "mocking-points.csv")))
      (with-current-buffer buffer
        (mockpoint-export (car it))
        (check (format "M-x mockpoint-export writes a list for %s" (car it))
               (and (string-suffix-p (concat "/report/" (cdr it)) buffer-file-name) (string-match-p "OrderService" (buffer-string)))
               buffer-file-name)))
    (with-current-buffer "*mockpoint*"
      (check "and shows remarks" (string-match-p "1 entry" (buffer-string)) (buffer-string)))
    (set-buffer buffer))
  (mockpoint-make-final-everywhere)
  (eventually (lambda () (string-match-p "private static final int limit" (buffer-string))))
  (check "M-x mockpoint-make-final-everywhere makes fields final" (string-match-p "private static final int limit" (buffer-string)) (buffer-string))
  (undo-boundary)
  (goto-char (point-min))
  (when (search-forward "static final int limit" nil t)
    (replace-match "static int limit"))
  (eglot--signal-textDocument/didChange)
  (let ((field (eventually (lambda () (car (diagnostics "is never modified"))))))
    (when (check "a field is ruled out" field (messages))
      (apply-action (flymake-diagnostic-beg field) (flymake-diagnostic-end field) "Make")
      (goto-char (point-min))
      (check "it becomes final" (search-forward "private static final int limit" nil t) (buffer-string))))
  (let ((point (car (diagnostics "is a mocking point"))))
    (apply-action (flymake-diagnostic-beg point) (flymake-diagnostic-end point) "Suppress")
    (check "a suppressed finding goes" (eventually (lambda () (null (diagnostics "is a mocking point")))) (messages)))
  (set-buffer-modified-p nil)
  (let ((server (eglot-current-server)))
    (eglot-shutdown server)
    (check "the server leaves when asked to" (not (jsonrpc-running-p server)))))

(setq eglot-sync-connect t
      eglot-confirm-server-initiated-edits nil
      eglot-autoshutdown nil
      mockpoint-program (getenv "MOCKPOINT"))
(let ((folder (pop command-line-args-left))
      (file (pop command-line-args-left)))
  (condition-case err
      (session (expand-file-name file folder))
    (error (check "the test itself runs to its end" nil err))))
(say "%d passed, %d failed" passed failed)
(kill-emacs (if (zerop failed) 0 1))
;;; eglot.el ends here
