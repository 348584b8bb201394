;;; emacs.el --- drives `whydunit dap' by dap-mode -*- lexical-binding: t -*-
;; WHYDUNIT_CASE has a source, a text in the line, the function, an expression, its value, and the test; an empty test: the latest
;; recording. From where the test failed it is gone back to the line (by the console where dap-mode has no command for that), a value is
;; asked for, and one steps over the line and back.
(require 'dap-mode)
(require 'dap-ui)

(defvar whydunit-stops 0 "How often the adapter has told that it stands somewhere.")
(defvar whydunit-session nil "The session that stands.")

(defun whydunit-wait (what done)
  "Wait until DONE gives something, and give it; WHAT is told where it does not."
  (let ((until (+ (float-time) 90)) found)
    (while (and (not (setq found (funcall done))) (< (float-time) until))
      (accept-process-output nil 0.1))
    (or found (error "No %s" what))))

(defun whydunit-ask (command arguments)
  "The body of the response to COMMAND with ARGUMENTS."
  (let (answer)
    (dap--send-message (dap--make-request command arguments) (lambda (response) (setq answer response)) whydunit-session)
    (whydunit-wait command (lambda () answer))
    (unless (eq t (gethash "success" answer))
      (error "%s is refused: %s" command (gethash "message" answer)))
    (gethash "body" answer)))

(defun whydunit-go (command arguments)
  "Move by COMMAND with ARGUMENTS; the innermost frame behind it."
  (let ((before whydunit-stops))
    (whydunit-ask command arguments)
    (whydunit-wait "stop" (lambda () (> whydunit-stops before)))
    (whydunit-frame)))

(defun whydunit-frame ()
  "The innermost frame."
  (elt (gethash "stackFrames" (whydunit-ask "stackTrace" (list :threadId 1))) 0))

(defun whydunit-back (console)
  "Go back by a word of the debug CONSOLE."
  (whydunit-go "evaluate" (list :expression console :context "repl")))

(pcase-let ((`(,source ,text ,callee ,expression ,value ,test) (split-string (getenv "WHYDUNIT_CASE") "|")))
  (let* ((project (expand-file-name default-directory))
         (file (file-truename source))
         (line (with-temp-buffer
                 (insert-file-contents file)
                 (search-forward text)
                 (line-number-at-pos)))
         (check (lambda (frame)
                  (unless (and (= line (gethash "line" frame)) (string-suffix-p callee (gethash "name" frame)))
                    (error "It stands at %s:%s" (gethash "name" frame) (gethash "line" frame))))))
    (setq dap-auto-configure-features nil dap-print-io nil)
    (remove-hook 'dap-stopped-hook #'dap-hydra)
    (dap-register-debug-provider
     "whydunit" (lambda (conf) (plist-put conf :dap-server-path (list (getenv "WHYDUNIT") "dap"))))
    ;; Its hook is not run where a session that stands is told of another stop.
    (advice-add 'dap--select-thread-id :after
                (lambda (session &rest _) (setq whydunit-session session whydunit-stops (1+ whydunit-stops))))
    (find-file file)
    (prog-mode)
    (goto-char (point-min))
    (forward-line (1- line))
    (dap-breakpoint-add)
    (dap-debug (append (list :type "whydunit" :request "launch" :name "why" :project project)
                       (unless (string-empty-p test) (list :test test))))
    (whydunit-wait "first stop" (lambda () (> whydunit-stops 0)))
    (funcall check (whydunit-back ":reverse"))
    (let ((found (whydunit-ask "evaluate" (list :expression expression :frameId (gethash "id" (whydunit-frame))))))
      (unless (equal value (gethash "result" found))
        (error "%s is %s" expression (gethash "result" found))))
    (whydunit-go "next" (list :threadId 1))
    (funcall check (whydunit-go "stepBack" (list :threadId 1)))
    (whydunit-ask "disconnect" (list :restart :json-false))))
;;; emacs.el ends here
