// The views of `infra/warehouse/customer` and Terraform's customers have the same names.

/** Returns the name of a customer's personal dataset, which it queries in the provider's project (scenario B). */
export function personalDatasetName(uid: string): string {
  return `customer_${uid}`;
}

/** Returns the name of the EU dataset behind a customer's listing in the data-sharing hub, and of that listing (scenario A). */
export function listedDatasetName(uid: string): string {
  return `customer_${uid}_eu`;
}
