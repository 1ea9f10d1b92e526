"use client";

import ReactMarkdown from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { cn } from "./cn";
import { langOf } from "./format";

/** Markdown as a page: sanitised, no images (they would tell a third party who reads), links open apart. */
export default function MarkdownBody({ text, className }: { text: string; className?: string }) {
	return (
		<div lang={langOf(text)} className={cn("prose-studio min-w-0 break-words", className)}>
			<ReactMarkdown
				remarkPlugins={[remarkGfm]}
				rehypePlugins={[rehypeSanitize]}
				components={{
					a: ({ href, children }) => (
						<a href={href} target="_blank" rel="noopener noreferrer nofollow">
							{children}
						</a>
					),
					img: ({ alt }) => <span className="text-ink-3">[{alt}]</span>,
				}}
			>
				{text}
			</ReactMarkdown>
		</div>
	);
}
