"use client";

import { Upload } from "lucide-react";
import { useTranslations } from "next-intl";
import { type DragEvent, useState } from "react";
import { cn } from "./cn";
import { useFieldIds } from "./field";

interface FilePickerProps {
	/** Extensions and media types, as the browser's own control takes them. */
	accept: string;
	/** What is chosen; null for nothing yet. */
	file?: File | null;
	onFile: (file: File) => void;
	/** What may be chosen. */
	hint?: string;
	/** For a surface that is there for the file alone. */
	tall?: boolean;
}

/** Chooses one file, by a click, the keyboard or a drop, in the language of the page: the browser's own control speaks its own. */
export function FilePicker({ accept, file = null, onFile, hint, tall = false }: FilePickerProps) {
	const t = useTranslations("common.file");
	const [over, setOver] = useState(false);
	const drop = (event: DragEvent) => {
		event.preventDefault();
		setOver(false);
		const [dropped] = event.dataTransfer.files;
		if (dropped) onFile(dropped);
	};
	return (
		<label
			onDragOver={(event) => {
				event.preventDefault();
				setOver(true);
			}}
			onDragLeave={() => setOver(false)}
			onDrop={drop}
			className={cn(
				"relative flex cursor-pointer flex-wrap items-center gap-2 rounded-6 border border-line-ctl border-dashed px-3 text-13 focus-within:outline-2 focus-within:outline-accent",
				tall ? "px-4 py-6" : "min-h-9 py-1 max-md:min-h-11",
				over && "border-accent bg-accent-soft",
			)}
		>
			<Upload className="size-4 shrink-0 text-ink-3" aria-hidden />
			{file ? <span className="min-w-0 truncate font-semibold">{file.name}</span> : <span className="font-semibold">{t("choose")}</span>}
			<span className="text-ink-3">{file ? t("another") : t("drop")}</span>
			{hint && !file && <span className="text-ink-3">{hint}</span>}
			<input
				{...useFieldIds()}
				type="file"
				accept={accept}
				className="sr-only"
				onChange={(event) => {
					const [chosen] = event.target.files ?? [];
					// The same file may be chosen again after it was mended.
					event.target.value = "";
					if (chosen) onFile(chosen);
				}}
			/>
		</label>
	);
}

/** The bytes of a file in base64. */
export async function readBase64(file: File): Promise<string> {
	const bytes = new Uint8Array(await file.arrayBuffer());
	let binary = "";
	// In slices: a function takes only so many arguments.
	for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
	return btoa(binary);
}
