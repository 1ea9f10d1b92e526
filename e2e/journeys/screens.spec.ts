import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { measuredAblation } from "../fixtures/ablation";
import { seriousViolations } from "../fixtures/axe";
import { leftInEnglish, rawKeys } from "../fixtures/language";
import { ask, at, call, expect, takeErrors, test, type View, WORKSPACE } from "../fixtures/studio";

/**
 * Every page twice: wide, light, in English; and narrow, dark, in Chinese. The sections of Settings have a test of their own
 * (settings.spec.ts).
 */
const VIEWS: (Required<View> & { name: string })[] = [
	{ name: "1280 px, light, English", width: 1280, height: 800, locale: "en", theme: "light" },
	{ name: "390 px, dark, 中文", width: 390, height: 844, locale: "zh", theme: "dark" },
];

interface Overview {
	evolution: { id: string; branch: string; headCommit: string };
	rounds: { id: string; name: string }[];
}

/** The number of a proposal to look at; one is made where there is none yet (this file run by itself). */
async function someProposal(page: Page): Promise<string> {
	const [first] = await ask<{ number: number }[]>(page, "evolution.proposals");
	if (first) return String(first.number);
	const { evolution } = await ask<Overview>(page, "evolution.overview");
	const response = await call(page, "evolution.proposalCreate", {
		workspace: WORKSPACE,
		evolutionId: evolution.id,
		title: "告别说得更短",
		changes: {
			"skills/small-talk/SKILL.md": "---\nname: small-talk\ndescription: 闲聊。\nmetadata:\n  type: reply\n---\n# 闲聊\n\n- 当 观众说再见: 答“再见。”\n",
		},
		baseCommit: evolution.headCommit,
		manifest: { summary: "告别更短。", failurePattern: "", predictedFixes: [], predictedBreaks: [] },
	});
	expect(response.status(), await response.text()).toBe(200);
	const [made] = await ask<{ number: number }[]>(page, "evolution.proposals");
	return String(made?.number);
}

/** An ablation with its table; one is loaded where there is none yet. */
async function someAblation(page: Page): Promise<string> {
	const known = (await ask<{ id: string; status: string }[]>(page, "training.ablations")).find(({ status }) => status === "done");
	if (known) return known.id;
	const response = await call(page, "training.ablationLoad", { workspace: WORKSPACE, text: measuredAblation() });
	expect(response.status(), await response.text()).toBe(200);
	return someAblation(page);
}

async function runs(page: Page): Promise<string[]> {
	const { rows } = await ask<{ rows: { id: string; split: string }[] }>(page, "evaluation.runs", { status: ["done"], split: ["test"], limit: 2 });
	return rows.map((run) => run.id);
}

const PAGES: { name: string; path: (page: Page) => Promise<string> | string }[] = [
	{ name: "Evolution", path: () => at("evolution") },
	{ name: "Round", path: async (page) => at("evolution", "rounds", (await ask<Overview>(page, "evolution.overview")).rounds.at(-1)?.id ?? "none") },
	{ name: "Harness", path: () => at("harness") },
	{ name: "Findings", path: () => at("findings") },
	{ name: "Reviews", path: () => at("reviews") },
	{ name: "Review", path: async (page) => at("reviews", await someProposal(page)) },
	{ name: "Runs", path: () => at("runs") },
	{ name: "Run", path: async (page) => at("runs", (await runs(page))[0] ?? "none") },
	{
		name: "Compare",
		path: async (page) => {
			const [run = "none", against = run] = await runs(page);
			return `${at("runs", run)}?view=compare&against=${encodeURIComponent(against)}`;
		},
	},
	{ name: "Cases", path: () => at("cases") },
	{ name: "Releases", path: () => at("releases") },
	{ name: "Training", path: () => at("training") },
	{ name: "Variants", path: () => at("training", "variants") },
	{ name: "Ablations", path: () => at("training", "ablation") },
	{ name: "Ablation", path: async (page) => `${at("training", "ablation")}?ablation=${await someAblation(page)}` },
	{ name: "Settings", path: () => at("settings") },
];

/** Cumulative layout shift: above 0.1 a page needs improvement (web.dev/cls); this is ours. */
const MOST_SHIFT = 0.05;

type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Adds up what moved by itself since the page was opened: the browser remembers it. */
const shifted = (page: Page) =>
	page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				let sum = 0;
				new PerformanceObserver((list) => {
					for (const { value, hadRecentInput } of list.getEntries() as Shift[]) if (!hadRecentInput) sum += value;
				}).observe({ type: "layout-shift", buffered: true });
				// What is remembered is handed over in a task of its own.
				setTimeout(() => resolve(sum), 100);
			}),
	);

/** The page has its data: a heading, and no skeleton left. */
async function settled(page: Page): Promise<void> {
	await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
	await expect(page.locator("main .animate-pulse, main [data-skeleton]")).toHaveCount(0);
}

for (const view of VIEWS)
	test.describe(view.name, () => {
		for (const { name, path } of PAGES)
			test(`${name} is whole, readable and quiet`, async ({ enterOnce }) => {
				const page = await enterOnce("reviewer", at("settings", "account"), view);
				await page.goto(await path(page));
				await settled(page);
				expect.soft(await shifted(page), "layout shift while it loads").toBeLessThanOrEqual(MOST_SHIFT);
				const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
				expect.soft(overflow, "it scrolls sideways").toBeLessThanOrEqual(0);
				expect.soft(await rawKeys(page), "message keys on the screen").toEqual([]);
				if (view.locale === "zh") expect.soft(await leftInEnglish(page), "English in the Chinese screen").toEqual([]);
				expect.soft(await seriousViolations(page), "accessibility").toEqual([]);
				expect.soft(takeErrors(page), "errors in the console").toEqual([]);
			});
	});

test("an address of nothing says so, with the way back", async ({ enter }) => {
	const page = await enter("viewer", at("no-such-page"));
	await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
	await page.getByRole("link", { name: "Back to Evolution" }).click();
	await expect(page).toHaveURL(new RegExp(`${at("evolution")}$`));
});

/** What a browser has to load before a page works, gzipped. */
const INITIAL_SCRIPT_KB = 300;

test("no page begins with more script than agreed", async ({ enter }) => {
	const page = await enter("reviewer");
	const sizes = new Map<string, number>();
	const sizeOf = async (source: string) => {
		const known = sizes.get(source) ?? gzipSync(await (await page.request.get(source)).body()).length;
		sizes.set(source, known);
		return known;
	};
	const sections = ["gate", "triggers", "endpoints"].map((section) => ({ name: `Settings, ${section}`, path: () => at("settings", section) }));
	for (const { name, path } of [...PAGES, ...sections]) {
		const html = await (await page.request.get(await path(page))).text();
		const sources = new Set([...html.matchAll(/<script (?![^>]*nomodule)[^>]*src="([^"]+)"/gi)].map(([, source]) => source ?? ""));
		let bytes = 0;
		for (const source of sources) bytes += await sizeOf(source);
		expect.soft(bytes / 1024, `${name}: KB of initial script`).toBeLessThanOrEqual(INITIAL_SCRIPT_KB);
		expect(bytes).toBeGreaterThan(0);
	}
});
