import type { ReactNode } from "react";
import { TrainingTabs } from "@/components/training/training-tabs";

export default function Layout({ children }: { children: ReactNode }) {
	return (
		<>
			<TrainingTabs />
			{children}
		</>
	);
}
