import { afterAll, beforeAll } from "vitest";
import { auditSuite } from "./testing/audit-suite.ts";
import { cloudSuite } from "./testing/cloud-suite.ts";
import { customersSuite } from "./testing/customers-suite.ts";
import { databasesSuite } from "./testing/databases-suite.ts";
import { deletionSuite } from "./testing/deletion-suite.ts";
import { jobsSuite } from "./testing/jobs-suite.ts";
import { keysSuite } from "./testing/keys-suite.ts";
import { processSuite } from "./testing/process-suite.ts";
import { scopesSuite } from "./testing/scopes-suite.ts";
import { startServiceUnderTest, stopServiceUnderTest } from "./testing/service-under-test.ts";
import { suspensionSuite } from "./testing/suspension-suite.ts";
import { termsSuite } from "./testing/terms-suite.ts";

// All suites share one service: starting it takes longer than the tests.
beforeAll(startServiceUnderTest);
afterAll(stopServiceUnderTest);

customersSuite();
suspensionSuite();
keysSuite();
scopesSuite();
termsSuite();
jobsSuite();
deletionSuite();
databasesSuite();
auditSuite();
cloudSuite();
processSuite();
