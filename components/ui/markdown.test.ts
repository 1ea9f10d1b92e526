import fs from "node:fs";
import path from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown";
import MarkdownBody from "./markdown-body";

/* What viewers, models and importers write is shown as text: Markdown is the one place where text becomes elements. */

const render = (text: string) => renderToStaticMarkup(createElement(MarkdownBody, { text }));

describe("Markdown of strangers", () => {
	it.each([
		["an image with a handler", "<img src=x onerror=alert(1)>"],
		["a script", "before <script>alert(1)</script> after"],
		["an inline handler", '<b onclick="alert(1)">bold</b>'],
		["a frame", '<iframe src="https://evil.example"></iframe>'],
		["an SVG that loads", "<svg onload=alert(1)><a href='javascript:alert(1)'>x</a></svg>"],
		["a link that runs", "[click](javascript:alert(1))"],
		["the same, disguised", "[click](JaVaScRiPt&#58;alert(1))"],
		["a link to data", "[click](data:text/html;base64,PHNjcmlwdD4=)"],
		["an autolink that runs", "<javascript:alert(1)>"],
		["a reference that runs", "[click][1]\n\n[1]: javascript:alert(1)"],
		["an image of a third party", "![pixel](https://evil.example/pixel.png)"],
		["a style", '<p style="background:url(https://evil.example)">x</p>'],
		["a form", '<form action="https://evil.example"><input name=password></form>'],
	])("runs nothing and loads nothing: %s", (_name, text) => {
		const elements = render(text).match(/<[^>]+>/g) ?? [];
		expect(elements.filter((one) => /^<(?:img|script|iframe|svg|form|input|style|object|embed|link|meta|base)\b/i.test(one))).toEqual([]);
		expect(elements.filter((one) => /\s(?:on\w+|style|src|srcset|action)\s*=/i.test(one))).toEqual([]);
		expect(elements.filter((one) => /href\s*=\s*"\s*(?:javascript|data|vbscript):/i.test(one))).toEqual([]);
	});

	it("keeps what is meant: emphasis, code, tables, and links that open apart", () => {
		const html = render("**bold** `code` [site](https://example.com)\n\n| a |\n| - |\n| b |");
		expect(html).toContain("<strong>bold</strong>");
		expect(html).toContain("<code>code</code>");
		expect(html).toContain("<td>b</td>");
		expect(html).toContain('<a href="https://example.com" target="_blank" rel="noopener noreferrer nofollow">');
	});

	it("stands as it was written, as text alone, until the parser is there", () => {
		expect(renderToStaticMarkup(createElement(Markdown, { text: "**b** <img src=x onerror=alert(1)>" }))).toMatch(
			/^(?:<!--[^>]*-->)?<p [^>]*>\*\*b\*\* &lt;img src=x onerror=alert\(1\)&gt;<\/p>(?:<!--[^>]*-->)?$/,
		);
	});
});

it("nothing on the screen puts text in as HTML", () => {
	const raw = /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/;
	const sources = ["app", "components"].flatMap((folder) =>
		fs
			.readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
			.map((name) => path.join(folder, name)),
	);
	expect(sources.length).toBeGreaterThan(100);
	expect(sources.filter((file) => raw.test(fs.readFileSync(file, "utf8")))).toEqual([]);
});
