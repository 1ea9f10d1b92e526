import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import superjson from "superjson";
import { inheritEnvironment } from "@/server/kernel/env";
import { messageOf } from "@/server/kernel/errors";
import { BROWSER_ARGUMENTS, findBrowser } from "./browser";

/**
 * `npm run screenshots`: a studio on an empty data directory, the loop run through it, and the pictures of the README taken
 * from the screen as people see it. Nothing on them is made up.
 */

const PORT = "3998";
const ADDRESS = `http://127.0.0.1:${PORT}`;
const TOKEN = "screenshots-token-of-one-start";
const WORKSPACE = "live-avatar";
const FOLDER = path.resolve("docs/screenshots");
/** Findings that are confirmed, as the README says. */
const LARGEST = 5;
const LARGEST_BYTES = 400_000;
const WORK_MS = 600_000;
const tooLarge: string[] = [];

const data = fs.mkdtempSync(path.join(os.tmpdir(), "studio-screenshots-"));
fs.chmodSync(data, 0o755);
const environment = inheritEnvironment({
	STUDIO_DATA_DIR: data,
	STUDIO_PG_FSYNC: "off",
	STUDIO_LOG_LEVEL: "warn",
	STUDIO_DEMO_TOKEN: TOKEN,
	PORT,
	DATABASE_URL: "",
});

async function waitFor<T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T> {
	for (const end = Date.now() + WORK_MS; Date.now() < end; await sleep(500)) {
		const value = await read().catch(() => null);
		if (value) return value;
	}
	throw new Error(`Waited in vain for ${what}.`);
}

function start(): ChildProcess {
	return spawn(process.execPath, ["--import", "tsx", "server/ops/start.ts"], { stdio: ["ignore", "ignore", "inherit"], env: environment });
}

/** Two rounds without a person, released: something to see on the curve. */
async function runLoop(): Promise<void> {
	const command = `server/cli.ts loop --workspace ${WORKSPACE} --rounds 3 --seed 1 --policy current --unattended --release --json`.split(" ");
	const child = spawn(process.execPath, ["--import", "tsx", ...command], { stdio: ["ignore", "ignore", "inherit"], env: environment });
	const [code] = (await once(child, "exit")) as [number];
	if (code === 2) throw new Error("The loop could not run; its messages are above.");
}

/** Calls a procedure as the person of this browser. */
async function call<T>(context: BrowserContext, procedure: string, input: Record<string, unknown>, kind: "query" | "mutation" = "query"): Promise<T> {
	const body = superjson.serialize({ workspace: WORKSPACE, ...input });
	const url = `${ADDRESS}/api/trpc/${procedure}`;
	const response =
		kind === "query"
			? await context.request.get(`${url}?input=${encodeURIComponent(JSON.stringify(body))}`)
			: await context.request.post(url, { data: body, headers: { origin: ADDRESS } });
	if (!response.ok()) throw new Error(`${procedure}: ${await response.text()}`);
	const answer = (await response.json()) as { result: { data: Parameters<typeof superjson.deserialize>[0] } };
	return superjson.deserialize<T>(answer.result.data);
}

interface Finding {
	id: string;
	number: number;
}
interface Task {
	id: string;
	status: string;
	proposalId: string | null;
}

/** In the evolution that starts at the base: findings, the largest confirmed and edited for, their proposal in review. */
async function prepareReview(operator: BrowserContext): Promise<{ evolutionId: string; proposal: number }> {
	const { evolutions } = await call<{ evolutions: { id: string; title: string }[] }>(operator, "evolution.overview", {});
	const evolutionId = evolutions.at(-1)?.id ?? "";
	const task = (taskId: string) =>
		waitFor("an engine", async () =>
			(await call<Task[]>(operator, "evolution.tasks", { evolutionId })).find((t) => t.id === taskId && !["queued", "running"].includes(t.status)),
		);
	const diagnosis = await call<{ taskId: string }>(operator, "evolution.diagnose", { evolutionId }, "mutation");
	await task(diagnosis.taskId);
	const findings = await call<Finding[]>(operator, "evolution.findings", { evolutionId, status: ["proposed"] });
	const largest = findings.slice(0, LARGEST);
	for (const finding of largest) await call(operator, "evolution.findingDecide", { findingId: finding.id, decision: "accept" }, "mutation");
	const edit = await call<{ taskId: string }>(operator, "evolution.editsRequest", { evolutionId, findingIds: largest.map(({ id }) => id) }, "mutation");
	const { proposalId } = await task(edit.taskId);
	const proposal = (await call<{ id: string; number: number; status: string }[]>(operator, "evolution.proposals", { evolutionId })).find(
		(p) => p.id === proposalId,
	);
	if (!proposal) throw new Error("The editor proposed nothing.");
	if (proposal.status === "draft") await call(operator, "evolution.proposalSubmit", { proposalId }, "mutation");
	await waitFor("the evaluation of the proposal", async () => {
		const now = await call<{ status: string }>(operator, "evolution.proposal", { proposal: proposalId });
		return now.status === "in-review";
	});
	return { evolutionId, proposal: proposal.number };
}

interface Shot {
	file: string;
	path: string;
	locale?: "en" | "zh";
	theme?: "light" | "dark";
	width?: number;
	height?: number;
	/** What has to be on the screen before the picture is taken. */
	ready: (page: Page) => Promise<unknown>;
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).first().waitFor();

async function take(context: BrowserContext, shot: Shot): Promise<void> {
	const preferences = { locale: shot.locale ?? "en", theme: shot.theme ?? "light" };
	await context.addCookies(Object.entries(preferences).map(([name, value]) => ({ name, value, url: ADDRESS })));
	const page = await context.newPage();
	await page.setViewportSize({ width: shot.width ?? 1280, height: shot.height ?? 900 });
	await page.goto(`${ADDRESS}${shot.path}`);
	await shot.ready(page);
	await page.waitForLoadState("networkidle").catch(() => undefined);
	await page.evaluate(() => document.fonts.ready);
	const file = path.join(FOLDER, shot.file);
	await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
	await page.close();
	const { size } = fs.statSync(file);
	console.log(`  ${shot.file} ${Math.round(size / 1000)} KB`);
	// The others are still worth having: the failure comes at the end.
	if (size > LARGEST_BYTES) tooLarge.push(shot.file);
}

async function signIn(browser: Awaited<ReturnType<typeof chromium.launch>>, persona: string): Promise<BrowserContext> {
	const context = await browser.newContext({ locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce" });
	const response = await context.request.post(`${ADDRESS}/api/demo-sign-in`, { data: { token: TOKEN, persona }, headers: { origin: ADDRESS } });
	if (!response.ok()) throw new Error(`Sign-in: ${await response.text()}`);
	return context;
}

async function main(): Promise<void> {
	const studio = start();
	const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: [...BROWSER_ARGUMENTS, "--disable-lcd-text"] });
	try {
		await waitFor("the studio", async () => {
			if (studio.exitCode !== null) throw new Error("The studio did not start; its messages are above.");
			return (await fetch(`${ADDRESS}/sign-in`)).ok;
		});
		await runLoop();
		const operator = await signIn(browser, "operator");
		const reviewer = await signIn(browser, "reviewer");
		const { evolutionId, proposal } = await prepareReview(operator);
		const { rows } = await call<{ rows: { id: string }[] }>(operator, "evaluation.runs", { status: ["done"], split: ["test"], limit: 1 });
		const run = rows[0]?.id ?? "";
		const { rows: results } = await call<{ rows: { id: string }[] }>(operator, "evaluation.results", {
			runId: run,
			filter: { verdict: ["failed"] },
			limit: 1,
		});
		const at = (...parts: string[]) => ["/w", WORKSPACE, ...parts].join("/");
		const curve = (page: Page) => page.locator("main canvas, main svg").first().waitFor();
		const diff = (page: Page) => page.getByTestId("monaco-diff").locator(".view-line").first().waitFor();
		fs.mkdirSync(FOLDER, { recursive: true });
		const shots: (Shot & { by: BrowserContext })[] = [
			{ by: reviewer, file: "evolution.png", path: at("evolution"), ready: curve },
			{ by: reviewer, file: "evolution-zh.png", path: at("evolution"), locale: "zh", ready: curve },
			{ by: reviewer, file: "evolution-dark.png", path: at("evolution"), theme: "dark", ready: curve },
			{ by: reviewer, file: "evolution-phone.png", path: at("evolution"), width: 390, height: 844, ready: heading },
			{ by: reviewer, file: "review.png", path: at("reviews", String(proposal)), ready: diff },
			{ by: reviewer, file: "review-zh.png", path: at("reviews", String(proposal)), locale: "zh", ready: diff },
			{
				by: operator,
				file: "harness.png",
				path: `${at("harness")}?file=${encodeURIComponent("skills/price-promotion/SKILL.md")}`,
				ready: (page) => page.getByTestId("monaco-editor").locator(".view-line").first().waitFor(),
			},
			{ by: operator, file: "findings.png", path: `${at("findings")}?evolution=${evolutionId}`, ready: (page) => page.getByRole("article").first().waitFor() },
			{ by: operator, file: "run.png", path: `${at("runs", run)}${results[0] ? `?episode=${results[0].id}` : ""}`, ready: heading },
		];
		for (const { by, ...shot } of shots) await take(by, shot);
		if (tooLarge.length > 0) throw new Error(`Larger than ${LARGEST_BYTES / 1000} KB: ${tooLarge.join(", ")}.`);
	} finally {
		await browser.close();
		studio.kill("SIGTERM");
		if (studio.exitCode === null) await Promise.race([once(studio, "exit"), sleep(15_000)]);
		fs.rmSync(data, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(messageOf(error));
	process.exitCode = 1;
});
