"use client";

import dynamic from "next/dynamic";
// With the page, not with the editor: a pointer may come to rest while the editor is on its way.
import "./last-pointer";
import { EditorSkeleton } from "./editor-skeleton";

/** A harness file in Monaco, with the validator's markers, quick fixes, completion and hover. Fills its parent. */
export const MonacoEditor = dynamic(() => import("./editor-pane"), { ssr: false, loading: EditorSkeleton });

/** Two texts side by side (inline where it is narrow), with threads below their lines. Fills its parent. */
export const MonacoDiff = dynamic(() => import("./diff-pane"), { ssr: false, loading: EditorSkeleton });
