import { fileURLToPath } from "node:url";
import { messageOf } from "../shared/runtime/error-message.ts";
import { checkFolders } from "./terraform/provider/check-folders.ts";
import { folderLines, summaryOf } from "./terraform/provider/report.ts";
import { hasTerraform } from "./terraform/terraform-binary.ts";
import { exitOnHelp, TERRAFORM_TEST_USAGE } from "./usage.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));

/** Runs `npm run terraform-test`. Returns whether there is a provider, or its schema, and nothing failed. */
async function main(): Promise<boolean> {
  exitOnHelp(TERRAFORM_TEST_USAGE, process.argv.slice(2));
  if (!hasTerraform()) throw new Error("terraform is not installed");
  const run = await checkFolders(
    PROJECT,
    () => true,
    (result) => console.log(folderLines(result).join("\n")),
  );
  const { passed, failed, lines } = summaryOf(run);
  console.log(["", ...lines, `${passed} passed, ${failed} failed`].join("\n"));
  return failed === 0 && passed > 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
