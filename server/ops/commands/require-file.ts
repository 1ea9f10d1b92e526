import fs from "node:fs";
import { AppError } from "@/server/kernel/errors";

/** A path that is there. Throws `bad-input` otherwise. */
export function requireFile(file: string): string {
	if (!fs.existsSync(file))
		throw new AppError("bad-input", `There is no file or folder ${file}.`, {
			reason: "file-missing",
			params: { path: file },
			fix: "Give its path, absolute or from the folder in which the command runs. README.md says where the files of its examples come from.",
		});
	return file;
}

/** For commands that read one file: a folder is not one, nor is a pipe, which may never end. */
export function requireRegularFile(file: string): string {
	if (!fs.statSync(requireFile(file)).isFile())
		throw new AppError("bad-input", `${file} is no regular file.`, {
			reason: "file-expected",
			params: { path: file },
			fix: "Give the path of the file itself.",
		});
	return file;
}
