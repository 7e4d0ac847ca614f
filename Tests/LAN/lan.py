"""A LAN of several hosts on one machine: a network namespace for each, joined by a bridge in a namespace of its own.

Nothing here touches an interface of the machine: the only addresses are 10.89.0.1 and so on, and IPv6 link-local ones,
inside the namespaces. Needs root, iproute2 and util-linux; for avahi also dbus-daemon and avahi-daemon.
"""

import os
import pathlib
import signal
import subprocess
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
        ip("-n", self.switch, "link", "add", "br0", "type", "bridge", "stp_state", "0", "forward_delay", "0",
           "mcast_snooping", "0")
        ip("-n", self.switch, "link", "set", "br0", "up")
        for number in range(count):
            host = Host(self, number)
            self.hosts.append(host)
            host.build()

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

    def change_address(self, last=None):
        """Another address in the same network, as a new lease gives. `last` is its last part."""
        former, self.address = self.address, f"10.89.0.{last or self.number + 101}"
        # Else the kernel takes the new address away with the first one, and what is left is IPv6.
        self.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/eth0/promote_secondaries"])
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
