# Interrupts a compilation at several moments, one of them while NVIDIA's assembler works: nothing may
# be left behind, no process either, and the signal must show.
import os
import select
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

os.makedirs(work + "/bin")
with open(work + "/bin/ptxas", "w") as assembler:
    assembler.write(f"#!/bin/sh\necho $$ >{work}/pid.new && mv {work}/pid.new {work}/pid && exec sleep 300\n")
os.chmod(work + "/bin/ptxas", 0o755)
process = subprocess.Popen([compiler, "-arch=sm_75", "-c", source, "-o", work + "/x.o"],
                           env=dict(os.environ, CUDA_HOME=work, TMPDIR=work + "/tmp"))
while not os.path.exists(work + "/pid") and process.poll() is None:
    time.sleep(0.02)
with open(work + "/pid") as file:
    assembler = os.pidfd_open(int(file.read()))
process.terminate()
process.wait(timeout=60)
if not select.select([assembler], [], [], 30)[0]:
    sys.exit("the assembler goes on without its compiler")
if os.listdir(work + "/tmp"):
    sys.exit(f"left {os.listdir(work + '/tmp')}")
