;;; gcluster.el --- Emacs: eglot starts gcluster-lsp for CUDA sources  -*- lexical-binding: t -*-

;; (require 'gcluster), then M-x eglot in a .cu file.

;;; Code:
(define-derived-mode gcluster-cuda-mode c++-mode "CUDA"
  "C++ with CUDA's launches and kernels.")
(put 'gcluster-cuda-mode 'eglot-language-id "cuda")
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . gcluster-cuda-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(gcluster-cuda-mode "gcluster-lsp")))

(provide 'gcluster)
;;; gcluster.el ends here
