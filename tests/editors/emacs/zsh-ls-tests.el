;;; zsh-ls-tests.el --- What Eglot does with a real zsh-ls -*- lexical-binding: t; -*-

;; Each test runs in an Emacs of its own, in a folder of its own (test_emacs.py).

(require 'ert)
(require 'zsh-ls)

(setq eglot-sync-connect 20
      eglot-confirm-server-edits nil
      native-comp-jit-compilation nil)

(defmacro zsh-ls-tests-wait (condition)
  "Wait until CONDITION is true, and give it; the test fails where it stays false."
  `(with-timeout (20 (ert-fail (list 'never ',condition)))
     (let (found)
       (while (not (setq found ,condition)) (accept-process-output nil 0.05))
       found)))

(defmacro zsh-ls-tests-in (text &rest body)
  "Run BODY in a script of TEXT that zsh-ls serves, at its beginning."
  (declare (indent 1))
  `(progn
     (write-region ,text nil "script.zsh")
     (with-current-buffer (find-file-noselect "script.zsh")
       (eglot-ensure)
       (unless (eglot-current-server) (call-interactively #'eglot))
       (unwind-protect (progn ,@body)
         (set-buffer-modified-p nil)
         (eglot-shutdown (eglot-current-server) nil 20)))))

(defun zsh-ls-tests-diagnostics ()
  "The diagnostics of this buffer now."
  (flymake-start)
  (accept-process-output nil 0.05)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun zsh-ls-tests-text (pattern)
  "The text of the first of our buffers that matches PATTERN, if there is one."
  (cl-loop for buffer in (buffer-list)
           for text = (with-current-buffer buffer (buffer-string))
           when (and (string-prefix-p "*zsh-ls" (buffer-name buffer)) (string-match-p pattern text))
           return text))

(defun zsh-ls-tests-line (number)
  "Go to the beginning of line NUMBER."
  (goto-char (point-min))
  (forward-line (1- number)))

(defun zsh-ls-tests-line-text ()
  "The text of this line."
  (buffer-substring-no-properties (pos-bol) (pos-eol)))

(ert-deftest zsh-ls-serves-scripts-of-zsh ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (should (eq major-mode 'sh-mode))
    (should (cl-typep (eglot-current-server) 'zsh-ls-server))))

(ert-deftest zsh-ls-what-a-script-gets-wrong-is-a-diagnostic ()
  (zsh-ls-tests-in "#!/bin/zsh\nmake test | tee test.log\n"
    (let ((said (zsh-ls-tests-wait (zsh-ls-tests-diagnostics))))
      (should (string-match-p "a failure of 'make test' is lost" (car said))))))

(ert-deftest zsh-ls-a-line-that-is-run-shows-its-end-and-is-marked ()
  (zsh-ls-tests-in "#!/bin/zsh\necho test | grep nope\n"
    (zsh-ls-tests-line 2)
    (zsh-ls-run-line)
    (should (zsh-ls-tests-wait (zsh-ls-tests-text "exit=1 pipestatus=\\[0,1\\]")))
    (should (string-match-p "grep exit 1 = no match (normal)"
                            (car (zsh-ls-tests-wait (zsh-ls-tests-diagnostics)))))))

(ert-deftest zsh-ls-a-region-is-run-as-it-is ()
  (zsh-ls-tests-in "#!/bin/zsh\nprint one; print two\n"
    (transient-mark-mode 1)
    (zsh-ls-tests-line 2)
    (push-mark (point) t t)
    (forward-char 9)
    (zsh-ls-run-line)
    (let ((text (zsh-ls-tests-wait (zsh-ls-tests-text "COMPLETED"))))
      (should (string-match-p "^one$" text))
      (should-not (string-match-p "two" text)))))

(ert-deftest zsh-ls-colours-are-faces-and-no-codes ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (zsh-ls-run "true")
    (let ((text (zsh-ls-tests-wait (zsh-ls-tests-text "COMPLETED"))))
      (should-not (string-match-p "\e" text))
      (with-current-buffer "*zsh-ls*"
        (goto-char (point-min))
        (search-forward "COMPLETED")
        (should (cl-some (lambda (overlay) (overlay-get overlay 'face))
                         (overlays-at (1- (point)))))))))

(ert-deftest zsh-ls-what-takes-long-is-followed-to-its-end ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (zsh-ls-run "for i in 1 2 3; do print tick $i; sleep 1; done")
    (should (zsh-ls-tests-wait (zsh-ls-tests-text "tick 1")))
    (let ((text (zsh-ls-tests-wait (zsh-ls-tests-text "COMPLETED"))))
      (dolist (line '("tick 1" "tick 2" "tick 3"))
        (should (= 2 (length (split-string text (regexp-quote line)))))))))

(ert-deftest zsh-ls-a-script-is-run-as-it-stands-unsaved ()
  (zsh-ls-tests-in "#!/bin/zsh\nprint saved\n"
    (goto-char (point-max))
    (insert "print unsaved\nfalse | true\n")
    (zsh-ls-run-script)
    (let ((text (zsh-ls-tests-wait (zsh-ls-tests-text "COMPLETED"))))
      (should (string-match-p "^saved\nunsaved$" text)))))

(ert-deftest zsh-ls-the-memory-stands-on-the-line-as-a-hint ()
  (zsh-ls-tests-in "#!/bin/zsh\nls nowhere\n"
    (dotimes (_ 3)
      (jsonrpc-request (eglot-current-server) :zsh/run '(:command "ls nowhere")))
    (should eglot-inlay-hints-mode)
    (let* ((range '(:start (:line 0 :character 0) :end (:line 2 :character 0)))
           (asked (list :textDocument (zsh-ls--document) :range range))
           (hints (jsonrpc-request (eglot-current-server) :textDocument/inlayHint asked)))
      (should (equal (plist-get (aref hints 0) :label) "0% of 3"))
      (should (equal (plist-get (plist-get (aref hints 0) :position) :line) 1)))))

(ert-deftest zsh-ls-a-fix-is-done ()
  (zsh-ls-tests-in "#!/bin/bash\nf() {\n  local a=$(b) || return\n  echo $a\n}\nf\n"
    (zsh-ls-tests-wait (zsh-ls-tests-diagnostics))
    (zsh-ls-tests-line 3)
    (let* ((actions (eglot-code-actions (pos-bol) (pos-eol) "quickfix"))
           (fix (seq-find (lambda (it) (equal (plist-get it :title) "Declare first, assign then"))
                          actions)))
      (should fix)
      (eglot-execute (eglot-current-server) fix))
    (zsh-ls-tests-line 3)
    (should (equal (zsh-ls-tests-line-text) "  local a=; a=$(b) || return"))))

(ert-deftest zsh-ls-flags-are-completed ()
  (zsh-ls-tests-in "#!/bin/zsh\nls --human"
    (goto-char (point-max))
    (completion-at-point)
    (should (equal (string-trim (zsh-ls-tests-line-text)) "ls --human-readable"))))

(ert-deftest zsh-ls-a-function-is-renamed-wherever-it-is-called ()
  (zsh-ls-tests-in "#!/bin/zsh\nbuild() { print b }\nbuild\n"
    (zsh-ls-tests-line 3)
    (eglot-rename "make_it")
    (should (equal (buffer-string) "#!/bin/zsh\nmake_it() { print b }\nmake_it\n"))))

(ert-deftest zsh-ls-a-command-is-explained ()
  (zsh-ls-tests-in "#!/bin/zsh\necho test | grep nope\n"
    (zsh-ls-tests-line 2)
    (zsh-ls-explain)
    (should (zsh-ls-tests-wait (zsh-ls-tests-text "1: no match, no failure")))))

(ert-deftest zsh-ls-a-question-is-answered ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (zsh-ls-ask "how much disk space is free?")
    (should (zsh-ls-tests-wait (zsh-ls-tests-text "\\[SUMMARY\\]")))))

(ert-deftest zsh-ls-a-task-is-typed-into-and-its-output-kept ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (zsh-ls-run "read x; print got-$x" t)
    (let ((task (zsh-ls-tests-wait (ignore-errors (zsh-ls--read-task "" nil)))))
      (zsh-ls-send task "word")
      (zsh-ls-tests-wait (zsh-ls-tests-text "COMPLETED"))
      (zsh-ls-output task)
      (zsh-ls-tests-wait (string-match-p "got-word" (with-current-buffer "*zsh-ls*" (buffer-string)))))))

(ert-deftest zsh-ls-a-task-is-stopped ()
  (zsh-ls-tests-in "#!/bin/zsh\n"
    (zsh-ls-run "sleep 1000")
    (let ((task (zsh-ls-tests-wait (ignore-errors (zsh-ls--read-task "" nil)))))
      (zsh-ls-stop task)
      (zsh-ls-tests-wait (zsh-ls-tests-text "KILLED")))))

(ert-deftest zsh-ls-settings-reach-the-server ()
  (let ((eglot-workspace-configuration '(:zshLs (:trusted :json-false))))
    (setq-default eglot-workspace-configuration eglot-workspace-configuration)
    (zsh-ls-tests-in "#!/bin/zsh\n"
      (let ((fault (should-error (jsonrpc-request (eglot-current-server) :zsh/run
                                                  '(:command "true")))))
        (should (string-match-p "not trusted" (format "%s" fault)))))))

(defvar zsh-ls-tests-shown nil "The messages the server had shown, the latest first.")

(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql window/showMessage)) &key message &allow-other-keys)
  (push message zsh-ls-tests-shown))

(ert-deftest zsh-ls-eglot-alone-shows-how-a-run-went ()
  (let ((eglot-server-programs '(((sh-mode bash-ts-mode) . ("zsh-ls" "serve")))))
    (zsh-ls-tests-in "#!/bin/zsh\necho test | grep nope\n"
      (zsh-ls-tests-line 2)
      (eglot-code-actions (point) nil "zsh-ls.run" t)
      (zsh-ls-tests-wait zsh-ls-tests-shown)
      (should (string-match-p "exit=1" (car zsh-ls-tests-shown))))))

(ert-deftest zsh-ls-without-a-server-says-how-to-start-one ()
  (with-temp-buffer
    (should-error (zsh-ls-run "true") :type 'user-error)))

;;; zsh-ls-tests.el ends here
