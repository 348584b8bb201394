;;; whydunit.el --- whydunit in Emacs -*- lexical-binding: t -*-

;; With lsp-mode it works beside the other servers of a buffer:
;;   (require 'whydunit) (whydunit-lsp-mode-setup)
;; With eglot, which has one server for a buffer, `M-x whydunit-eglot' shows a buffer's project by whydunit instead.

;;; Code:

(defvar whydunit-command '("whydunit" "lsp")
  "How the server is started.")

(defun whydunit-project (file)
  "The nearest folder upward from FILE that was set up for whydunit; nil where there is none."
  (locate-dominating-file
   file
   (lambda (folder)
     (or (file-exists-p (expand-file-name "whydunit.toml" folder))
         (file-directory-p (expand-file-name ".whydunit" folder))))))

(defun whydunit-eglot ()
  "Show the buffer's project by whydunit."
  (interactive)
  (require 'eglot)
  (let ((folder (whydunit-project (or buffer-file-name default-directory))))
    (unless folder
      (user-error "No folder upward was built by `whydunit build'"))
    (eglot (list major-mode) (cons 'transient folder) 'eglot-lsp-server whydunit-command
           (string-remove-suffix "-mode" (symbol-name major-mode)))))

(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")

(defun whydunit-lsp-mode-setup ()
  "Let lsp-mode start whydunit beside other servers."
  (require 'lsp-mode)
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection whydunit-command)
    :activation-fn (lambda (file _mode) (and (whydunit-project file) t))
    :add-on? t
    :server-id 'whydunit)))

(provide 'whydunit)
;;; whydunit.el ends here
