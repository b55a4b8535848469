;;; mockpoint.el --- Mocking points of Java services, by Eglot -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; Load this file, and `M-x eglot' in a Java buffer starts mockpoint.
;; Eglot runs one server a buffer; README.md beside this file says what
;; to do if jdtls should run as well.

;;; Code:

(require 'eglot)
(require 'cl-lib)
(require 'project)
(require 'subr-x)

(defgroup mockpoint nil
  "Mocking points of Java services."
  :group 'eglot)

(defcustom mockpoint-program "mockpoint"
  "The program to run."
  :type 'string)

(defcustom mockpoint-settings nil
  "The settings, as a property list that is sent as the section `mockpoint'.
An example: (:world \"library\" :diagnostics (:severity
\(:never-modified-field \"off\")))."
  :type 'plist)

(defun mockpoint-contact (&optional _interactive)
  "The command that starts the server, and what it is told first."
  (append (list mockpoint-program "server")
          (and mockpoint-settings
               (list :initializationOptions mockpoint-settings))))

(add-to-list 'eglot-server-programs '((java-mode java-ts-mode) . mockpoint-contact))

(defun mockpoint--execute (command &rest arguments)
  "Let the server run COMMAND with ARGUMENTS, and return its answer."
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command :arguments (vconcat arguments))))

(defun mockpoint--here ()
  "The arguments of a command that is about the place at point."
  (let ((at (eglot--TextDocumentPositionParams)))
    (list (plist-get (plist-get at :textDocument) :uri) (plist-get at :position))))

;; Eglot 1.16 gave them other names.
(defun mockpoint--path (uri)
  "The file that URI names."
  (funcall (if (fboundp 'eglot-uri-to-path) 'eglot-uri-to-path 'eglot--uri-to-path) uri))

(defun mockpoint--uri (path)
  "The name of the file PATH for the server."
  (funcall (if (fboundp 'eglot-path-to-uri) 'eglot-path-to-uri 'eglot--path-to-uri) path))

(defun mockpoint--list (locations)
  "Show LOCATIONS in a buffer whose lines lead to them."
  (if (zerop (length locations))
      (message "mockpoint: nothing to show here")
    (let ((directory default-directory))
      (with-current-buffer (get-buffer-create "*mockpoint*")
        (let ((inhibit-read-only t))
          (setq default-directory directory)
          (erase-buffer)
          (seq-doseq (it locations)
            (let ((start (plist-get (plist-get it :range) :start))
                  (file (mockpoint--path (plist-get it :uri))))
              (insert (format "%s:%d:%d\n" (file-relative-name file directory)
                              (1+ (plist-get start :line)) (1+ (plist-get start :character))))))
          (compilation-mode "Mockpoint")
          (goto-char (point-min)))
        (display-buffer (current-buffer))))))

(defun mockpoint-show-path ()
  "List what makes the method at point a mocking point."
  (interactive)
  (mockpoint--list (apply #'mockpoint--execute "mockpoint.showPath" (mockpoint--here))))

(defun mockpoint-show-modifiers ()
  "List what modifies the field at point."
  (interactive)
  (mockpoint--list (apply #'mockpoint--execute "mockpoint.showModifiers" (mockpoint--here))))

(defun mockpoint-analyse-workspace ()
  "Let the server read all files again."
  (interactive)
  (message "mockpoint: %s mocking points"
           (plist-get (mockpoint--execute "mockpoint.analyseWorkspace") :mockingPoints)))

(defconst mockpoint-tools '("arex" "repeater" "moonbox" "diffblue" "testable-mock" "mockito" "noise" "csv" "sarif")
  "What takes mocking points, by the names of `mockpoint export'.")

(defun mockpoint-export (tool)
  "Write the mocking points for TOOL into the folder `report' of the project.
What to know of its entries is shown beside it."
  (interactive (list (completing-read "Export for: " mockpoint-tools nil t)))
  (let* ((root (project-root (eglot--project (eglot--current-server-or-lose))))
         (found (mockpoint--execute "mockpoint.export"
                                    (list :for tool :folder (mockpoint--uri (expand-file-name "report" root)))))
         (written (append (plist-get found :written) nil))
         (remarks (plist-get found :remarks)))
    (when written
      (find-file (mockpoint--path (car written))))
    (unless (string-empty-p remarks)
      (with-current-buffer (get-buffer-create "*mockpoint*")
        (let ((inhibit-read-only t))
          (setq default-directory root)
          (erase-buffer)
          (insert remarks)
          (compilation-mode "Mockpoint")
          (goto-char (point-min)))
        (display-buffer (current-buffer))))
    (message "mockpoint: %d entries for %s, %d left out"
             (plist-get found :entries) tool (plist-get found :leftOut))))

(defun mockpoint-make-final-everywhere ()
  "Make all fields of the project final that nothing modifies, where that compiles."
  (interactive)
  ;; The edit comes as a request of the server.  While Emacs waits for an
  ;; answer it leaves what arrives together with that answer unread until
  ;; the server writes again, so nobody waits here.
  (jsonrpc-async-request
   (eglot--current-server-or-lose) :workspace/executeCommand
   (list :command "mockpoint.makeFinalEverywhere" :arguments [])
   :success-fn (lambda (found)
                 (message "mockpoint: %d fields in %d files become final"
                          (plist-get found :places) (plist-get found :files)))
   :error-fn (lambda (wrong)
               (message "mockpoint: %s" (plist-get wrong :message)))))

(provide 'mockpoint)
;;; mockpoint.el ends here
