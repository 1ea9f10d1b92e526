import { HarnessPage } from "@/components/harness/harness-page";

export default function Page() {
	return <HarnessPage />;
}
