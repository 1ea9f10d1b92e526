export { EvolutionSkeleton as default } from "@/components/evolution/evolution-skeleton";
