export { type CompactPolicyConfig, createCompactPolicy } from "./policy";
