# Interrupts a compilation at several moments: nothing may be left behind, and the signal must show.
import os
import shutil
import signal
import subprocess
import sys
import time

compiler, source, work = sys.argv[1:]
for moment in (0.02, 0.1, 0.2, 0.3):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work + "/tmp")
        process = subprocess.Popen([compiler, "-c", source, "-o", work + "/x.o"],
                                   env=dict(os.environ, TMPDIR=work + "/tmp"))
        time.sleep(moment)
        process.send_signal(number)
        status = process.wait(timeout=60)
        left = sorted(os.listdir(work + "/tmp") + os.listdir(work))
        if left != ["tmp"] or status != -number:
            # It may have been done already.
            if status != 0 or left != ["tmp", "x.o"]:
                sys.exit(f"after {moment} s, {number!r}: status {status}, left {left}")
