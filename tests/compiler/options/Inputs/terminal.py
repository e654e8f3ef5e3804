# Runs a command whose standard error is a terminal, and prints what it writes there.
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    text += part
_, status = os.waitpid(pid, 0)
sys.stdout.write(text.decode().replace("\r", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
