import pino from "pino";
import { env } from "./env";

const REDACTED = ["*.apiKey", "*.key", "*.password", "*.token", "*.authorization", "*.headers", "apiKey", "password", "token", "authorization"];

/** Structured log on stderr (stdout belongs to the command line's JSON). Keys and tokens are redacted by name. */
export const logger = pino({ level: env().STUDIO_LOG_LEVEL, redact: REDACTED, base: undefined }, pino.destination(2));
