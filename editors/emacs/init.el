;; ~/.emacs.d/init.el
(use-package eglot
  :hook ((sh-mode bash-ts-mode) . eglot-ensure))
(use-package zsh-ls
  :load-path "~/src/zsh-ls/editors/emacs" ; where zsh-ls.el is
  :after eglot
  :demand t
  :bind (("C-c r" . zsh-ls-run-line)
         ("C-c e" . zsh-ls-explain)
         ("C-c a" . zsh-ls-ask)))
