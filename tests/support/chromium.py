"""Chromium without a window, for tests of pages: what a page computes, how it looks, and what a mouse does in it."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.request
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websocket import WebSocket, create_connection

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
"""Names of the command, the first one that there is."""
PATIENCE = 60.0
"""Time after which a browser or a page counts as hung [s]."""


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine, None if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A page in Chromium."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket, self._number = socket, 0
        self.errors: list[str] = []
        """Errors of scripts, and attempts to reach the network."""
        for domain in ("Runtime", "Page", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol, and return its result."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": arguments}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        """Keep what a test wants to know of a message."""
        if message["method"] == "Runtime.exceptionThrown":
            self.errors.append(str(message["params"]["exceptionDetails"].get("exception")))
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:")):
                self.errors.append(f"request of {url}")

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a page, and wait until its player runs."""
        self.call("Page.navigate", url=f"{path.resolve().as_uri()}{fragment}")
        self.wait_until("typeof player == 'object'")

    def value(self, script: str) -> Any:
        """Return the value of an expression, as JSON has it."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise AssertionError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def wait_until(self, condition: str) -> None:
        """Wait in real time until an expression is true. Raises AssertionError if that takes a minute."""
        end = time.monotonic() + PATIENCE
        while not self.value(condition):
            if time.monotonic() > end:
                raise AssertionError(f"not true after {PATIENCE:.0f} s: {condition}; errors: {self.errors}")
            time.sleep(0.02)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Send an event of the mouse: `mousePressed`, `mouseReleased`, `mouseMoved` or `mouseWheel`."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """Press and release the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=1)

    def picture(self) -> bytes:
        """Return the page as a PNG."""
        return b64decode(self.call("Page.captureScreenshot")["data"])


@contextmanager
def chromium_page(width: int = 1000, height: int = 700) -> Iterator[Page]:
    """Open an empty page in a Chromium of its own; afterwards end it."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [str(find_chromium()), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [f"--window-size={width},{height}", f"--user-data-dir={folder}", "--remote-debugging-port=0"]
        browser = subprocess.Popen(
            [*command, "--remote-allow-origins=*", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            socket = create_connection(_address(browser, Path(folder) / "DevToolsActivePort"), timeout=PATIENCE)
            try:
                yield Page(socket)
            finally:
                socket.close()
        finally:
            browser.terminate()
            browser.wait(PATIENCE)


def _address(browser: subprocess.Popen[bytes], port_file: Path) -> str:
    """Return the address at which a browser listens for its page."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if browser.poll() is not None:
            raise AssertionError(f"Chromium ended with exit status {browser.returncode}")
        lines = port_file.read_text().split() if port_file.exists() else []
        if len(lines) == 2:
            with urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json", timeout=PATIENCE) as answer:
                pages = [each for each in json.load(answer) if each["type"] == "page"]
            if pages:
                return str(pages[0]["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError(f"Chromium did not listen within {PATIENCE:.0f} s")
