import type { Route } from "@playwright/test";
import { at, expect, test } from "../fixtures/studio";

/* What an open page does while the studio answers that its database is away, and when it is back. */

const away = (route: Route) => {
	const wire = { reason: "database-unavailable", params: {}, fix: null, data: null, fields: null, reference: null };
	const error = { json: { message: "away", code: -32603, data: { code: "SERVICE_UNAVAILABLE", httpStatus: 503, wire } } };
	const calls = new URL(route.request().url()).pathname.split(",").length;
	return route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify(Array(calls).fill({ error })) });
};

test("an open page says that the database is away, and recovers by itself when it is back", async ({ enter }) => {
	const page = await enter("viewer");
	await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
	await page.route("**/api/trpc/**", away);
	await page.getByRole("link", { name: /^Runs/ }).first().click();
	const alert = page.getByRole("alert").filter({ hasText: "The studio’s database does not answer at the moment." });
	await expect(alert.first()).toBeVisible();
	await page.unroute("**/api/trpc/**", away);
	await expect(alert).toHaveCount(0);
	await expect(page).toHaveURL(at("runs"));
	await expect(page.getByText("R-1", { exact: true }).first()).toBeVisible();
});

test("the live stream comes back after an answer that is no stream", async ({ enter }) => {
	const page = await enter("viewer");
	const refuse = (route: Route) => route.fulfill({ status: 502, contentType: "text/html", body: "Bad Gateway" });
	await page.route("**/api/trpc/workspace.changes**", refuse);
	const refused = page.waitForResponse((response) => response.url().includes("workspace.changes") && response.status() === 502);
	await page.goto(at("evolution"));
	await refused;
	await page.unroute("**/api/trpc/workspace.changes**", refuse);
	const opened = await page.waitForResponse((response) => response.url().includes("workspace.changes") && response.status() === 200);
	expect(opened.headers()["content-type"]).toContain("text/event-stream");
});
