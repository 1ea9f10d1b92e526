export { createJobQueue } from "./create-job-queue";
