#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the page of a report in headless Chromium, clicks through it, and fails on any console error or request.

Usage: report_page_test.py REPORT_PROGRAM PROFILE_OR_MODEL [SCREENSHOT_FOLDER]
Exit status 77 (skipped) without Chromium or the package playwright.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    print("skipped: the Python package playwright is not installed")
    sys.exit(77)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


def check(condition, what):
    if not condition:
        raise SystemExit(f"FAILED: {what}")


def use_page(page, timed):
    """Sorts, filters, selects and zooms like a reader."""
    total = page.locator("#nodes .tools .soft").inner_text()
    check(page.locator("#nodes .row").count() > 1, "the node table has rows")
    page.locator("#nodes .row.head button").first.click()
    first = page.locator("#nodes .row:not(.head) span").first.inner_text()
    page.locator("#nodes .row.head button").first.click()
    last = page.locator("#nodes .row:not(.head) span").first.inner_text()
    check(first <= last, "sorting by name turns around")
    kind = page.locator("#types tbody td").first.inner_text()
    page.select_option("#nodes select", kind)
    kinds = set(page.locator("#nodes .row:not(.head) span:nth-child(2)").all_text_contents())
    check(kinds == {kind}, "the type filter shows one type")
    page.fill("#nodes input", "no such node anywhere")
    check(page.locator("#nodes .tools .soft").inner_text().startswith("0 of"), "the filter hides all")
    page.fill("#nodes input", "")
    page.select_option("#nodes select", "")
    check(page.locator("#nodes .tools .soft").inner_text() == total, "the filter is undone")
    page.locator("#nodes .row:not(.head)").first.click()
    check("origins" in page.locator("#nodes .detail").inner_text(), "a click shows the details")
    if timed:
        page.click("#zoom-in")
        page.locator("#timeline canvas").hover()


def main():
    if CHROMIUM is None:
        print("skipped: Chromium is not installed")
        sys.exit(77)
    program, subject = sys.argv[1:3]
    shots = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        path = pathlib.Path(folder) / "report.html"
        subprocess.run([program, subject, "--html", str(path)], check=True)
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                problems = []
                page.on("console", lambda m: problems.append(m.text) if m.type in ("error", "warning") else None)
                page.on("pageerror", lambda e: problems.append(str(e)))
                page.on("request", lambda r: None if r.url.startswith("file:") else problems.append(r.url))
                start = time.monotonic()
                page.goto(path.as_uri())
                page.wait_for_selector("#nodes .row")
                seconds = time.monotonic() - start
                check(seconds < 15, f"the page is there after {seconds:.1f} s")
                timed = page.locator("#timeline h2").count() == 1
                use_page(page, timed)
                wide = page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
                check(not wide, f"{name}: the page is not wider than the window")
                if shots:
                    shots.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=str(shots / f"report_{name}_{scheme}.png"), full_page=True)
                check(not problems, f"{name} {scheme}: {problems}")
                if name == "desktop" and scheme == "light":
                    check(len(page.pdf()) > 1000, "the page prints")
                page.close()
        browser.close()
    print("the page works")


if __name__ == "__main__":
    main()
