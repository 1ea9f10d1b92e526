import type { Persona, Role } from "./contract";

/** People to look around with: loopback and embedded database only, entered with the token that `npm start` prints. */
export const demoPeople: Record<Persona, { id: string; name: string; email: string; roles: Role[] }> = {
	operator: { id: "demo-operator", name: "林晓 Lin Xiao", email: "lin.xiao@demo.invalid", roles: ["operator"] },
	reviewer: { id: "demo-reviewer", name: "周敏 Zhou Min", email: "zhou.min@demo.invalid", roles: ["reviewer"] },
	viewer: { id: "demo-viewer", name: "Daniel Okafor", email: "daniel.okafor@demo.invalid", roles: ["viewer"] },
	admin: { id: "demo-admin", name: "Maya Iyer", email: "maya.iyer@demo.invalid", roles: ["admin"] },
};
