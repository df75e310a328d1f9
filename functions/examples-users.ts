import type { Examples } from "../shared/openapi/operation.ts";

const UID = "b3z77hs77sb2";
const MAP_ID = "yglEXBIE3GYCFNVEASMe";
const GEOMETRY = "POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))";
const OPEN = "POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44))";
const OPEN_FAULT = {
  pointer: "/geometry",
  detail: "ring 1 is not closed: point 4 must repeat point 1, 24.74 59.43",
  ...{ ring: 1, point: 4 },
};
const POLYGON = { name: "Old town", type: "custom_polygon", geometry: GEOMETRY };
const STANDARD = { name: "Two municipalities", type: "admin_level_2", ids: [784, 793] };
const SAVED = { id: MAP_ID, ...POLYGON, description: "", owner: `admin@${UID}`, is_monitored: false };
const SAVED_STANDARD = {
  id: "Q3Q2BEUJaNCqArmrav2a",
  ...STANDARD,
  description: "",
  country_code: "EST",
  owner: `admin@${UID}`,
  is_monitored: false,
};
const NEW_KEY = {
  keyLabel: "dashboards",
  service: "warehouse",
  apiKey: "5ed36d11c603fcf0b2f2adb3776cc0d0e8d81d3f719161e756bbd66acf9d6a49",
  serviceAccount: `warehouse-${UID}@demo-local.iam.gserviceaccount.com`,
  rotatedAt: "2026-11-22T17:43:38.354Z",
  expiresAt: null,
  rotated: false,
};

const ACCOUNT = {
  keyLabel: "admin",
  service: "warehouse",
  scopes: ["realtime"],
  createdAt: "2026-11-22T17:41:40.389Z",
  rotatedAt: "2026-11-22T17:41:40.389Z",
  lastUsedAt: "2026-11-22T17:43:37.861Z",
  lastUsedFrom: { address: "203.0.113.7", client: "python" },
  expiresAt: null,
  keyHint: "aa77b5",
};
const ME = {
  uid: UID,
  name: "Acme Mobility",
  ...{ keyLabel: "admin", service: "warehouse", scopes: ["realtime"] },
  ...{ countries: ["EST", "LAT", "NOR"], defaultCountry: "EST", machineAccountAdmin: true, expiresAt: null },
  allow: { scopes: ["realtime"], profiles: ["storage", "warehouse"] },
  limits: {
    runningJobs: 5,
    unfinishedJobs: 200,
    exportsPerDay: 500,
    maps: 1000,
    geometryBytes: 16777216,
    monitoredCells: 500_000,
    bytesPerDay: 200_000_000_000,
  },
  usage: { runningJobs: 0, unfinishedJobs: 0, exportsToday: 1, maps: 2, geometryBytes: 92, monitoredCells: 63, bytesToday: 31_457_280 },
  personalDataset: { state: "ready", dataset: `customer_${UID}` },
};

/** The examples of the Users API. */
export const usersExamples: Examples = {
  "auth-login": {
    bodies: { storage: { service: "storage" }, warehouse: { service: "warehouse" } },
    responses: {
      200: {
        token: { accessToken: "ya29.local-Uqswh3h0ThUyROuwUcDG0Wpy-tVb4Wtd", userId: UID, expireTime: "2026-11-22T18:43:38.000Z" },
      },
    },
  },
  "machine-accounts-list": {
    path: { uid: UID },
    responses: {
      200: {
        accounts: { machineAccounts: [ACCOUNT] },
      },
    },
  },
  "machine-accounts-create": {
    path: { uid: UID },
    bodies: { create: { keyLabel: "dashboards", service: "warehouse" }, rotate: { keyLabel: "dashboards" } },
    responses: { 201: { created: NEW_KEY }, 200: { rotated: { ...NEW_KEY, rotatedAt: "2026-11-22T17:50:02.118Z", rotated: true } } },
  },
  "machine-accounts-change": {
    path: { uid: UID, keyLabel: "dashboards" },
    bodies: { scopes: { scopes: ["realtime"] }, profile: { service: "warehouse" }, end: { expiresAt: null } },
    responses: { 200: { changed: { ...ACCOUNT, keyLabel: "dashboards", keyHint: "5ed36d" } } },
  },
  "machine-accounts-remove": {
    path: { uid: UID, keyLabel: "dashboards" },
    responses: { 200: { removed: { msg: "Machine account removed", keyLabel: "dashboards" } } },
  },
  "customers-me": { responses: { 200: { me: ME } } },
  "customers-request-dataset": { path: { uid: UID }, responses: { 200: { requested: { state: "requested", dataset: null } } } },
  "customers-show-dataset": { path: { uid: UID }, responses: { 200: { ready: ME.personalDataset } } },
  "maps-create": {
    bodies: { polygon: POLYGON, standard: STANDARD },
    responses: { 201: { polygon: { msg: "Map saved", ...SAVED }, standard: { msg: "Map saved", ...SAVED_STANDARD } } },
  },
  "maps-list": { query: { limit: 100 }, responses: { 200: { maps: { maps: [SAVED, SAVED_STANDARD], next_cursor: null } } } },
  "maps-list-monitored": { responses: { 200: { monitored: { count: 1, monitored_map_ids: [MAP_ID] } } } },
  "maps-show": { path: { id: MAP_ID }, responses: { 200: { polygon: SAVED } } },
  "maps-check": {
    bodies: { polygon: { type: "custom_polygon", geometry: GEOMETRY }, open: { type: "custom_polygon", geometry: OPEN } },
    responses: {
      200: {
        polygon: { area_km2: 1.263421, cells: 40, countries: ["EST"], errors: [] },
        open: { ...{ area_km2: null, cells: null, countries: [] }, errors: [OPEN_FAULT] },
      },
    },
  },
  "maps-update": {
    path: { id: MAP_ID },
    bodies: { rename: { name: "Tallinn, old town" } },
    responses: { 200: { renamed: { msg: "Map updated", ...SAVED, name: "Tallinn, old town" } } },
  },
  "maps-delete": { path: { id: MAP_ID }, responses: { 200: { deleted: { msg: "Map deleted", id: MAP_ID } } } },
  "docs-openapi-users": { responses: { 200: { document: { openapi: "3.1.1", info: { title: "Populus Users API", version: "0.1.0" } } } } },
  "docs-page-users": { responses: { 200: { page: "<!doctype html>" } } },
};
