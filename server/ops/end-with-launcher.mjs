/*
 * Loaded into the web server before Next: a launcher that was killed cannot stop it, so it stops when the channel to the
 * launcher ends. Otherwise it would hold the port, and the next start would call it another program.
 */

const PATIENCE_MS = 5_000;

process.once("disconnect", () => {
	process.kill(process.pid, "SIGTERM");
	setTimeout(() => process.exit(1), PATIENCE_MS);
});
