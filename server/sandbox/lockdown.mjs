/**
 * Runs inside QuickJS, once per runtime, before any untrusted code: makes the realm immutable, so that one realm can serve
 * many scopes without anything passing between them, and returns the driver that the host calls. Its text is sent into the
 * engine (`lockdown.toString()`), so it names nothing from outside.
 *
 * What can still hold state is a module's own closure, and the host makes a new instance of the module for every scope.
 */
export function lockdown() {
	"use strict";
	const globalObject = globalThis;
	const { parse, stringify } = JSON;
	const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys, hasOwn, assign } = Object;
	const { ownKeys, apply, construct } = Reflect;
	const { UTC } = Date;
	const { imul } = Math;
	const toText = String;
	const RealDate = Date;
	const ThenOf = Promise.prototype.then;
	const PromiseOf = Promise;
	const sliceText = (text, n) => apply(String.prototype.slice, text, [0, n]);

	// ---- the only randomness and the only clock are the caller's ----
	let state = 0;
	let nowMs = 0;
	defineProperty(Math, "random", {
		value: () => {
			state = (state + 0x6d2b79f5) | 0;
			let t = state;
			t = imul(t ^ (t >>> 15), t | 1);
			t ^= t + imul(t ^ (t >>> 7), t | 61);
			return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
		},
	});
	// Local time is UTC, whatever the machine's zone: the same call gives the same answer on every worker.
	const zoneless = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
	function Date_(...parts) {
		if (!new.target) return new RealDate(nowMs).toISOString();
		let given = parts;
		if (parts.length === 0) given = [nowMs];
		else if (parts.length > 1) given = [apply(UTC, RealDate, parts)];
		else if (typeof parts[0] === "string" && zoneless.test(parts[0])) given = [`${parts[0].replace(" ", "T")}Z`];
		return construct(RealDate, given, new.target);
	}
	const dates = RealDate.prototype;
	for (const unit of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"])
		for (const verb of ["get", "set"]) if (dates[`${verb}UTC${unit}`]) defineProperty(dates, `${verb}${unit}`, { value: dates[`${verb}UTC${unit}`] });
	for (const name of ["toString", "toDateString", "toTimeString", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
		defineProperty(dates, name, { value: dates.toISOString });
	defineProperty(dates, "getTimezoneOffset", { value: () => 0 });
	defineProperty(dates, "constructor", { value: Date_ });
	defineProperty(Date_, "name", { value: "Date" });
	defineProperty(Date_, "prototype", { value: dates });
	defineProperty(Date_, "now", { value: () => nowMs });
	defineProperty(Date_, "parse", { value: (text) => new Date_(toText(text)).getTime() });
	defineProperty(Date_, "UTC", { value: UTC });
	globalThis.Date = Date_;

	// ---- nothing makes code from text, watches the collector or shares memory ----
	const samples = [function () {}, function* () {}, async function () {}, async function* () {}];
	for (const sample of samples) {
		const prototype = getPrototypeOf(sample);
		const refuse = function Function() {
			throw new TypeError("Code cannot be made from text here.");
		};
		defineProperty(refuse, "prototype", { value: prototype });
		defineProperty(prototype, "constructor", { value: refuse });
		if (sample === samples[0]) globalThis.Function = refuse;
	}
	for (const name of ["eval", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "InternalError", "console", "performance"])
		delete globalThis[name];

	// ---- outcomes of hooks ----
	const outcomes = {
		pass: () => ({ outcome: "pass" }),
		replace: (value) => ({ outcome: "replace", value }),
		retry: (message) => ({ outcome: "retry", message: toText(message) }),
		block: (reason, fallback) => ({ outcome: "block", message: toText(reason), fallback: fallback === undefined ? null : toText(fallback) }),
	};
	for (const name of keys(outcomes)) globalThis[name] = outcomes[name];

	// ---- everything that exists by now becomes immutable ----
	// A frozen prototype would forbid `this.name = …` on objects that inherit from it: there, data becomes an accessor
	// whose setter defines an own property on the object itself.
	const inherited = [Object.prototype, Function.prototype];
	for (const name of ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "AggregateError"])
		if (globalThis[name]) inherited.push(globalThis[name].prototype);
	for (const prototype of inherited)
		for (const key of ownKeys(prototype)) {
			const property = getOwnPropertyDescriptor(prototype, key);
			if (!("value" in property) || !property.configurable || !property.writable) continue;
			const { value, enumerable } = property;
			defineProperty(prototype, key, {
				enumerable,
				configurable: false,
				get: () => value,
				set(next) {
					if (this === prototype) throw new TypeError(`${toText(key)} is read-only.`);
					if (this === undefined || this === null) throw new TypeError("No object to write to.");
					defineProperty(this, key, { value: next, writable: true, enumerable: true, configurable: true });
				},
			});
		}
	// QuickJS lets `defineProperty` give a frozen global *variable* another value (not an accessor), so the globals become
	// accessors; and modules never see the real global object, only a frozen copy under its name (see `toFactory`).
	const globals = {};
	for (const key of ownKeys(globalThis)) {
		const property = getOwnPropertyDescriptor(globalThis, key);
		if (key === "globalThis" || !("value" in property)) continue;
		const { value } = property;
		globals[key] = value;
		if (property.configurable) defineProperty(globalThis, key, { get: () => value, set: undefined, enumerable: false, configurable: false });
	}
	globals.globalThis = globals;
	delete globalThis.globalThis;
	const seen = new Set();
	const pending = [globals, globalObject, Date_, ...samples.map(getPrototypeOf)];
	const iterators = [[][Symbol.iterator](), ""[Symbol.iterator](), new Map().entries(), new Set().values(), "".matchAll(/a/g), samples[1](), samples[3]()];
	if (typeof Iterator === "function") {
		iterators.push([].values().map?.((x) => x));
		if (Iterator.from) iterators.push(Iterator.from({ next: () => ({ done: true }) }));
	}
	for (const iterator of iterators) if (iterator) pending.push(getPrototypeOf(iterator));
	const isReference = (value) => value !== null && (typeof value === "object" || typeof value === "function");
	while (pending.length > 0) {
		const value = pending.pop();
		if (seen.has(value)) continue;
		seen.add(value);
		freeze(value);
		const parent = getPrototypeOf(value);
		if (isReference(parent)) pending.push(parent);
		for (const key of ownKeys(value)) {
			const property = getOwnPropertyDescriptor(value, key);
			if (!property) continue;
			for (const part of [property.value, property.get, property.set]) if (isReference(part)) pending.push(part);
		}
	}

	// ---- the driver ----
	const deepFreeze = (value) => {
		if (!isReference(value)) return value;
		for (const key of keys(value)) deepFreeze(value[key]);
		return freeze(value);
	};
	const describeError = (error) => {
		try {
			return sliceText(isReference(error) && "message" in error ? `${toText(error.name)}: ${toText(error.message)}` : toText(error), 500);
		} catch {
			return "Error: what was thrown cannot be read";
		}
	};
	let data = {};
	let settled = null;
	const answer = (value) => {
		if (value === undefined || typeof value === "function" || typeof value === "symbol") return `irun must return a JSON value; it returned ${typeof value}.`;
		let text;
		try {
			text = stringify(value);
		} catch (error) {
			const message = describeError(error);
			return apply(String.prototype.includes, message, ["memory"]) ? `t${message}` : `iThe returned value cannot be written as JSON. ${message}`;
		}
		return text === undefined ? "iThe returned value cannot be written as JSON." : `v${text}`;
	};
	return freeze({
		globals,
		setData(json) {
			data = deepFreeze(parse(json));
		},
		/** First letter of the answer: v value, t thrown, i invalid, p a promise (then `collect`). */
		call(instance, json, seed, atMs, freezeInput) {
			state = seed;
			nowMs = atMs;
			settled = null;
			try {
				const given = parse(json);
				const input = assign({}, data, freezeInput ? deepFreeze(given) : given);
				const result = instance.run(freezeInput ? freeze(input) : input);
				if (!(result instanceof PromiseOf)) return answer(result);
				const keep = (kind) => (value) => {
					settled = { kind, value };
				};
				apply(ThenOf, result, [keep("value"), keep("error")]);
				return "p";
			} catch (error) {
				return `t${describeError(error)}`;
			}
		},
		collect() {
			if (!settled) return "iThe promise that run returned did not settle.";
			const { kind, value } = settled;
			settled = null;
			return kind === "value" ? answer(value) : `t${describeError(value)}`;
		},
		/** All of the default export's own fields but functions. */
		describe(instance) {
			try {
				if (!isReference(instance)) return "iThe default export must be an object.";
				if (typeof instance.run !== "function") return "iThe default export needs a function `run`.";
				const fields = {};
				for (const key of keys(instance)) if (hasOwn(instance, key) && typeof instance[key] !== "function") fields[key] = instance[key];
				return answer(fields);
			} catch (error) {
				return `t${describeError(error)}`;
			}
		},
	});
}
