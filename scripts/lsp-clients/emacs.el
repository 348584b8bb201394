;;; emacs.el --- drives `whydunit lsp' by eglot -*- lexical-binding: t -*-
;; WHYDUNIT_CASE has a source, words of a diagnostic, a text where a variable stands, and words of its hover.
(require 'eglot)
(require 'whydunit)
(setq whydunit-command (list (getenv "WHYDUNIT") "lsp"))

(defvar whydunit-shown nil "The messages of diagnostics that eglot was given, of all files.")

(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql textDocument/publishDiagnostics)) &key diagnostics &allow-other-keys)
  (mapc (lambda (diagnostic) (push (plist-get diagnostic :message) whydunit-shown)) diagnostics))

(pcase-let ((`(,source ,wanted ,variable ,told) (split-string (getenv "WHYDUNIT_CASE") "|")))
  (find-file source)
  ;; Whatever the mode of the language is, its other servers are not meant here.
  (prog-mode)
  (whydunit-eglot)
  (let ((server (eglot-current-server)) (until (+ (float-time) 60)) found)
    (set-buffer-modified-p t)
    (save-buffer)
    (while (and (not found) (< (float-time) until))
      (accept-process-output nil 0.2)
      (setq found (seq-some (lambda (message) (string-match-p (regexp-quote wanted) message)) whydunit-shown)))
    (unless found
      (error "No diagnostic with `%s': %S" wanted whydunit-shown))
    (goto-char (point-min))
    (search-forward variable)
    (goto-char (match-beginning 0))
    (let ((hover (format "%S" (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))))
      (unless (string-match-p (regexp-quote told) hover)
        (error "No `%s' in %s" told hover)))
    (eglot-shutdown server)))
;;; emacs.el ends here
