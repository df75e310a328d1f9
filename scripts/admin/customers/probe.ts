import { openTokens } from "../../../shared/accounts/access-tokens.ts";
import type { PlacedCustomer } from "../../../shared/accounts/accounts-project.ts";
import { PROFILES } from "../../../shared/accounts/key-grants.ts";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import type { Session } from "../session.ts";

/**
 * Returns why a customer's tokens do not work yet, or undefined if they do: its service accounts exist and are enabled, a token of each can
 * be minted, and the storage token opens its folder. Locally only the accounts are checked: their access follows from their names.
 */
export async function probe({ place, config, serviceAccounts }: Session, customer: PlacedCustomer): Promise<string | undefined> {
  const { uid } = customer;
  const missing = await serviceAccounts.missing(customer);
  if (missing.length > 0)
    return `${missing.join(" and ")} do${missing.length === 1 ? "es" : ""} not exist or ${missing.length === 1 ? "is" : "are"} disabled`;
  if (place.kind === "local") return undefined;
  const tokens = openTokens(config);
  const storage = config.addresses.storage ?? "https://storage.googleapis.com";
  for (const profile of PROFILES) {
    try {
      const { accessToken } = await tokens.mint(customer, profile);
      if (profile !== "storage") continue;
      const folder = new URLSearchParams({ prefix: `results/${uid}/`, maxResults: "1" });
      const headers = { authorization: `Bearer ${accessToken}` };
      const listed = await fetch(`${storage}/storage/v1/b/${config.exportBucket}/o?${folder}`, { headers });
      if (!listed.ok) return `its storage token does not open results/${uid}/ of ${config.exportBucket}: ${listed.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : "";
      return `its ${profile} token cannot be minted: ${messageOf(error)}${cause}`;
    }
  }
  return undefined;
}
