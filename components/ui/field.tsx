"use client";

import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import { cn } from "./cn";

interface FieldIds {
	id: string;
	describedBy: string | undefined;
	invalid: boolean;
	required: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

/** The attributes that tie a control to the Field around it; nothing outside of one. */
export function useFieldIds() {
	const field = use(FieldContext);
	if (!field) return {};
	return {
		id: field.id,
		"aria-describedby": field.describedBy,
		"aria-invalid": field.invalid || undefined,
		"aria-required": field.required || undefined,
	};
}

export interface FieldProps {
	label: ReactNode;
	hint?: ReactNode;
	/** The sentence that says what is wrong and how to mend it. */
	error?: ReactNode;
	required?: boolean;
	className?: string;
	children: ReactNode;
}

/** A label above one control, with a hint or an error below; Input, Textarea and Select inside take their ids from it. */
export function Field({ label, hint, error, required = false, className, children }: FieldProps) {
	const id = useId();
	const note = `${id}-note`;
	return (
		<FieldContext value={{ id, describedBy: hint || error ? note : undefined, invalid: Boolean(error), required }}>
			<div className={cn("grid gap-1", className)}>
				{/* The mark is for the eye: it is no part of the label, and `aria-required` says the same. */}
				<div className="text-12 text-ink-3">
					<label htmlFor={id}>{label}</label>
					{required && (
						<span aria-hidden className="ml-0.5 text-down">
							*
						</span>
					)}
				</div>
				{children}
				{(error || hint) && (
					<p id={note} className={cn("text-12", error ? "text-down" : "text-ink-3")} role={error ? "alert" : undefined}>
						{error || hint}
					</p>
				)}
			</div>
		</FieldContext>
	);
}

const control =
	"w-full rounded-4 border border-line-ctl bg-bg px-2 text-13 text-ink focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunk disabled:text-ink-3 aria-invalid:border-down max-md:text-16";

export function Input({ className, ...props }: ComponentProps<"input">) {
	return <input {...useFieldIds()} className={cn(control, "h-7 max-md:h-11", className)} {...props} />;
}

export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
	return <textarea {...useFieldIds()} rows={rows} className={cn(control, "block resize-y py-1", className)} {...props} />;
}

export interface SearchFieldProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "type"> {
	value: string;
	onValueChange: (value: string) => void;
	/** Its accessible name; also the placeholder unless one is given. */
	label: string;
	/** A key hint at the right end. */
	shortcut?: ReactNode;
}

/** A filter box that is cleared with Escape or its button. */
export function SearchField({ value, onValueChange, label, shortcut, className, placeholder, ...props }: SearchFieldProps) {
	const t = useTranslations("common");
	return (
		<span className={cn("relative flex items-center", className)}>
			<Search className="pointer-events-none absolute left-2 size-3.5 text-ink-3" aria-hidden />
			<input
				type="search"
				aria-label={label}
				placeholder={placeholder ?? label}
				value={value}
				onChange={(event) => onValueChange(event.target.value)}
				onKeyDown={(event) => {
					if (event.key === "Escape" && value) {
						event.stopPropagation();
						onValueChange("");
					}
				}}
				className={cn(control, "h-7 border-line-2 pr-7 pl-7 hover:border-line-ctl max-md:h-11 [&::-webkit-search-cancel-button]:hidden")}
				{...props}
			/>
			{value ? (
				<button
					type="button"
					aria-label={t("clear")}
					onClick={() => onValueChange("")}
					className="absolute right-1 grid size-5 place-items-center rounded-2 text-ink-3 hover:text-ink"
				>
					<X className="size-3" aria-hidden />
				</button>
			) : (
				shortcut && <span className="absolute right-1.5 max-md:hidden">{shortcut}</span>
			)}
		</span>
	);
}
