import { createHash } from "node:crypto";
import type { HarnessFiles } from "./contract";

export type GitObjectType = "blob" | "tree" | "commit" | "tag";

export interface GitObject {
	id: string;
	type: GitObjectType;
	content: Buffer;
}

/** A git object and its id (SHA-1 of header and content), computed as git does. */
export function gitObject(type: GitObjectType, content: Buffer): GitObject {
	return { id: createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex"), type, content };
}

interface Folder {
	files: Map<string, string>;
	folders: Map<string, Folder>;
}

const emptyFolder = (): Folder => ({ files: new Map(), folders: new Map() });

/** All objects of a set of files: blobs, subtrees, and the root tree last. Every file is a plain one (mode 100644). */
export function treeObjects(files: HarnessFiles): { tree: string; objects: GitObject[] } {
	const root = emptyFolder();
	for (const [path, text] of Object.entries(files)) {
		const segments = path.split("/");
		let folder = root;
		for (const segment of segments.slice(0, -1)) {
			let next = folder.folders.get(segment);
			if (!next) {
				next = emptyFolder();
				folder.folders.set(segment, next);
			}
			folder = next;
		}
		folder.files.set(segments.at(-1) as string, text);
	}
	const objects: GitObject[] = [];
	return { tree: writeFolder(root, objects), objects };
}

function writeFolder(folder: Folder, objects: GitObject[]): string {
	const entries: { sortKey: Buffer; mode: string; name: string; id: string }[] = [];
	for (const [name, text] of folder.files) {
		const blob = gitObject("blob", Buffer.from(text));
		objects.push(blob);
		entries.push({ sortKey: Buffer.from(name), mode: "100644", name, id: blob.id });
	}
	// Git sorts by bytes, a folder as if its name ended with a slash.
	for (const [name, child] of folder.folders) entries.push({ sortKey: Buffer.from(`${name}/`), mode: "40000", name, id: writeFolder(child, objects) });
	entries.sort((a, b) => Buffer.compare(a.sortKey, b.sortKey));
	const tree = gitObject("tree", Buffer.concat(entries.flatMap((entry) => [Buffer.from(`${entry.mode} ${entry.name}\0`), Buffer.from(entry.id, "hex")])));
	objects.push(tree);
	return tree.id;
}

/** The git tree id of a set of files: the fingerprint of a harness, equal to what git computes. */
export function treeIdOf(files: HarnessFiles): string {
	return treeObjects(files).tree;
}

/** The git blob id of a text. */
export function blobIdOf(text: string): string {
	return gitObject("blob", Buffer.from(text)).id;
}
