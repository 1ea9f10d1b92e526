import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPCClient } from "@/components/trpc/client";

/** Bytes of a part: small enough for any proxy, large enough that 200 MB are a few hundred requests. */
const PART = 768 * 1024;

function toBase64(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(text);
}

/** Sends a file in parts and says how far it is; the dry run and the import then name it by its id. */
export function useUpload() {
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	const [progress, setProgress] = useState<{ name: string; sent: number; total: number } | null>(null);
	const upload = async (file: File): Promise<string> => {
		const uploadId = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
		setProgress({ name: file.name, sent: 0, total: file.size });
		try {
			for (let offset = 0; offset < file.size; offset += PART) {
				const bytes = new Uint8Array(await file.slice(offset, offset + PART).arrayBuffer());
				await client.cases.uploadPart.mutate({ workspace: slug, uploadId, offset, base64: toBase64(bytes) });
				setProgress({ name: file.name, sent: offset + bytes.length, total: file.size });
			}
			return uploadId;
		} finally {
			setProgress(null);
		}
	};
	return { upload, progress };
}
