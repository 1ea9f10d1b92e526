/** What a list shows: kept in the URL, so that a link shows the same rows to the one who opens it. */
export interface TableState {
	/** Free text. */
	q: string;
	/** Column id, with a leading "-" when descending; empty = the list's own order. */
	sort: string;
	/** From 1. */
	page: number;
}

export interface SortableColumn<T> {
	id: string;
	/** What to sort by; a column without it is not sortable. */
	sortValue?: (row: T) => string | number | null;
	/** What the free-text filter reads. */
	text?: (row: T) => string;
}

export interface TablePage<T> {
	rows: T[];
	/** After the filter. */
	total: number;
	page: number;
	pages: number;
}

/** The next sort when a heading is pressed: ascending, descending, the list's own order. */
export function nextSort(current: string, column: string): string {
	if (current === column) return `-${column}`;
	return current === `-${column}` ? "" : column;
}

function compare(a: string | number | null, b: string | number | null): number {
	if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
	if (typeof a === "number" && typeof b === "number") return a - b;
	return String(a).localeCompare(String(b), undefined, { numeric: true });
}

/** Filters, sorts (stable, unknown values last in either direction) and cuts a page; a page past the end becomes the last one. */
export function applyTableState<T>(all: readonly T[], columns: readonly SortableColumn<T>[], state: TableState, pageSize: number): TablePage<T> {
	const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
	const readable = columns.filter((column) => column.text);
	const found = words.length
		? all.filter((row) => {
				const text = readable
					.map((column) => column.text?.(row) ?? "")
					.join("\n")
					.toLowerCase();
				return words.every((word) => text.includes(word));
			})
		: [...all];
	const descending = state.sort.startsWith("-");
	const by = columns.find((column) => column.id === state.sort.replace(/^-/, ""))?.sortValue;
	if (by) {
		found.sort((left, right) => {
			const a = by(left);
			const b = by(right);
			return a === null || b === null || !descending ? compare(a, b) : compare(b, a);
		});
	}
	const pages = Math.max(1, Math.ceil(found.length / pageSize));
	const page = Math.min(Math.max(1, Math.floor(state.page) || 1), pages);
	return { rows: found.slice((page - 1) * pageSize, page * pageSize), total: found.length, page, pages };
}
