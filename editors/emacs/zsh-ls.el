;;; zsh-ls.el --- Run shell lines and see what they mean -*- lexical-binding: t; -*-

;; Author: The zsh-ls authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "30.1"))
;; Keywords: languages, processes, tools
;; URL: https://github.com/zsh-ls/zsh-ls
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Teaches Eglot about zsh-ls: `M-x eglot' in a script starts it, and insights
;; appear on the lines as with any language server.  The commands run a line, a
;; region or the whole script, follow what takes long, and ask questions:
;;
;;   `zsh-ls-run-line'    `zsh-ls-run'      `zsh-ls-run-script'
;;   `zsh-ls-explain'     `zsh-ls-ask'      `zsh-ls-output'
;;   `zsh-ls-send'        `zsh-ls-stop'

;;; Code:

(require 'ansi-color)
(require 'cl-lib)
(require 'eglot)
(require 'subr-x)

(defgroup zsh-ls nil
  "Shell lines that are run, remembered and explained."
  :group 'eglot)

(defcustom zsh-ls-command '("zsh-ls" "serve")
  "The program that Eglot starts, and its arguments."
  :type '(repeat string))

(defcustom zsh-ls-display-action '((display-buffer-reuse-window display-buffer-below-selected)
                                   (window-height . 0.3))
  "Where output and answers are shown; see `display-buffer'."
  :type 'sexp)

(defclass zsh-ls-server (eglot-lsp-server) ()
  "A zsh-ls that Eglot is connected to.")

;;;###autoload
(defun zsh-ls--contact (&rest _)
  "Return the class of the server for Eglot, and `zsh-ls-command'."
  (cons 'zsh-ls-server zsh-ls-command))

;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((sh-mode bash-ts-mode) . zsh-ls--contact)))

(cl-defmethod eglot-client-capabilities ((_server zsh-ls-server))
  "Add that results are shown in colours and inlay hints can be refreshed."
  (let ((capabilities (cl-call-next-method)))
    (plist-put (plist-get capabilities :workspace) :inlayHint '(:refreshSupport t))
    (plist-put capabilities :experimental '(:zshLs (:version 1 :colour t)))))

(cl-defmethod eglot-handle-request
  ((server zsh-ls-server) (_method (eql workspace/inlayHint/refresh)))
  "Update the inlay hints of SERVER's buffers after a run has changed them."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and eglot-inlay-hints-mode (eq (eglot-current-server) server))
        (eglot--update-hints-1 (point-min) (point-max))))))

;;; Asking

(defun zsh-ls--server ()
  "Return the zsh-ls server of this buffer; signal an error if there is none."
  (let ((server (eglot-current-server)))
    (unless (cl-typep server 'zsh-ls-server)
      (user-error "No zsh-ls here: M-x eglot starts it"))
    server))

(defun zsh-ls--request (server method params show)
  "Send METHOD with PARAMS to SERVER and call SHOW with the result.
Pending edits are sent first, as for Eglot's own requests."
  (when (eglot-managed-p) (eglot--signal-textDocument/didChange))
  (jsonrpc-async-request
   server method params
   :timeout nil
   :success-fn show
   :error-fn (lambda (fault) (message "zsh-ls: %s" (plist-get fault :message)))))

(defun zsh-ls--document ()
  "Return the identifier of this buffer's document for requests."
  (list :uri (eglot-path-to-uri buffer-file-name)))

(cl-defmethod eglot-execute ((server zsh-ls-server) action)
  "Run ACTION and show its result, if it is a command of SERVER itself."
  (let* ((inner (plist-get action :command))
         (command (if (stringp inner) action inner))
         (name (plist-get command :command)))
    (if (not (and name (string-prefix-p "zsh." name)))
        (cl-call-next-method)
      (zsh-ls--request server
                       (intern (concat ":" (string-replace "." "/" name)))
                       (aref (plist-get command :arguments) 0)
                       #'zsh-ls--show))))

;;; Showing

(define-derived-mode zsh-ls-output-mode special-mode "zsh-ls"
  "Major mode for what a command printed, how it ended, and what that means."
  (setq-local window-point-insertion-type t))

(defun zsh-ls--append (buffer text)
  "Append TEXT to BUFFER, with its escape codes turned into colours."
  (with-current-buffer buffer
    (let ((inhibit-read-only t) (start (copy-marker (point-max))))
      (save-excursion
        (goto-char (point-max))
        (insert text))
      (ansi-color-apply-on-region start (point-max)))))

(defun zsh-ls--buffer (name)
  "Return an empty buffer NAME for output."
  (with-current-buffer (get-buffer-create name)
    (zsh-ls-output-mode)
    (let ((inhibit-read-only t)) (erase-buffer))
    (current-buffer)))

(defun zsh-ls--task-buffer (task)
  "Return the buffer for the output of TASK, creating it if needed."
  (let ((name (format "*zsh-ls %s*" task)))
    (or (get-buffer name) (zsh-ls--buffer name))))

(defun zsh-ls--display (text)
  "Show TEXT in the buffer for results."
  (let ((buffer (zsh-ls--buffer "*zsh-ls*")))
    (zsh-ls--append buffer text)
    (display-buffer buffer zsh-ls-display-action)))

(defun zsh-ls--show (result)
  "Show RESULT; for a running task, show the buffer of its output."
  (if (equal (plist-get result :status) "running")
      (display-buffer (zsh-ls--task-buffer (plist-get result :task_id)) zsh-ls-display-action)
    (zsh-ls--display (or (plist-get result :formatted) (plist-get result :text) ""))))

(cl-defmethod eglot-handle-notification
  ((_server zsh-ls-server) (_method (eql zsh/progress))
   &key task_id status origin output formatted &allow-other-keys)
  "Show the progress of the task TASK_ID if ORIGIN is an editor.
OUTPUT is new output; FORMATTED is the result, once STATUS is not running."
  (when (member origin '("editor" "lens" "trace"))
    (zsh-ls--append (zsh-ls--task-buffer task_id)
                    (if (equal status "running") (or output "") (or formatted output "")))))

;;; Commands

;;;###autoload
(defun zsh-ls-run-line ()
  "Run the command of this line, or the region, and show how it went."
  (interactive)
  (zsh-ls--server)
  (if (use-region-p)
      (eglot-code-actions (region-beginning) (region-end) "zsh-ls.run" t)
    (eglot-code-actions (point) nil "zsh-ls.run" t)))

;;;###autoload
(defun zsh-ls-run (command &optional terminal)
  "Run COMMAND in the folder of this buffer and show how it went.
With a prefix argument, TERMINAL, it gets a terminal that `zsh-ls-send'
types into."
  (interactive (list (read-shell-command "Run: ") current-prefix-arg))
  (zsh-ls--request (zsh-ls--server) :zsh/run
                   (list :command command
                         :cwd (expand-file-name default-directory)
                         :pty (if terminal t :json-false))
                   #'zsh-ls--show))

;;;###autoload
(defun zsh-ls-run-script (&optional untraced)
  "Run this buffer, saved or not, and mark its lines with counts and times.
With a prefix argument, UNTRACED, leave the lines as they are.  The script
has a terminal that `zsh-ls-send' types into."
  (interactive "P")
  (zsh-ls--request (zsh-ls--server) :zsh/runScript
                   (list :textDocument (zsh-ls--document) :trace (if untraced :json-false t)
                         :pty t :cols (frame-width) :rows (frame-height))
                   #'zsh-ls--show))

;;;###autoload
(defun zsh-ls-explain ()
  "Explain what the command at point does, its history and its exits."
  (interactive)
  (zsh-ls--server)
  (eglot-code-actions (point) nil "zsh-ls.explain" t))

;;;###autoload
(defun zsh-ls-ask (question)
  "Answer QUESTION about this machine, the memory or the last output."
  (interactive "sAsk: ")
  (zsh-ls--request (zsh-ls--server) :zsh/ask (list :query question) #'zsh-ls--show))

(defun zsh-ls--read-task (prompt all)
  "Read a task with PROMPT, also an ended one if ALL, and return its id."
  (let* ((listed (jsonrpc-request (zsh-ls--server) :zsh/tasks (list :all (or all :json-false))))
         (tasks (mapcar (lambda (task)
                          (let ((id (plist-get task :task_id)))
                            (cons (format "%s %s (%s)" id (plist-get task :command)
                                          (plist-get task :status))
                                  id)))
                        (plist-get listed :tasks))))
    (cond ((null tasks) (user-error "No task"))
          ((and (not all) (null (cdr tasks))) (cdar tasks))
          (t (cdr (assoc (completing-read prompt tasks nil t) tasks))))))

;;;###autoload
(defun zsh-ls-output (task)
  "Show everything that TASK printed, including what its result left out."
  (interactive (list (zsh-ls--read-task "Output of: " t)))
  (zsh-ls--request (zsh-ls--server) :zsh/output (list :task_id task)
                   (lambda (page) (zsh-ls--display (plist-get page :output)))))

;;;###autoload
(defun zsh-ls-send (task input)
  "Type INPUT and Enter into TASK, which must have a terminal."
  (interactive (list (zsh-ls--read-task "Type into: " nil) (read-string "Input: ")))
  (zsh-ls--request (zsh-ls--server) :zsh/send (list :task_id task :input input)
                   (lambda (sent) (message "%s" (plist-get sent :message)))))

;;;###autoload
(defun zsh-ls-stop (task)
  "End TASK and every process it started."
  (interactive (list (zsh-ls--read-task "Stop: " nil)))
  (zsh-ls--request (zsh-ls--server) :zsh/kill (list :task_id task)
                   (lambda (killed) (message "%s" (plist-get killed :message)))))

;;; Leaving

(defun zsh-ls--running ()
  "Return the running commands of all servers, which would end with Emacs."
  (cl-loop for server in (apply #'append (hash-table-values eglot--servers-by-project))
           when (and (cl-typep server 'zsh-ls-server) (jsonrpc-running-p server))
           append (let ((listed (ignore-errors ; a server that hangs keeps nobody
                                  (jsonrpc-request server :zsh/tasks '(:all :json-false)
                                                   :timeout 2))))
                    (mapcar (lambda (task) (plist-get task :command)) (plist-get listed :tasks)))))

(defun zsh-ls--may-leave-p ()
  "Ask whether to exit while tasks run; return nil to stay in Emacs."
  (let ((commands (zsh-ls--running)))
    (or (null commands)
        (yes-or-no-p (format "Running: %s; end %s and exit Emacs? "
                             (string-join commands ", ") (if (cdr commands) "them" "it"))))))

(add-hook 'kill-emacs-query-functions #'zsh-ls--may-leave-p)

(provide 'zsh-ls)
;;; zsh-ls.el ends here
