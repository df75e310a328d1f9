import { type Fields, fields } from "../json.ts";
import { type Kind, paths } from "../kinds.ts";

const SHARING = "analyticshub.googleapis.com";

/** BigQuery sharing, and the quotas that a project asks for. */
export const sharing: readonly Kind[] = [
  {
    host: SHARING,
    path: paths("projects/*/locations/*/dataExchanges/*"),
    id: ({ query }) => query.get("dataExchangeId") ?? query.get("data_exchange_id") ?? "",
  },
  {
    host: SHARING,
    path: paths("projects/*/locations/*/dataExchanges/*/listings/*"),
    id: ({ query }) => query.get("listingId") ?? query.get("listing_id") ?? "",
    shown: (listing) => ({ state: "ACTIVE", ...listing }),
  },
  {
    host: "cloudquotas.googleapis.com",
    path: paths("projects/*/locations/global/quotaPreferences/*"),
    id: ({ query }) => query.get("quotaPreferenceId") ?? "",
    shown: (preference) => ({ ...preference, quotaConfig: granted(fields(preference.quotaConfig)) }),
  },
];

/** What is asked for is granted. */
function granted(config: Fields): Fields {
  return { ...config, grantedValue: config.preferredValue };
}
