import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { readFolder, readZip } from "./archive-read";
import { writeArchive } from "./archive-write";
import { sampleHarness } from "./testing/sample-harness";

const bytes = (text: string) => new TextEncoder().encode(text);
const zip = (entries: Parameters<typeof zipSync>[0]) => Buffer.from(zipSync(entries));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "harness-archives-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A zip with one entry whose directory fields are set by hand. */
function craft(name: string, content: Buffer, change: (local: Buffer, central: Buffer) => void = () => undefined): Buffer {
	const archive = zip({ [name]: [content, { level: 6 }] });
	const at = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
	change(archive.subarray(0), archive.subarray(at));
	return archive;
}

describe("readZip", () => {
	it.each([
		["../escape.md", /`\.\.`/],
		["a/../../escape.md", /`\.\.`/],
		["/etc/passwd", /absolute/],
		["C:/windows/x.md", /absolute/],
		["a\\..\\b.md", /\\/],
		[".git/config", /\.git/],
		["skills/x/.GitModules", /\.git/],
		["skills/x/.git \u200b/config", /\.git/],
		["a\u0007b.md", /control/],
	])("leaves %j out and keeps the rest", async (name, reason) => {
		const loaded = await readZip(zip({ [name]: bytes("bad"), "good/SKILL.md": bytes("good") }));
		expect(Object.keys(loaded.files)).toEqual(["good/SKILL.md"]);
		expect(loaded.rejected).toMatchObject([{ at: expect.any(String), reason: expect.stringMatching(reason) }]);
	});

	it("leaves links out", async () => {
		const loaded = await readZip(zip({ "a/link.md": [bytes("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }], "a/b.md": bytes("x") }));
		expect(loaded).toMatchObject({ files: { "a/b.md": "x" }, rejected: [{ at: "a/link.md", reason: "a link" }] });
	});

	it("leaves a second name that differs only in case out", async () => {
		const loaded = await readZip(zip({ "a/SKILL.md": bytes("1"), "a/skill.md": bytes("2"), "A/SKILL.md": bytes("3") }));
		expect(loaded.files).toEqual({ "a/SKILL.md": "1" });
		expect(loaded.rejected.map((entry) => entry.reason)).toEqual([expect.stringContaining("only in case"), expect.stringContaining("only in case")]);
	});

	it("leaves what is no text, and what is too large, out", async () => {
		const noise = Buffer.from(Array.from({ length: 300 * 1024 }, (_, i) => 33 + ((i * 7919) % 90)));
		const loaded = await readZip(
			zip({ "a.png": new Uint8Array([137, 80, 0, 1]), "b.txt": new Uint8Array([0xff, 0xfe]), "c.md": [noise, { level: 0 }], "d.md": bytes("\uFEFFtext") }),
		);
		expect(loaded.files).toEqual({ "d.md": "\uFEFFtext" });
		expect(loaded.rejected.map((entry) => entry.at)).toEqual(["a.png", "b.txt", "c.md"]);
	});

	it("refuses a bomb by its ratio", async () => {
		await expect(readZip(zip({ "a.md": new Uint8Array(20 * 1024 * 1024) }))).rejects.toMatchObject({ code: "bad-input", reason: "archive-refused" });
	});

	it("refuses a bomb that lies about its size", async () => {
		const archive = craft("a.md", Buffer.alloc(0), () => undefined);
		const honest = zip({ "a.md": new Uint8Array(5 * 1024 * 1024) });
		const central = honest.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
		honest.writeUInt32LE(10, central + 24);
		honest.writeUInt32LE(10, 22);
		await expect(readZip(honest)).rejects.toMatchObject({ code: "bad-input" });
		expect((await readZip(archive)).files).toEqual({ "a.md": "" });
	});

	it("refuses too many entries", async () => {
		const entries = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`a/${i}.md`, bytes("")]));
		await expect(readZip(zip(entries))).rejects.toMatchObject({ reason: "archive-refused" });
	});

	it("leaves an encrypted entry out", async () => {
		const archive = craft("a.md", Buffer.from("x"), (_local, central) => central.writeUInt16LE(central.readUInt16LE(8) | 1, 8));
		expect(await readZip(archive)).toMatchObject({ files: {}, rejected: [{ at: "a.md", reason: "encrypted" }] });
	});

	it.each([
		["no zip", Buffer.from("hello")],
		["nothing", Buffer.alloc(0)],
		["half a zip", zip({ "a.md": bytes("hello ".repeat(100)) }).subarray(0, 60)],
		[
			"a zip with damaged content",
			(() => {
				const archive = zip({ "a.md": bytes(Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n")) });
				archive.fill(0xff, 40, 80);
				return archive;
			})(),
		],
	])("says so for %s", async (_name, archive) => {
		await expect(readZip(archive)).rejects.toMatchObject({ code: "bad-input", reason: "archive-unreadable" });
	});
});

describe("readFolder", () => {
	it("does not follow links, and ignores the repository around it", async () => {
		const root = path.join(folder, "read");
		fs.mkdirSync(path.join(root, "skills/a"), { recursive: true });
		fs.mkdirSync(path.join(root, ".git"));
		fs.writeFileSync(path.join(root, ".git/config"), "x");
		fs.writeFileSync(path.join(root, "skills/a/SKILL.md"), "x");
		fs.symlinkSync("/etc/passwd", path.join(root, "skills/a/passwd.md"));
		fs.symlinkSync("/etc", path.join(root, "skills/etc"));
		expect(await readFolder(root)).toMatchObject({
			files: { "skills/a/SKILL.md": "x" },
			rejected: [
				{ at: "skills/a/passwd.md", reason: "a link" },
				{ at: "skills/etc", reason: "a link" },
			],
		});
	});

	it("says when there is no folder", async () => {
		await expect(readFolder(path.join(folder, "nothing"))).rejects.toMatchObject({
			code: "not-found",
			reason: "folder-missing",
			fix: expect.any(String),
			cause: { code: "ENOENT" },
		});
		fs.writeFileSync(path.join(folder, "file.txt"), "x");
		await expect(readFolder(path.join(folder, "file.txt"))).rejects.toMatchObject({ code: "bad-input" });
	});
});

describe("writeArchive", () => {
	const files = sampleHarness({
		[`skills/greeting/references/${"long-".repeat(30)}.md`]: "long",
		"skills/greeting/references/说明.md": "中文 🎈",
		"empty.md": "",
	});

	it("gives the same bytes for the same files", () => {
		const reversed = Object.fromEntries(Object.entries(files).reverse());
		for (const format of ["zip", "tar.gz"] as const) expect(writeArchive(files, format).digest).toBe(writeArchive(reversed, format).digest);
	});

	it("can be unpacked by tar", () => {
		const archive = path.join(folder, "x.tar.gz");
		fs.writeFileSync(archive, writeArchive(files, "tar.gz", "harness").bytes);
		execFileSync("tar", ["-xzf", archive, "-C", folder]);
		for (const [file, text] of Object.entries(files)) expect(fs.readFileSync(path.join(folder, "harness", file), "utf8")).toBe(text);
	});

	it("comes back through readZip", async () => {
		expect(await readZip(writeArchive(files, "zip").bytes)).toEqual({ files, rejected: [] });
	});
});
