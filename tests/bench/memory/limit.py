"""Runs programs with so much memory and no more, what the system caches of files for them included:
in a control group of their own."""
import os
import shutil
import subprocess

ROOT = "/sys/fs/cgroup/memory"  # control groups of the first version, each with its own hierarchy
ENTER = 'echo $$ >"$0/cgroup.procs" && exec "$@"'


def own_group():
    """Path of this process' group in the hierarchy of memory; None: there is no such hierarchy."""
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.strip().split(":", 2)
            if "memory" in controllers.split(","):
                return path.rstrip("/")
    return None


class Limit:
    """Limits as long as its block runs, or `problem` says why it can't: by a group below this
    process' one; or, where groups are of the second version, which has processes in leaves alone,
    by systemd."""

    def __enter__(self):
        self.problem = self.group = None
        path = own_group()
        if path is None:
            self.problem = self.try_systemd()
            return self
        group = f"{ROOT}{path}/gcluster-{os.getpid()}"
        try:
            os.mkdir(group)
            self.group = group
        except OSError as error:
            self.problem = f"no control group: {error.strerror}"
        return self

    def __exit__(self, *_):
        if self.group:
            os.rmdir(self.group)

    def try_systemd(self):
        if not shutil.which("systemd-run"):
            return "no control group"
        done = subprocess.run([*self.prefix(1 << 30), "true"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        return None if done.returncode == 0 else f"systemd-run: {done.stderr.strip()}"

    def prefix(self, size):
        """What comes before a command that may use `size` bytes."""
        if not self.group:
            user = [] if os.getuid() == 0 else ["--user"]
            return ["systemd-run", *user, "--scope", "--quiet", "-p", f"MemoryMax={size}",
                    "-p", "MemorySwapMax=0", "--"]
        for name, value in (("force_empty", 0), ("limit_in_bytes", size)):
            with open(f"{self.group}/memory.{name}", "w") as file:
                file.write(str(value))
        return ["sh", "-c", ENTER, self.group]
