-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "TryRun" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "treeId" TEXT NOT NULL,
    "policyVersionId" TEXT NOT NULL,
    "policyName" TEXT NOT NULL,
    "bundleId" TEXT,
    "input" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "steps" JSONB NOT NULL DEFAULT '[]',
    "trajectory" JSONB,
    "error" JSONB,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "TryRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AugmentationEnvelope" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AugmentationEnvelope_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AugmentationRewriting" (
    "key" TEXT NOT NULL,
    "ways" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AugmentationRewriting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "role" TEXT,
    "banned" BOOLEAN,
    "banReason" TEXT,
    "banExpires" TIMESTAMP(3),
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "token" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "userId" TEXT NOT NULL,
    "impersonatedBy" TEXT,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" TIMESTAMP(3),
    "refreshTokenExpiresAt" TIMESTAMP(3),
    "scope" TEXT,
    "password" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "lastRequest" BIGINT NOT NULL,

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "roles" TEXT[],
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId","workspaceId")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Suite" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "title" JSONB NOT NULL,
    "standing" TEXT NOT NULL DEFAULT 'critical',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Suite_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SuiteVersion" (
    "id" TEXT NOT NULL,
    "suiteId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "note" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SuiteVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Case" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "split" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdById" TEXT,

    CONSTRAINT "Case_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SuiteVersionCase" (
    "suiteVersionId" TEXT NOT NULL,
    "caseId" TEXT NOT NULL,

    CONSTRAINT "SuiteVersionCase_pkey" PRIMARY KEY ("suiteVersionId","caseId")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "suiteVersionId" TEXT NOT NULL,
    "suiteKey" TEXT NOT NULL,
    "split" TEXT NOT NULL,
    "treeId" TEXT NOT NULL,
    "commit" TEXT,
    "policyVersionId" TEXT NOT NULL,
    "judgeVersionId" TEXT NOT NULL,
    "bundleId" TEXT,
    "trials" INTEGER NOT NULL,
    "seed" INTEGER NOT NULL,
    "useCache" BOOLEAN NOT NULL DEFAULT true,
    "variants" JSONB,
    "variantKey" TEXT NOT NULL DEFAULT '',
    "partial" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "requestedById" TEXT NOT NULL,
    "planned" INTEGER NOT NULL,
    "valid" INTEGER NOT NULL DEFAULT 0,
    "infraErrors" INTEGER NOT NULL DEFAULT 0,
    "estimate" JSONB,
    "summary" JSONB,
    "error" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunChunk" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "caseIds" TEXT[],
    "status" TEXT NOT NULL,
    "owner" TEXT,
    "leaseUntil" TIMESTAMP(3),
    "attempt" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "RunChunk_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Episode" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "caseId" TEXT NOT NULL,
    "caseKey" TEXT NOT NULL DEFAULT '',
    "trial" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "accuracy" INTEGER,
    "effectiveness" DOUBLE PRECISION,
    "skillSelection" DOUBLE PRECISION,
    "toolRationality" DOUBLE PRECISION,
    "hookRetries" INTEGER NOT NULL DEFAULT 0,
    "recovered" BOOLEAN,
    "limitsKept" BOOLEAN,
    "latencyMs" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "promptTokens" INTEGER NOT NULL DEFAULT 0,
    "completionTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningToolTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningReplyTokens" INTEGER NOT NULL DEFAULT 0,
    "judgeTokens" INTEGER NOT NULL DEFAULT 0,
    "modelCalls" INTEGER NOT NULL DEFAULT 0,
    "cachedCalls" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT NOT NULL DEFAULT '',
    "reply" TEXT,
    "skills" TEXT[],
    "tools" TEXT[],
    "faults" TEXT[],
    "failureType" TEXT,
    "blamed" TEXT,
    "error" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Episode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EpisodeRecord" (
    "episodeId" TEXT NOT NULL,
    "trajectory" JSONB NOT NULL,
    "verdict" JSONB,

    CONSTRAINT "EpisodeRecord_pkey" PRIMARY KEY ("episodeId")
);

-- CreateTable
CREATE TABLE "Evolution" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "branch" TEXT NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "patience" INTEGER NOT NULL DEFAULT 2,
    "policyVersionId" TEXT NOT NULL,
    "judgeVersionId" TEXT NOT NULL,
    "suiteVersionId" TEXT NOT NULL,
    "trials" INTEGER NOT NULL DEFAULT 1,
    "seed" INTEGER NOT NULL DEFAULT 1,
    "stopReason" JSONB,
    "stoppedAt" TIMESTAMP(3),
    "stoppedAfter" INTEGER,
    "reopenings" JSONB NOT NULL DEFAULT '[]',
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "Evolution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Round" (
    "id" TEXT NOT NULL,
    "evolutionId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "headCommit" TEXT,
    "treeId" TEXT,
    "devRunId" TEXT,
    "testRunId" TEXT,
    "regressionRunIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "variantRunIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "standing" JSONB,
    "closedById" TEXT,
    "unattended" BOOLEAN NOT NULL DEFAULT false,
    "openedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "Round_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Finding" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "evolutionId" TEXT NOT NULL,
    "roundId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "taskId" TEXT,
    "category" TEXT NOT NULL,
    "failureType" TEXT NOT NULL,
    "component" TEXT,
    "title" TEXT NOT NULL,
    "hypothesis" TEXT NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "engine" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "share" DOUBLE PRECISION NOT NULL,
    "caseIds" TEXT[],
    "episodeIds" TEXT[],
    "evidence" JSONB NOT NULL DEFAULT '{}',
    "note" TEXT,
    "decidedById" TEXT,
    "decidedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Proposal" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "evolutionId" TEXT NOT NULL,
    "roundId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "branch" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "findingIds" TEXT[],
    "authorIds" TEXT[],
    "requestedById" TEXT NOT NULL,
    "taskId" TEXT,
    "conflict" JSONB,
    "landedCommit" TEXT,
    "landedById" TEXT,
    "landedAt" TIMESTAMP(3),
    "unattended" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Proposal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" TEXT NOT NULL,
    "proposalId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "treeId" TEXT NOT NULL,
    "authorId" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "manifest" JSONB NOT NULL,
    "devRunId" TEXT,
    "baseRunId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT NOT NULL,
    "proposalId" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "phrases" JSONB NOT NULL DEFAULT '{}',
    "unattended" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReviewComment" (
    "id" TEXT NOT NULL,
    "proposalId" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "parentId" TEXT,
    "path" TEXT,
    "line" INTEGER,
    "side" TEXT,
    "body" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "resolvedAt" TIMESTAMP(3),
    "resolvedById" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReviewComment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EvolutionTask" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "evolutionId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "result" JSONB,
    "engine" TEXT,
    "notice" TEXT,
    "error" TEXT,
    "unattended" BOOLEAN NOT NULL DEFAULT false,
    "requestedById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "EvolutionTask_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GatePolicy" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "createdById" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GatePolicy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AlarmAcknowledgement" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "baseRunId" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AlarmAcknowledgement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HarnessRepository" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "remoteUrl" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HarnessRepository_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HarnessSnapshot" (
    "treeId" TEXT NOT NULL,
    "files" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HarnessSnapshot_pkey" PRIMARY KEY ("treeId")
);

-- CreateTable
CREATE TABLE "HarnessDraft" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "branch" TEXT NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "proposalId" TEXT,
    "discardedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "HarnessDraft_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Endpoint" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "baseUrl" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "sealedKey" TEXT,
    "keyEnv" TEXT,
    "extraBody" JSONB NOT NULL DEFAULT '{}',
    "limits" JSONB NOT NULL DEFAULT '{}',
    "allowPrivate" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EndpointRole" (
    "workspaceId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "endpointId" TEXT NOT NULL,

    CONSTRAINT "EndpointRole_pkey" PRIMARY KEY ("workspaceId","role")
);

-- CreateTable
CREATE TABLE "ResponseCache" (
    "fingerprint" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "response" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ResponseCache_pkey" PRIMARY KEY ("fingerprint","requestHash")
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sealedHeaders" TEXT,
    "allowPrivate" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PolicyVersion" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "endpointId" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "fingerprint" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PolicyVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JudgeVersion" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "treeId" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "endpointId" TEXT,
    "fingerprint" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "JudgeVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Release" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mainBefore" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "commit" TEXT NOT NULL,
    "treeId" TEXT NOT NULL,
    "evolutionId" TEXT,
    "roundId" TEXT,
    "previousId" TEXT,
    "restored" TEXT,
    "policyVersionId" TEXT NOT NULL,
    "policyBeforeId" TEXT NOT NULL,
    "judgeVersionId" TEXT NOT NULL,
    "gatePolicyVersion" INTEGER NOT NULL,
    "runIds" TEXT[],
    "gate" JSONB NOT NULL,
    "override" JSONB,
    "notes" TEXT NOT NULL,
    "phrases" JSONB NOT NULL DEFAULT '{}',
    "unattended" BOOLEAN NOT NULL DEFAULT false,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Release_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GateOverride" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "roundId" TEXT NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "gate" JSONB NOT NULL,
    "userId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GateOverride_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HoldoutReading" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "evolutionId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "commit" TEXT NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "runIds" TEXT[],
    "result" JSONB,
    "readById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HoldoutReading_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Training" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "activeKey" TEXT,
    "recipe" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "options" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL,
    "source" JSONB NOT NULL,
    "settings" JSONB NOT NULL,
    "card" JSONB,
    "error" JSONB,
    "progress" JSONB,
    "state" BYTEA,
    "checkpointId" TEXT,
    "policyVersionId" TEXT,
    "requestedById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Training_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TrainingPoint" (
    "trainingId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "record" JSONB NOT NULL,

    CONSTRAINT "TrainingPoint_pkey" PRIMARY KEY ("trainingId","position")
);

-- CreateTable
CREATE TABLE "Checkpoint" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Checkpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RetrainingAdvice" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "advice" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RetrainingAdvice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Ablation" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "activeKey" TEXT,
    "origin" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "result" JSONB,
    "error" JSONB,
    "requestedById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Ablation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AblationPart" (
    "ablationId" TEXT NOT NULL,
    "part" TEXT NOT NULL,
    "share" JSONB NOT NULL,

    CONSTRAINT "AblationPart_pkey" PRIMARY KEY ("ablationId","part")
);

-- CreateTable
CREATE TABLE "Trigger" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "key" TEXT,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "content" JSONB NOT NULL,
    "sealedSecret" TEXT,
    "dueAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "updatedBy" TEXT,
    "deletedAt" TIMESTAMP(3),

    CONSTRAINT "Trigger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TriggerVersion" (
    "triggerId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "content" JSONB NOT NULL,
    "byId" TEXT NOT NULL,
    "byName" TEXT NOT NULL,
    "reason" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TriggerVersion_pkey" PRIMARY KEY ("triggerId","version")
);

-- CreateTable
CREATE TABLE "TriggerFiring" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "triggerId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "eventKey" TEXT NOT NULL,
    "outboxId" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "eventAt" TIMESTAMP(3) NOT NULL,
    "decision" TEXT NOT NULL,
    "why" JSONB NOT NULL,
    "inputs" JSONB NOT NULL,
    "subject" JSONB NOT NULL,
    "chain" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "outcome" TEXT NOT NULL,
    "result" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "repeats" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "TriggerFiring_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TriggerEffect" (
    "kind" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "firingId" TEXT NOT NULL,

    CONSTRAINT "TriggerEffect_pkey" PRIMARY KEY ("kind","subjectId")
);

-- CreateTable
CREATE TABLE "RetrainingProposal" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "pendingKey" TEXT,
    "triggerId" TEXT NOT NULL,
    "triggerName" TEXT NOT NULL,
    "firingId" TEXT NOT NULL,
    "recipe" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "options" JSONB NOT NULL DEFAULT '{}',
    "event" TEXT NOT NULL,
    "eventAt" TIMESTAMP(3) NOT NULL,
    "facts" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "note" TEXT,
    "decidedById" TEXT,
    "decidedByName" TEXT,
    "decidedAt" TIMESTAMP(3),
    "trainingId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RetrainingProposal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "firingId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "allowPrivate" BOOLEAN NOT NULL,
    "sealedSecret" TEXT,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "answered" INTEGER,
    "error" JSONB,
    "nextAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "title" JSONB NOT NULL,
    "language" TEXT NOT NULL,
    "measure" TEXT NOT NULL,
    "categories" JSONB NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "bundleId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkspaceBundle" (
    "id" TEXT NOT NULL,
    "files" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkspaceBundle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Counter" (
    "workspaceId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "value" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Counter_pkey" PRIMARY KEY ("workspaceId","kind")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT NOT NULL,
    "workspaceId" TEXT,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actorId" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OutboxEvent" (
    "id" BIGSERIAL NOT NULL,
    "workspaceId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deliveredAt" TIMESTAMP(3),

    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "TryRun_workspaceId_userId_source_createdAt_idx" ON "TryRun"("workspaceId", "userId", "source", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "AugmentationEnvelope_workspaceId_version_key" ON "AugmentationEnvelope"("workspaceId", "version");

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Session_token_key" ON "Session"("token");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Account_userId_idx" ON "Account"("userId");

-- CreateIndex
CREATE INDEX "Verification_identifier_idx" ON "Verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "RateLimit_key_key" ON "RateLimit"("key");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE INDEX "ApiToken_workspaceId_idx" ON "ApiToken"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "Suite_workspaceId_key_key" ON "Suite"("workspaceId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "SuiteVersion_suiteId_version_key" ON "SuiteVersion"("suiteId", "version");

-- CreateIndex
CREATE INDEX "Case_workspaceId_split_category_idx" ON "Case"("workspaceId", "split", "category");

-- CreateIndex
CREATE INDEX "Case_workspaceId_key_idx" ON "Case"("workspaceId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Case_workspaceId_hash_key" ON "Case"("workspaceId", "hash");

-- CreateIndex
CREATE INDEX "SuiteVersionCase_caseId_idx" ON "SuiteVersionCase"("caseId");

-- CreateIndex
CREATE INDEX "Run_workspaceId_createdAt_idx" ON "Run"("workspaceId", "createdAt");

-- CreateIndex
CREATE INDEX "Run_treeId_suiteVersionId_split_idx" ON "Run"("treeId", "suiteVersionId", "split");

-- CreateIndex
CREATE UNIQUE INDEX "Run_workspaceId_number_key" ON "Run"("workspaceId", "number");

-- CreateIndex
CREATE INDEX "RunChunk_status_leaseUntil_idx" ON "RunChunk"("status", "leaseUntil");

-- CreateIndex
CREATE UNIQUE INDEX "RunChunk_runId_index_key" ON "RunChunk"("runId", "index");

-- CreateIndex
CREATE INDEX "Episode_runId_category_idx" ON "Episode"("runId", "category");

-- CreateIndex
CREATE INDEX "Episode_caseId_idx" ON "Episode"("caseId");

-- CreateIndex
CREATE UNIQUE INDEX "Episode_runId_caseId_trial_key" ON "Episode"("runId", "caseId", "trial");

-- CreateIndex
CREATE UNIQUE INDEX "Evolution_workspaceId_slug_key" ON "Evolution"("workspaceId", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "Round_evolutionId_index_key" ON "Round"("evolutionId", "index");

-- CreateIndex
CREATE INDEX "Finding_evolutionId_status_idx" ON "Finding"("evolutionId", "status");

-- CreateIndex
CREATE UNIQUE INDEX "Proposal_taskId_key" ON "Proposal"("taskId");

-- CreateIndex
CREATE INDEX "Proposal_evolutionId_status_idx" ON "Proposal"("evolutionId", "status");

-- CreateIndex
CREATE UNIQUE INDEX "Proposal_workspaceId_number_key" ON "Proposal"("workspaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Revision_proposalId_index_key" ON "Revision"("proposalId", "index");

-- CreateIndex
CREATE INDEX "ReviewComment_proposalId_idx" ON "ReviewComment"("proposalId");

-- CreateIndex
CREATE INDEX "EvolutionTask_evolutionId_status_idx" ON "EvolutionTask"("evolutionId", "status");

-- CreateIndex
CREATE UNIQUE INDEX "GatePolicy_workspaceId_version_key" ON "GatePolicy"("workspaceId", "version");

-- CreateIndex
CREATE UNIQUE INDEX "AlarmAcknowledgement_runId_baseRunId_category_key" ON "AlarmAcknowledgement"("runId", "baseRunId", "category");

-- CreateIndex
CREATE UNIQUE INDEX "HarnessRepository_workspaceId_kind_key" ON "HarnessRepository"("workspaceId", "kind");

-- CreateIndex
CREATE INDEX "HarnessDraft_workspaceId_userId_idx" ON "HarnessDraft"("workspaceId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "Endpoint_workspaceId_name_key" ON "Endpoint"("workspaceId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Connection_workspaceId_name_key" ON "Connection"("workspaceId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "PolicyVersion_workspaceId_name_key" ON "PolicyVersion"("workspaceId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "JudgeVersion_workspaceId_name_key" ON "JudgeVersion"("workspaceId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "JudgeVersion_workspaceId_fingerprint_key" ON "JudgeVersion"("workspaceId", "fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "Release_workspaceId_number_key" ON "Release"("workspaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Release_workspaceId_tag_key" ON "Release"("workspaceId", "tag");

-- CreateIndex
CREATE UNIQUE INDEX "GateOverride_roundId_baseCommit_key" ON "GateOverride"("roundId", "baseCommit");

-- CreateIndex
CREATE UNIQUE INDEX "HoldoutReading_evolutionId_index_key" ON "HoldoutReading"("evolutionId", "index");

-- CreateIndex
CREATE UNIQUE INDEX "Training_activeKey_key" ON "Training"("activeKey");

-- CreateIndex
CREATE INDEX "Training_workspaceId_createdAt_idx" ON "Training"("workspaceId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Training_workspaceId_number_key" ON "Training"("workspaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Checkpoint_workspaceId_digest_key" ON "Checkpoint"("workspaceId", "digest");

-- CreateIndex
CREATE INDEX "RetrainingAdvice_workspaceId_createdAt_idx" ON "RetrainingAdvice"("workspaceId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "RetrainingAdvice_workspaceId_key_key" ON "RetrainingAdvice"("workspaceId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Ablation_activeKey_key" ON "Ablation"("activeKey");

-- CreateIndex
CREATE INDEX "Ablation_workspaceId_createdAt_idx" ON "Ablation"("workspaceId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Ablation_workspaceId_number_key" ON "Ablation"("workspaceId", "number");

-- CreateIndex
CREATE INDEX "Trigger_dueAt_idx" ON "Trigger"("dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "Trigger_workspaceId_key_key" ON "Trigger"("workspaceId", "key");

-- CreateIndex
CREATE INDEX "TriggerFiring_workspaceId_createdAt_idx" ON "TriggerFiring"("workspaceId", "createdAt");

-- CreateIndex
CREATE INDEX "TriggerFiring_triggerId_decision_createdAt_idx" ON "TriggerFiring"("triggerId", "decision", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "TriggerFiring_triggerId_eventKey_key" ON "TriggerFiring"("triggerId", "eventKey");

-- CreateIndex
CREATE UNIQUE INDEX "RetrainingProposal_pendingKey_key" ON "RetrainingProposal"("pendingKey");

-- CreateIndex
CREATE UNIQUE INDEX "RetrainingProposal_firingId_key" ON "RetrainingProposal"("firingId");

-- CreateIndex
CREATE INDEX "RetrainingProposal_workspaceId_createdAt_idx" ON "RetrainingProposal"("workspaceId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_firingId_key" ON "WebhookDelivery"("firingId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_workspaceId_createdAt_idx" ON "WebhookDelivery"("workspaceId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Workspace_slug_key" ON "Workspace"("slug");

-- CreateIndex
CREATE INDEX "AuditEntry_workspaceId_at_idx" ON "AuditEntry"("workspaceId", "at");

-- CreateIndex
CREATE INDEX "OutboxEvent_deliveredAt_id_idx" ON "OutboxEvent"("deliveredAt", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_workspaceId_createdAt_idx" ON "OutboxEvent"("workspaceId", "createdAt");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SuiteVersion" ADD CONSTRAINT "SuiteVersion_suiteId_fkey" FOREIGN KEY ("suiteId") REFERENCES "Suite"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SuiteVersionCase" ADD CONSTRAINT "SuiteVersionCase_suiteVersionId_fkey" FOREIGN KEY ("suiteVersionId") REFERENCES "SuiteVersion"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SuiteVersionCase" ADD CONSTRAINT "SuiteVersionCase_caseId_fkey" FOREIGN KEY ("caseId") REFERENCES "Case"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_suiteVersionId_fkey" FOREIGN KEY ("suiteVersionId") REFERENCES "SuiteVersion"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunChunk" ADD CONSTRAINT "RunChunk_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Episode" ADD CONSTRAINT "Episode_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EpisodeRecord" ADD CONSTRAINT "EpisodeRecord_episodeId_fkey" FOREIGN KEY ("episodeId") REFERENCES "Episode"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Round" ADD CONSTRAINT "Round_evolutionId_fkey" FOREIGN KEY ("evolutionId") REFERENCES "Evolution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Finding" ADD CONSTRAINT "Finding_evolutionId_fkey" FOREIGN KEY ("evolutionId") REFERENCES "Evolution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_evolutionId_fkey" FOREIGN KEY ("evolutionId") REFERENCES "Evolution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewComment" ADD CONSTRAINT "ReviewComment_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EvolutionTask" ADD CONSTRAINT "EvolutionTask_evolutionId_fkey" FOREIGN KEY ("evolutionId") REFERENCES "Evolution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AblationPart" ADD CONSTRAINT "AblationPart_ablationId_fkey" FOREIGN KEY ("ablationId") REFERENCES "Ablation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TriggerVersion" ADD CONSTRAINT "TriggerVersion_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES "Trigger"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TriggerFiring" ADD CONSTRAINT "TriggerFiring_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES "Trigger"("id") ON DELETE CASCADE ON UPDATE CASCADE;
