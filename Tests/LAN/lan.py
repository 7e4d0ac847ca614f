"""A LAN of several hosts on one machine: a network namespace for each, joined by a bridge in a namespace of its own.

Nothing here touches an interface of the machine: the only addresses are IPv6 link-local ones, 10.89.0.1 and so on,
and 10.90.0.1 and so on, inside the namespaces. Needs root, iproute2 and util-linux; for avahi also dbus-daemon and
avahi-daemon.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/>
<allow send_type="signal"/><allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/><allow receive_type="method_return"/>
<allow receive_type="error"/></policy></busconfig>
"""
AVAHI = "[server]\nallow-interfaces=eth0\nuse-ipv4=yes\nuse-ipv6={ipv6}\n[publish]\npublish-workstation=no\n"


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Lan:
    """The bridge, and what is done to cables."""

    def __init__(self, folder, count, has_ipv4=True):
        self.folder = pathlib.Path(folder)
        self.has_ipv4 = has_ipv4
        self.prefix = f"h{os.getpid()}"
        self.switch = f"{self.prefix}s"
        self.hosts = []
        ip("netns", "add", self.switch)
        try:
            self.build(count)
        except BaseException:
            self.close()
            raise

    def build(self, count):
        self.add_bridge("br0")
        for number in range(count):
            host = Host(self, number)
            self.hosts.append(host)
            host.build()

    def add_bridge(self, name):
        ip("-n", self.switch, "link", "add", name, "type", "bridge", "stp_state", "0", "forward_delay", "0",
           "mcast_snooping", "0")
        ip("-n", self.switch, "link", "set", name, "up")

    def put_behind(self, router, host):
        """The host is on a wire of its own, in 10.90.0.0; the router leads from there to 10.89.0.0 and back."""
        self.add_bridge("br1")
        ip("-n", self.switch, "link", "add", "pr", "type", "veth", "peer", "name", "eth1", "netns", router.namespace)
        ip("-n", self.switch, "link", "set", "pr", "master", "br1", "up")
        ip("-n", router.namespace, "link", "set", "eth1", "up")
        ip("-n", router.namespace, "addr", "add", "10.90.0.1/24", "dev", "eth1")
        router.set("ipv4/ip_forward", 1)
        ip("-n", self.switch, "link", "set", host.port, "master", "br1")
        ip("-n", host.namespace, "addr", "del", f"{host.address}/24", "dev", "eth0")
        host.address = f"10.90.0.{host.number + 1}"
        ip("-n", host.namespace, "addr", "add", f"{host.address}/24", "dev", "eth0")
        ip("-n", host.namespace, "route", "add", "default", "via", "10.90.0.1")
        for other in self.hosts:
            if other not in (router, host):
                ip("-n", other.namespace, "route", "add", "10.90.0.0/24", "via", router.address)

    def bridge(self, *words):
        subprocess.run(["bridge", "-n", self.switch, *words], check=True)

    def plug(self, host):
        ip("-n", self.switch, "link", "set", host.port, "up")

    def unplug(self, host):
        """Takes the carrier away, as a pulled cable does."""
        ip("-n", self.switch, "link", "set", host.port, "down")

    def deafen(self, host):
        """Nothing arrives at the host any more; what it sends does. It notices nothing."""
        self.floods(host, "off")
        ip("-n", self.switch, "link", "set", host.port, "type", "bridge_slave", "fdb_flush")

    def undeafen(self, host):
        self.floods(host, "on")

    def floods(self, host, how):
        self.bridge("link", "set", "dev", host.port, *(word for what in ("learning", "flood", "mcast_flood", "bcast_flood")
                                                       for word in (what, how)))

    def separate(self, hosts):
        """These hosts reach all others and not one another."""
        for host in hosts:
            self.bridge("link", "set", "dev", host.port, "isolated", "on")

    def join(self, hosts):
        for host in hosts:
            self.bridge("link", "set", "dev", host.port, "isolated", "off")

    def close(self):
        for host in self.hosts:
            host.close()
        subprocess.run(["ip", "netns", "del", self.switch], check=False)


class Host:
    """One host: its namespaces, its daemons, and programs on it."""

    def __init__(self, lan, number):
        self.lan, self.number = lan, number
        self.name = f"node-{number}"
        self.port = f"p{number}"
        self.namespace = f"{lan.prefix}n{number}"
        self.address = f"10.89.0.{number + 1}"
        self.folder = lan.folder / self.name
        self.folder.mkdir()
        self.daemons = {}
        self.holder = None

    def build(self):
        lan = self.lan
        ip("netns", "add", self.namespace)
        ip("-n", self.namespace, "link", "set", "lo", "up")
        ip("-n", lan.switch, "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.namespace)
        ip("-n", lan.switch, "link", "set", self.port, "master", "br0", "up")
        ip("-n", self.namespace, "link", "set", "eth0", "up")
        if lan.has_ipv4:
            ip("-n", self.namespace, "addr", "add", f"{self.address}/24", "dev", "eth0")
            ip("-n", self.namespace, "route", "add", "224.0.0.0/4", "dev", "eth0")
        # Holds the host's own mounts, so that each host has its own buses.
        self.holder = subprocess.Popen(
            ["ip", "netns", "exec", self.namespace, "unshare", "--mount", "--uts", "--propagation", "private", "bash",
             "-c", f"hostname {self.name}; mkdir -p /run/dbus /run/avahi-daemon; mount -t tmpfs none /run/dbus; "
             "mount -t tmpfs none /run/avahi-daemon; echo up; exec sleep 1800"], stdout=subprocess.PIPE)
        if self.holder.stdout.readline() != b"up\n":
            raise RuntimeError(f"{self.name} did not come up")

    def command(self, words):
        """A command that runs on this host, under the pid of its caller."""
        return ["nsenter", "-t", str(self.holder.pid), "-m", "-u", "-n", *map(str, words)]

    def start(self, name, words, output=None):
        """Starts a program that runs until `end`; what it says goes to a file of its name."""
        log = open(self.folder / f"{name}.log", "ab")
        self.daemons[name] = subprocess.Popen(
            self.command(words), stdout=output or log, stderr=log, stdin=subprocess.DEVNULL)
        return self.daemons[name]

    def end(self, name, how=signal.SIGKILL):
        process = self.daemons.pop(name, None)
        if process:
            process.send_signal(how)
            process.wait(10)

    def start_bus(self):
        (self.folder / "bus.conf").write_text(BUS)
        self.start("dbus", ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile"])
        wait_for(lambda: self.run(["test", "-S", "/run/dbus/system_bus_socket"], check=False).returncode == 0,
                 f"the bus of {self.name}")

    def start_avahi(self):
        if "dbus" not in self.daemons:
            self.start_bus()
        ipv6 = "no" if self.lan.has_ipv4 else "yes"
        (self.folder / "avahi.conf").write_text(AVAHI.format(ipv6=ipv6))
        # A daemon that was killed leaves its number behind, and the next one takes it for a running one.
        self.run(["rm", "-f", "/run/avahi-daemon/pid", "/run/avahi-daemon/socket"])
        self.start("avahi", ["avahi-daemon", "-f", self.folder / "avahi.conf", "--no-drop-root", "--no-chroot",
                             "--no-rlimits"])

    def run(self, words, check=True, timeout=60):
        return subprocess.run(self.command(words), check=check, timeout=timeout, text=True, capture_output=True)

    def reach(self, path):
        """A path of this host as the test reaches it, whatever is mounted there."""
        return pathlib.Path(f"/proc/{self.holder.pid}/root", *pathlib.Path(path).parts[1:])

    def mount(self, folder, megabytes):
        """A small disk of this host's own."""
        folder.mkdir()
        self.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", folder])

    def fill(self, folder):
        """Leaves no room on the disk of a folder, until `clear`."""
        with open(self.reach(folder) / "ballast", "wb") as ballast:
            room = os.fstatvfs(ballast.fileno())
            os.posix_fallocate(ballast.fileno(), 0, room.f_bavail * room.f_frsize)

    def clear(self, folder):
        (self.reach(folder) / "ballast").unlink()

    def block(self, *ports):
        """A firewall lets nothing in to these ports (such as "tcp:7411"), until `unblock`."""
        said = self.folder / "firewall"
        with open(said, "w") as output:
            self.start("firewall", [sys.executable, pathlib.Path(__file__).parent / "firewall.py", *ports], output)
        wait_for(lambda: "up" in said.read_text(), f"the firewall of {self.name}")

    def unblock(self):
        self.end("firewall")

    def set(self, name, value):
        """A setting of the host's network."""
        self.run(["sh", "-c", f"echo {value} > /proc/sys/net/{name}"])

    def change_address(self, last=None):
        """Another address in the same network, as a new lease gives. `last` is its last part."""
        former, self.address = self.address, f"10.89.0.{last or self.number + 101}"
        # Else the kernel takes the new address away with the first one, and what is left is IPv6.
        self.set("ipv4/conf/eth0/promote_secondaries", 1)
        ip("-n", self.namespace, "addr", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", self.namespace, "addr", "del", f"{former}/24", "dev", "eth0")

    def close(self):
        for name in list(self.daemons):
            self.end(name)
        if self.holder:
            self.holder.kill()
            self.holder.wait()
        subprocess.run(["ip", "netns", "del", self.namespace], check=False)


class TooLate(Exception):
    """Something did not happen in time."""


def wait_for(holds, what, seconds=40):
    """Waits until something holds, and returns the seconds that it took. `what` is a text, or returns one."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            raise TooLate(f"{what() if callable(what) else what}: not within {seconds} s")
        time.sleep(0.05)
    return time.monotonic() - began
