"""A headless Chromium, driven over the DevTools protocol through two pipes: no port, and nothing but Python's own modules.

Needs Debian's package chromium.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """The browser, with a profile of its own that is removed with it."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("Tests/Browser needs chromium; on Debian: apt-get install chromium")
        self.folder = tempfile.mkdtemp(prefix="hearth-browser-")
        from_us, self.to = os.pipe()
        self.back, to_us = os.pipe()

        def pass_pipes():
            # Chromium reads commands from descriptor 3 and writes answers to 4.
            first, second = os.dup(from_us), os.dup(to_us)
            os.dup2(first, 3)
            os.dup2(second, 4)

        words = [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--no-first-run",
                 "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-proxy-server"]
        if os.geteuid() == 0:
            words.append("--no-sandbox")
        self.process = subprocess.Popen(
            words + ["about:blank"], preexec_fn=pass_pipes, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.number = 0
        self.rest = b""
        self.events = []

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.back, 1 << 16)
            if not part:
                raise EOFError("the browser ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if answer.get("method") == "Page.javascriptDialogOpening":
                # The page would wait for its answer for ever. No page of ours opens one.
                raise AssertionError(f"a dialog of the browser opened: {answer['params']['message']}")
            self.events.append(answer)

    def tab(self, address, width=1200, height=900, **look):
        return Tab(self, address, width, height, **look)


class Tab:
    """One page, in a window of its own unless it is told otherwise. `look` are media features, such as
    {"prefers-color-scheme": "dark"}."""

    def __init__(self, browser, address, width, height, look=None, languages="en", window=True):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank", newWindow=window)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setUserAgentOverride", userAgent="", acceptLanguage=languages)
        self.look(look or {})
        self.size(width, height)
        self.call("Page.navigate", url=address)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def look(self, features):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": name, "value": value} for name, value in features.items()])

    def run(self, script):
        """The value of a script, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script[:200]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=60):
        """The first true value of a script, in the page that is in front then; fails where none comes."""
        self.call("Page.bringToFront")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"in vain: {script}\n{self.text()[:8000]}")

    def text(self):
        return self.run("document.body.innerText")

    def press(self, label, root="document"):
        """Presses the button of a name, as a person does: it has to be there, shown, and not waiting."""
        self.until(f"""(() => {{
            const all = Array.from({root}.querySelectorAll("button"));
            const name = (button) => button.getAttribute("aria-label") ?? button.textContent;
            const found = all.find((button) => name(button).trim().startsWith({json.dumps(label)}) && button.checkVisibility());
            if (!found || found.disabled || found.getAttribute("aria-busy")) return false;
            found.click();
            return true;
        }})()""")

    def type(self, selector, text):
        self.until(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field?.focus();"
                   " return document.activeElement === field; })()")
        self.call("Input.insertText", text=text)

    def key(self, name):
        number = {"Backspace": 8, "Tab": 9, "Enter": 13, "ArrowDown": 40}[name]
        # Without its text, Enter would send no form.
        down = {"type": "keyDown", "text": "\r"} if name == "Enter" else {"type": "rawKeyDown"}
        for kind in (down, {"type": "keyUp"}):
            self.call("Input.dispatchKeyEvent", key=name, code=name, windowsVirtualKeyCode=number, **kind)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the browser has complained of so far: errors of scripts, and what the policy refused."""
        self.run("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found
