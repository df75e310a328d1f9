import { expect, it } from "vitest";
import { prunedProtos } from "./protos.ts";

const message = (fields: Record<string, string>, nested: object = {}) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, type], index) => [name, { type, id: index + 1, options: { "(note)": 1 } }]),
  ),
  ...nested,
});

const descriptors = {
  nested: {
    shop: {
      options: { java_package: "shop" },
      nested: {
        Shop: {
          methods: {
            Buy: { requestType: "Order", responseType: "google.Empty", options: { "(http)": "/buy" }, parsedOptions: [] },
            Sell: { requestType: "Offer", responseType: "google.Empty" },
          },
        },
        Order: message({ item: "Item", count: "int32" }, { nested: { Item: message({ size: "Size" }) } }),
        Size: { values: { SMALL: 0, LARGE: 1 } },
        Item: message({ other: "string" }),
        Offer: message({ size: "Size" }),
      },
    },
    google: { nested: { Empty: { fields: {} }, Unused: { fields: {} } } },
  },
};

it("keeps the called methods and their messages, resolves names to the innermost type, and drops annotations", () => {
  const field = (type: string, id: number) => ({ type, id });
  expect(JSON.parse(prunedProtos(JSON.stringify(descriptors), { service: "shop.Shop", methods: ["Buy"] }))).toEqual({
    nested: {
      shop: {
        nested: {
          Shop: { methods: { Buy: { requestType: "Order", responseType: "google.Empty" } } },
          Order: { fields: { item: field("Item", 1), count: field("int32", 2) }, nested: { Item: { fields: { size: field("Size", 1) } } } },
          Size: { values: { SMALL: 0, LARGE: 1 } },
        },
      },
      google: { nested: { Empty: { fields: {} } } },
    },
  });
});

it("throws for an unknown service or method", () => {
  expect(() => prunedProtos(JSON.stringify(descriptors), { service: "shop.Store", methods: [] })).toThrow("There is no service shop.Store");
  expect(() => prunedProtos(JSON.stringify(descriptors), { service: "shop.Shop", methods: ["Buy", "Lend"] })).toThrow("lacks some of");
});
