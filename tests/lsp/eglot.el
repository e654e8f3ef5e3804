;; A real editor: with lsp/editors/gcluster.el, Emacs's eglot shows diagnostics, a hover, completions, a
;; definition and a lens.
(require 'eglot)
(setq create-lockfiles nil) ; other tests copy the folder of the file meanwhile
(require 'gcluster)

(defun expect (what condition)
  (let ((end (+ (float-time) 300)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or found (error "%s hasn't come" what))))

(defun ask (method &rest more)
  (jsonrpc-request (eglot-current-server) method
                   (append (eglot--TextDocumentPositionParams) more) :timeout 300))

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun replace-text (old new)
  (go-to old)
  (delete-char (length old))
  (insert new)
  (eglot--signal-textDocument/didChange))

(defun diagnosis ()
  (flymake-start)
  (mapcar (lambda (d) (list (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
          (flymake-diagnostics)))

(defun start ()
  (expect "the mode of CUDA sources" (lambda () (eq major-mode 'gcluster-cuda-mode)))
  (setq eglot-connect-timeout 300 eglot-sync-connect 300 eglot-send-changes-idle-time 0.1)
  (setq-local project-find-functions (list (lambda (folder) (cons 'transient folder))))
  (apply #'eglot (eglot--guess-contact))
  (expect "a server" #'eglot-managed-p))

(defun check ()
  (go-to "smooth<<<")
  (cl-assert (string-match-p "Averages each cell" (plist-get (plist-get (ask :textDocument/hover) :contents) :value)))
  (let ((places (ask :textDocument/definition)))
    (cl-assert (= 5 (eglot--dcase (elt (if (vectorp places) places (vector places)) 0)
                      (((Location) range) (plist-get (plist-get range :start) :line))))))
  (let ((found (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
    (cl-assert (= 6 (xref-location-line (xref-item-location found)))))
  (replace-text "(c, c)" "(c, nothing)")
  (expect "a diagnostic"
          (lambda () (pcase (diagnosis) (`((25 ,text)) (string-match-p "nothing" text)))))
  (replace-text "(c, nothing)" "(c, c)")
  (expect "no diagnostic" (lambda () (not (diagnosis))))
  (go-to "cudaDeviceSync")
  (forward-char (length "cudaDeviceSync"))
  (cl-assert (member "cudaDeviceSynchronize()"
                     (all-completions "cudaDeviceSync" (nth 2 (eglot-completion-at-point)))))
  (expect "a lens"
          (lambda ()
            (seq-some (lambda (lens)
                        (string-match-p "splits along y" (plist-get (plist-get lens :command) :title)))
                      (ask :textDocument/codeLens))))
  (eglot-shutdown (eglot-current-server))) ; which kills it after its answer

(setenv "TMPDIR" (make-temp-file "eglot" t))
(find-file (getenv "SOURCE"))
(start)
(check)
(cl-assert (directory-empty-p (getenv "TMPDIR")))
(delete-directory (getenv "TMPDIR"))
(set-buffer-modified-p nil)
(message "fine")
