import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { chromium } from "@playwright/test";
import { env } from "@/server/kernel/env";

const SYSTEM_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** Works in a container, as root, and without a network. */
export const BROWSER_ARGUMENTS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-dev-shm-usage",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
];

/** Path of a Chromium: CHROMIUM, the system's, else Playwright's (installed when it can be had); null where neither can. */
export function findBrowser(): string | null {
	const given = env().CHROMIUM;
	if (given && fs.existsSync(given)) return given;
	const system = SYSTEM_PATHS.find((file) => fs.existsSync(file));
	if (system) return system;
	if (!fs.existsSync(chromium.executablePath())) spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit", timeout: 180_000 });
	return fs.existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}
