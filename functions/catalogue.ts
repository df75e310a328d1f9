import type { Endpoint } from "../shared/http/define-endpoint.ts";
import cancel from "./aggregation/cancel.ts";
import estimate from "./aggregation/estimate.ts";
import jobs from "./aggregation/jobs.ts";
import preview from "./aggregation/preview.ts";
import results from "./aggregation/results.ts";
import status from "./aggregation/status.ts";
import submit from "./aggregation/submit.ts";
import urls from "./aggregation/urls.ts";
import login from "./auth/login.ts";
import availability from "./availability/list.ts";
import listCountries from "./countries/list.ts";
import me from "./customers/me.ts";
import requestDataset from "./customers/request-dataset.ts";
import showDataset from "./customers/show-dataset.ts";
import openapiData from "./docs/openapi-data.ts";
import openapiUsers from "./docs/openapi-users.ts";
import pageData from "./docs/page-data.ts";
import pageUsers from "./docs/page-users.ts";
import findGeographies from "./geographies/find.ts";
import changeMachineAccount from "./machine-accounts/change.ts";
import createMachineAccount from "./machine-accounts/create.ts";
import listMachineAccounts from "./machine-accounts/list.ts";
import removeMachineAccount from "./machine-accounts/remove.ts";
import checkMap from "./maps/check.ts";
import createMap from "./maps/create.ts";
import deleteMap from "./maps/delete.ts";
import listMaps from "./maps/list.ts";
import listMonitoredMaps from "./maps/list-monitored.ts";
import showMap from "./maps/show.ts";
import updateMap from "./maps/update.ts";
import realtimeData from "./realtime/data.ts";
import realtimeHistory from "./realtime/history.ts";
import toggle from "./realtime/toggle.ts";

/** All HTTP endpoints. The router, OpenAPI, functions.json and the common denial tests derive from this list. */
export const catalogue: readonly Endpoint[] = [
  login,
  me,
  listMachineAccounts,
  createMachineAccount,
  changeMachineAccount,
  removeMachineAccount,
  requestDataset,
  showDataset,
  listMaps,
  listMonitoredMaps,
  createMap,
  checkMap,
  showMap,
  updateMap,
  deleteMap,
  openapiUsers,
  pageUsers,
  toggle,
  realtimeData,
  realtimeHistory,
  preview,
  submit,
  status,
  results,
  urls,
  jobs,
  cancel,
  estimate,
  availability,
  listCountries,
  findGeographies,
  openapiData,
  pageData,
];
