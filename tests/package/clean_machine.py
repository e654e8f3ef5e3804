#!/usr/bin/env python3
"""A user's way on clean Debian 12 machines: clean_machine.py work-folder

Each machine is a folder that debootstrap fills, entered by chroot in namespaces of its own. In one, with a
release's tarball and without a network, the README's first commands are followed and packages are made.
These are installed in another and tried there by try.sh, as they are in what the Dockerfile and the
Apptainer recipe make: their steps are taken one by one. Takes root, Debian's archive, half an hour.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MIRROR = "http://deb.debian.org"
SOURCES = f"""deb {MIRROR}/debian bookworm main
deb {MIRROR}/debian bookworm-updates main
deb {MIRROR}/debian-security bookworm-security main
"""


def say(text):
    print("==", text, flush=True)


class Machine:
    def __init__(self, work, name):
        self.root = os.path.join(work, name)
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                            "LC_ALL": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}
        base = os.path.join(work, "base.tar")
        if not os.path.exists(base):
            say("debootstrap")
            folder = os.path.join(work, "base")
            subprocess.run(["debootstrap", "--variant=minbase", "bookworm", folder, f"{MIRROR}/debian"],
                           stdout=subprocess.DEVNULL, check=True)
            subprocess.run(["tar", "-C", folder, "-cf", base, "."], check=True)
            shutil.rmtree(folder)
        os.makedirs(self.root)
        subprocess.run(["tar", "-C", self.root, "-xf", base], check=True)
        self.write("etc/apt/sources.list", SOURCES)
        # Where names are looked up, and what the machine under this one needs to reach the archive.
        shutil.copy("/etc/resolv.conf", self.path("etc/resolv.conf"))
        proxies = subprocess.run(["apt-config", "dump", "--no-empty", "Acquire::http::Proxy"],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        self.write("etc/apt/apt.conf.d/proxy", proxies)
        self.run("useradd -m user")

    def path(self, inside):
        return os.path.join(self.root, inside.lstrip("/"))

    def write(self, inside, text):
        with open(self.path(inside), "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self, outside, inside):
        destination = self.path(inside)
        if os.path.isdir(outside):
            shutil.copytree(outside, destination, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy(outside, destination)

    def run(self, command, network=True, user="root", folder="/"):
        """Runs a command of the shell there; its mounts and processes end with it."""
        say(f"{os.path.basename(self.root)}: {command}")
        inner = f"cd {shlex.quote(folder)} && {command}"
        outer = [f"mount -t proc proc {self.path('proc')}", f"mount --rbind /sys {self.path('sys')}",
                 f"mount --rbind /dev {self.path('dev')}"]
        if not network:
            outer.append("ip link set lo up")
        outer.append("exec " + shlex.join(
            ["chroot", self.root, "env", "-i", *[f"{name}={value}" for name, value in self.environment.items()],
             "setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "sh", "-c", inner]))
        subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child"]
                       + ([] if network else ["--net"]) + ["sh", "-ec", "\n".join(outer)],
                       stdin=subprocess.DEVNULL, check=True)

    def install(self, packages):
        self.run("apt-get -qq update && apt-get -qq install -y --no-install-recommends "
                 f"{packages} >/var/log/install.log 2>&1 || {{ tail /var/log/install.log; exit 1; }}")

    def try_out(self, sources):
        """Runs try.sh as an ordinary user, with the tarball's examples and tests."""
        for name in "examples", "tests/install", "tests/package":
            shutil.copytree(os.path.join(sources, name), self.path(f"home/user/try/{name}"))
        self.run("chown -R user:user /home/user/try")
        environment = self.environment
        self.environment = {**environment, "HOME": "/home/user"}
        self.run("tests/package/try.sh", False, "user", "/home/user/try")
        self.environment = environment


def follow_readme(work):
    """From a tarball to packages: returns where the sources and the packages are."""
    machine = Machine(work, "builder")
    tarball = subprocess.run([os.path.join(ROOT, "packaging/tarball.sh"), work], stdout=subprocess.PIPE,
                             text=True, check=True).stdout.strip()
    os.makedirs(machine.path("src"))
    subprocess.run(["tar", "-C", machine.path("src"), "-xf", tarball], check=True)
    source = "/src/" + os.path.basename(tarball).removesuffix(".tar.xz")
    machine.run("tests/setup.sh build", folder=source)
    machine.install("ccache") # the packages' build takes what the demo's has compiled
    machine.environment["CCACHE_NOHASHDIR"] = "1"
    machine.run("examples/demo.sh", network=False, folder=source)
    machine.run("tests/setup.sh package", folder=source)
    machine.run("packaging/build.sh /packages", network=False, folder=source)
    machine.run("tests/setup.sh test", folder=source)
    machine.run("cmake --preset asan", network=False, folder=source) # as tests/run.sh
    return machine.path(source), machine.path("packages")


def try_packages(work, sources, packages):
    machine = Machine(work, "user")
    machine.copy(packages, "packages")
    machine.install("/packages/*.deb cmake g++ make man-db")
    machine.try_out(sources)
    machine.run("man gcluster-cc gcluster-run gcluster-lsp gcluster | grep -q footprint")
    # A node has only what programs need.
    machine.run("apt-get -qq purge -y gcluster-dev gcluster-lsp >/dev/null && apt-get -qq autoremove -y >/dev/null")
    machine.run("! command -v clang-19 && test ! -e /usr/lib/gcluster && "
                "GCL_SPLIT=always gcluster-run -n 2 /home/user/try/vector_add", network=False)
    machine.run("apt-get -qq purge -y gcluster >/dev/null && ! ls -d /usr/lib/libgcluster* /usr/share/gcluster")


def stages(recipe):
    """The steps of a recipe's last stage, and those before: (keyword, text) pairs."""
    with open(os.path.join(ROOT, "packaging", recipe), encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    if recipe == "Dockerfile":
        steps = re.findall(r"^([A-Z]+) (.*)$", text.replace("\\\n", ""), re.M)
        last = max(i for i, (keyword, _) in enumerate(steps) if keyword == "FROM")
    else:
        parts = re.split(r"^(?:%(\w+.*)|(Bootstrap:.*))\n", text, flags=re.M)
        steps = [(parts[i] or "Bootstrap", parts[i + 2]) for i in range(1, len(parts), 3)]
        last = max(i for i, (keyword, _) in enumerate(steps) if keyword == "Bootstrap")
    return steps[:last], steps[last + 1:]


def try_recipe(work, sources, packages, recipe):
    machine = Machine(work, recipe)
    before, last = stages(recipe)
    made = [text.strip() for keyword, text in before if keyword in ("RUN", "post")]
    assert made == ["/gcluster/packaging/build.sh /packages"], made # as the tarball's have been
    for keyword, text in last:
        if keyword in ("COPY", "files from build"):
            assert re.fullmatch(r"(--from=build )?/packages /packages", text.strip()), text
            machine.copy(packages, "packages")
        elif keyword in ("RUN", "post", "test"):
            for command in text.strip().splitlines():
                machine.run(command.strip())
        elif keyword in ("ENV", "environment"):
            for name, value in re.findall(r"(\w+)=(\S+)", text):
                machine.environment[name] = value.replace("$PATH", machine.environment["PATH"])
        else:
            assert keyword in ("WORKDIR", "CMD"), keyword
    machine.try_out(sources)


def main(work):
    if os.geteuid() != 0:
        say("not tested: debootstrap and chroot take root")
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    sources, packages = follow_readme(work)
    assert len(glob.glob(packages + "/*.deb")) == 3
    try_packages(work, sources, packages)
    for recipe in "Dockerfile", "gcluster.def":
        try_recipe(work, sources, packages, recipe)
    shutil.rmtree(work)
    say("fine")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
