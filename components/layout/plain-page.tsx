import type { ReactNode } from "react";
import { LanguageButton } from "./preferences";
import { Mark } from "./rail";

/** A page outside of any workspace: the mark, one column of 360 px, the language. */
export function PlainPage({ product, children }: { product: string; children: ReactNode }) {
	return (
		<div className="flex min-h-dvh flex-col">
			<header className="flex h-11 items-center gap-2 border-line border-b pr-4 pl-6 max-md:pl-4">
				<Mark />
				<b className="font-semibold">{product}</b>
				<span className="ml-auto">
					<LanguageButton />
				</span>
			</header>
			<main id="main" className="mx-auto w-full max-w-[392px] px-4 pt-[12vh] pb-16 max-md:pt-8">
				{children}
			</main>
		</div>
	);
}

/** Signed in, and nowhere to go. */
export function AccountlessNote({ product, title, text, action }: { product: string; title: string; text: string; action?: ReactNode }) {
	return (
		<PlainPage product={product}>
			<h1 className="say">{title}</h1>
			<p className="mt-2 text-ink-2">{text}</p>
			{action && <div className="mt-4">{action}</div>}
		</PlainPage>
	);
}
