/**
 * What runs inside QuickJS, once per runtime, before any untrusted code: makes the realm immutable, so that one realm can
 * serve many scopes without anything passing between them, and gives the driver that the host calls. The functions here are
 * sent into the engine as text (`lockdownSource`); they name nothing but one another and the language.
 *
 * What can still hold state is a module's own closure, and the host makes a new instance of the module for every scope.
 */

/** Intrinsics as they were before any other code ran. */
function captureIntrinsics() {
	const { parse, stringify } = JSON;
	const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys, hasOwn, assign } = Object;
	const { ownKeys, apply, construct } = Reflect;
	const { slice, includes } = String.prototype;
	return {
		...{ parse, stringify, freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys, hasOwn, assign, ownKeys, apply, construct },
		toText: String,
		imul: Math.imul,
		RealDate: Date,
		RealPromise: Promise,
		whenSettled: Promise.prototype.then,
		functionToString: Function.prototype.toString,
		cut: (text, n) => apply(slice, text, [0, n]),
		contains: (text, part) => apply(includes, text, [part]),
		isReference: (value) => value !== null && (typeof value === "object" || typeof value === "function"),
		/** One function of each kind, to reach the prototypes that have no global name. */
		samples: [() => {}, function* () {}, async () => {}, async function* () {}],
	};
}

/** The only randomness (mulberry32) and the only clock are the caller's; local time is UTC on every machine. */
function replaceSources({ defineProperty, apply, construct, imul, toText, RealDate }) {
	let state = 0;
	let nowMs = 0;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = state;
		t = imul(t ^ (t >>> 15), t | 1);
		t ^= t + imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	defineProperty(Math, "random", { value: random });
	const { UTC } = RealDate;
	const zoneless = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
	const fixedDate = function (...parts) {
		if (!new.target) return new RealDate(nowMs).toISOString();
		let given = parts;
		if (parts.length === 0) given = [nowMs];
		else if (parts.length > 1) given = [apply(UTC, RealDate, parts)];
		else if (typeof parts[0] === "string" && zoneless.test(parts[0])) given = [`${parts[0].replace(" ", "T")}Z`];
		return construct(RealDate, given, new.target);
	};
	const dates = RealDate.prototype;
	for (const unit of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"])
		for (const verb of ["get", "set"]) if (dates[`${verb}UTC${unit}`]) defineProperty(dates, `${verb}${unit}`, { value: dates[`${verb}UTC${unit}`] });
	for (const name of ["toString", "toDateString", "toTimeString", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
		defineProperty(dates, name, { value: dates.toISOString });
	defineProperty(dates, "getTimezoneOffset", { value: () => 0 });
	defineProperty(dates, "constructor", { value: fixedDate });
	defineProperty(fixedDate, "name", { value: "Date" });
	defineProperty(fixedDate, "prototype", { value: dates });
	defineProperty(fixedDate, "now", { value: () => nowMs });
	defineProperty(fixedDate, "parse", { value: (text) => new fixedDate(toText(text)).getTime() });
	defineProperty(fixedDate, "UTC", { value: UTC });
	globalThis.Date = fixedDate;
	return (seed, atMs) => {
		state = seed;
		nowMs = atMs;
	};
}

/** Nothing makes code from text, watches the collector or shares memory. */
function removeEscapes({ samples, getPrototypeOf, defineProperty }) {
	for (const sample of samples) {
		const prototype = getPrototypeOf(sample);
		const refuse = () => {
			throw new TypeError("Code cannot be made from text here.");
		};
		defineProperty(refuse, "name", { value: "Function" });
		defineProperty(refuse, "prototype", { value: prototype });
		defineProperty(prototype, "constructor", { value: refuse });
		if (sample === samples[0]) globalThis.Function = refuse;
	}
	for (const name of ["eval", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics", "InternalError", "console", "performance"])
		delete globalThis[name];
}

/** The helpers of hooks; what they return is plain data. */
function defineOutcomes({ toText, assign }) {
	assign(globalThis, {
		pass: () => ({ outcome: "pass" }),
		replace: (value) => ({ outcome: "replace", value }),
		retry: (message) => ({ outcome: "retry", message: toText(message) }),
		block: (reason, fallback) => ({ outcome: "block", message: toText(reason), fallback: fallback === undefined ? null : toText(fallback) }),
	});
}

/**
 * A frozen prototype would forbid `this.name = …` on objects that inherit from it. So the data of the prototypes that
 * ordinary code shadows becomes accessors, whose setter defines an own property on the object itself.
 */
function allowOverrides({ ownKeys, getOwnPropertyDescriptor, defineProperty, toText }) {
	const inherited = [Object.prototype, Function.prototype];
	for (const name of ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "AggregateError"])
		if (globalThis[name]) inherited.push(globalThis[name].prototype);
	for (const prototype of inherited)
		for (const key of ownKeys(prototype)) {
			const property = getOwnPropertyDescriptor(prototype, key);
			if (!("value" in property && property.configurable && property.writable)) continue;
			const { value, enumerable } = property;
			const set = function (next) {
				if (this === prototype || this === undefined || this === null) throw new TypeError(`${toText(key)} is read-only.`);
				defineProperty(this, key, { value: next, writable: true, enumerable: true, configurable: true });
			};
			defineProperty(prototype, key, { enumerable, configurable: false, get: () => value, set });
		}
}

/**
 * QuickJS lets `defineProperty` give a frozen global *variable* another value (not an accessor): the globals become
 * accessors. And modules never see the real global object, only this frozen copy under its name (see `toFactory`).
 */
function sealGlobals({ ownKeys, getOwnPropertyDescriptor, defineProperty }) {
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
	return globals;
}

/** Freezes everything that can be reached from these objects: values, accessors and prototypes. */
function freezeReachable({ samples, getPrototypeOf, getOwnPropertyDescriptor, ownKeys, freeze, isReference }, roots) {
	const seen = new Set();
	const pending = [...roots, ...samples.map(getPrototypeOf)];
	const iterators = [[].values(), ""[Symbol.iterator](), new Map().entries(), new Set().values(), "".matchAll(/a/g), samples[1](), samples[3]()];
	if (typeof Iterator === "function" && Iterator.from)
		iterators.push(
			[].values().map((x) => x),
			Iterator.from({ next: () => ({ done: true }) }),
		);
	for (const iterator of iterators) pending.push(getPrototypeOf(iterator));
	while (pending.length > 0) {
		const value = pending.pop();
		if (seen.has(value)) continue;
		seen.add(value);
		freeze(value);
		const parent = getPrototypeOf(value);
		if (isReference(parent)) pending.push(parent);
		for (const key of ownKeys(value)) {
			const property = getOwnPropertyDescriptor(value, key);
			for (const part of [property.value, property.get, property.set]) if (isReference(part)) pending.push(part);
		}
	}
}

/** What the host calls. Answers are texts whose first letter says what they are: v value, t thrown, i invalid, p a promise. */
function createDriver(intrinsics, globals, setSources) {
	const { parse, stringify, freeze, keys, hasOwn, assign, apply, whenSettled, toText, functionToString, cut, contains, isReference, RealPromise } = intrinsics;
	let data = {};
	let settled = null;
	// Values by the id that the host gave them; no prototype, so that an id is never an inherited name.
	const held = Object.create(null);
	const deepFreeze = (value) => {
		if (!isReference(value)) return value;
		for (const key of keys(value)) deepFreeze(value[key]);
		return freeze(value);
	};
	const describeError = (error) => {
		try {
			return cut(isReference(error) && "message" in error ? `${toText(error.name)}: ${toText(error.message)}` : toText(error), 500);
		} catch {
			return "Error: what was thrown cannot be read";
		}
	};
	const answer = (value) => {
		if (value === undefined || typeof value === "function" || typeof value === "symbol") return `irun must return a JSON value; it returned ${typeof value}.`;
		try {
			const text = stringify(value);
			return text === undefined ? "iThe returned value cannot be written as JSON." : `v${text}`;
		} catch (error) {
			const message = describeError(error);
			return contains(message, "memory") ? `t${message}` : `iThe returned value cannot be written as JSON. ${message}`;
		}
	};
	const keep = (kind) => (value) => {
		settled = { kind, value };
	};
	return freeze({
		globals,
		setData(json) {
			data = deepFreeze(parse(json));
		},
		/** Keeps a frozen value under an id, for the inputs that name it. */
		hold(id, json) {
			held[id] = deepFreeze(parse(json));
		},
		/** Whether a value is the one function that a text is, from its first character to its last: the engine's own word for it. */
		isWhole: (value, text) => typeof value === "function" && apply(functionToString, value, []) === text,
		drop(id) {
			delete held[id];
		},
		call(instance, json, shared, seed, atMs, freezeInput) {
			setSources(seed, atMs);
			settled = null;
			try {
				const given = parse(json);
				const input = assign({}, data, freezeInput ? deepFreeze(given) : given);
				const names = parse(shared);
				for (let i = 0; i < names.length; i += 2) input[names[i]] = held[names[i + 1]];
				const result = instance.run(freezeInput ? freeze(input) : input);
				if (!(result instanceof RealPromise)) return answer(result);
				apply(whenSettled, result, [keep("value"), keep("error")]);
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

function lockdown() {
	const globalObject = globalThis;
	const intrinsics = captureIntrinsics();
	const setSources = replaceSources(intrinsics);
	removeEscapes(intrinsics);
	defineOutcomes(intrinsics);
	allowOverrides(intrinsics);
	const globals = sealGlobals(intrinsics);
	const driver = createDriver(intrinsics, globals, setSources);
	freezeReachable(intrinsics, [globals, globalObject, intrinsics.RealDate]);
	return driver;
}

const parts = [captureIntrinsics, replaceSources, removeEscapes, defineOutcomes, allowOverrides, sealGlobals, freezeReachable, createDriver, lockdown];

/** An expression for QuickJS whose value is the driver. */
export const lockdownSource = `(() => { "use strict";\n${parts.map(String).join("\n")}\nreturn lockdown(); })()`;
