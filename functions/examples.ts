import type { Examples } from "../shared/openapi/operation.ts";
import { dataExamples } from "./examples-data.ts";
import { usersExamples } from "./examples-users.ts";

/** The examples of the OpenAPI documents, by endpoint: requests, and answers of the sample data. A test parses them with the schemas. */
export const examples: Examples = { ...usersExamples, ...dataExamples };
