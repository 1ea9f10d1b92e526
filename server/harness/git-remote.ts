import { lookup } from "node:dns/promises";
import net from "node:net";
import { env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { assertUrlAllowed, hostOf, isPrivateAddress, privateAddressError } from "@/server/models";
import { runGit } from "./git-process";
import type { GitRepository } from "./git-repository";

/** Schemes that a remote may have: nothing that runs a program or reads the disk. */
const REMOTE = /^(https:\/\/|ssh:\/\/)[^\s-][^\s]*$/;

/** A name or an address; the host stands in a command line of ssh, and URLs of that scheme would let more through. */
const HOST = /^[A-Za-z0-9:][A-Za-z0-9.:-]*$/;

/** A push goes out with the server's own SSH key, so its operator names the hosts of a private network, not an admin of a workspace. */
const isNamedHost = (host: string): boolean =>
	env()
		.STUDIO_REMOTE_HOSTS.split(",")
		.some((name) => name.trim().toLowerCase() === host.toLowerCase());

const privateRemote = (host: string) =>
	new AppError("bad-input", privateAddressError(host).message, {
		reason: "remote-private",
		params: { host },
		fix: `Start the studio with STUDIO_REMOTE_HOSTS=${host}, if it is meant to push there.`,
	});

/** Throws `bad-input` for an address that a harness may not be pushed to. Names are judged again when they resolve, at each push. */
export function assertRemoteAllowed(url: string): void {
	const address = REMOTE.test(url) && url.length <= 500 && URL.canParse(url) ? new URL(url) : null;
	if (!address || !HOST.test(hostOf(url)))
		throw new AppError("bad-input", "A remote is an https:// or ssh:// address.", {
			reason: "remote-address",
			fix: "For example ssh://git@github.com/team/harness.git.",
		});
	// Over HTTPS the name alone can be a token, and the address is shown and audited in the clear. An SSH address names a user.
	if (address.password || (address.username && address.protocol !== "ssh:"))
		throw new AppError("bad-input", "A remote's address holds no token, name or password.", {
			reason: "remote-credentials",
			fix: "Use an ssh:// address: a push signs in with the SSH key or agent of the account that runs the studio.",
		});
	const host = hostOf(url);
	if (isNamedHost(host)) return;
	try {
		// A host of https: is read as the system reads it when it connects: 2130706433 and 0x7f.1 are 127.0.0.1.
		assertUrlAllowed(`https://${address.host}`, false);
	} catch {
		throw privateRemote(host);
	}
}

type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/** The address that a push connects to, judged here and handed to git, so that no second answer can slip in between; null where there is none to look up. */
async function addressOf(url: string, resolve: Resolve): Promise<string | null> {
	assertRemoteAllowed(url);
	const host = hostOf(url);
	if (isNamedHost(host) || net.isIP(host)) return null;
	const addresses = await resolve(host).catch((cause: unknown) => {
		throw new AppError("upstream", `${host} has no address.`, { reason: "remote-refused", cause });
	});
	if (addresses.length === 0 || addresses.some(({ address }) => isPrivateAddress(address))) throw privateRemote(host);
	return addresses[0]?.address ?? null;
}

/** Arguments that make git connect to this address under the host's own name. */
function pinned(url: string, address: string | null): { settings: string[]; ssh: string } {
	const settings = ["-c", "http.followRedirects=false"];
	if (address === null) return { settings, ssh: "" };
	const { protocol, port } = new URL(url);
	if (protocol === "ssh:") return { settings, ssh: ` -oHostName=${address} -oHostKeyAlias=${hostOf(url)} -oProxyCommand=none -oProxyJump=none` };
	return { settings: [...settings, "-c", `http.curloptResolve=${hostOf(url)}:${port || 443}:${address}`], ssh: "" };
}

/**
 * Pushes a branch and all tags to a remote. Throws `upstream`, without the remote's own words, and what `assertRemoteAllowed`
 * throws. `resolve` is for tests.
 */
export async function pushBranch(
	repository: GitRepository,
	url: string,
	branch: string,
	resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<void> {
	const to = pinned(url, await addressOf(url, resolve));
	await push(repository, url, branch, { ...to, protocols: "https:ssh" });
}

/** The push itself, wherever to; `pushBranch` decides whether it may. */
export async function push(
	repository: GitRepository,
	url: string,
	branch: string,
	{ settings, ssh, protocols }: { settings: readonly string[]; ssh: string; protocols: string },
): Promise<void> {
	const head = await repository.head(branch);
	if (!head)
		throw new AppError("not-found", `There is no branch “${branch}”.`, {
			reason: "revision-missing",
			params: { revision: branch },
			fix: "Choose a version from the history: a branch may have been renamed or removed.",
		});
	const { code, stderr } = await runGit(
		repository.directory,
		[...settings, "push", "--quiet", "--porcelain", "--follow-tags", "--end-of-options", url, `refs/heads/${branch}:refs/heads/${branch}`],
		{ accept: [1, 128], timeoutMs: 60_000, protocols, ssh },
	);
	if (code !== 0)
		throw new AppError("upstream", "The remote did not take the push.", {
			reason: "remote-refused",
			fix: "Check the address, the server's key, and whether the remote's branch has commits that are not here.",
			cause: new Error(stderr.slice(0, 500)),
		});
}
