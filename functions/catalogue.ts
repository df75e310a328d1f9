import type { Endpoint } from "../shared/endpoint/define.ts";
import results from "./aggregation/results.ts";
import status from "./aggregation/status.ts";
import submit from "./aggregation/submit.ts";
import login from "./auth/login.ts";
import openapiData from "./docs/openapi-data.ts";
import openapiUsers from "./docs/openapi-users.ts";

/** All HTTP endpoints. The router, OpenAPI, functions.json and the common denial tests derive from this list. */
export const catalogue: readonly Endpoint[] = [login, submit, status, results, openapiUsers, openapiData];
