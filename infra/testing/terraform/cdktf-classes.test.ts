import { expect, it } from "vitest";
import { describe as describeResource } from "./cdktf-classes.ts";

/** A file in the form in which CDKTF writes one: a resource with one block, and a list that only the provider knows. */
const TEXT = `
export function thingRuleToHclTerraform(struct?: ThingRule): any {
  const attrs = {
    ages: {
      value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(struct!.ages),
      isBlock: false,
      type: "set",
      storageClassType: "stringList",
    },
  };
}

export class ThingRuleOutputReference extends cdktf.ComplexObject {
  // ages - computed: false, optional: false, required: true
  private _ages?: string[];
  public get ages() {
    return cdktf.Fn.tolist(this.getListAttribute('ages'));
  }
}
export class ThingTimeoutsOutputReference extends cdktf.ComplexObject {
  // create - computed: false, optional: true, required: false
  private _create?: string;
  public get create() {
    return this.getStringAttribute('create');
  }
}
export class ThingStateOutputReference extends cdktf.ComplexObject {
  // changed_at - computed: true, optional: false, required: false
  public get changedAt() {
    return this.getNumberAttribute('changed_at');
  }
}
export class Thing extends cdktf.TerraformResource {
  public static readonly tfResourceType = "example_thing";

  // name - computed: false, optional: false, required: true
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }

  // labels - computed: true, optional: true, required: false
  private _labels?: { [key: string]: string };
  public get labels() {
    return this.getStringMapAttribute('labels');
  }

  // enabled - computed: false, optional: true, required: false
  private _enabled?: boolean | cdktf.IResolvable;
  public get enabled() {
    return this.getBooleanAttribute('enabled');
  }

  // state - computed: true, optional: false, required: false
  private _state = new ThingStateList(this, "state", false);
  public get state() {
    return this._state;
  }

  // rule - computed: false, optional: false, required: true
  private _rule = new ThingRuleList(this, "rule", false);
  public get rule() {
    return this._rule;
  }

  // one_rule - computed: false, optional: true, required: false
  private _oneRule = new ThingRuleOutputReference(this, "one_rule");
  public get oneRule() {
    return this._oneRule;
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new ThingTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      one_rule: {
        value: thingRuleToHclTerraform(this._oneRule.internalValue),
        isBlock: true,
        type: "set",
        storageClassType: "ThingRuleList",
      },
    };
  }
}
`;

const NONE = { required: false, optional: false, computed: false };
const rule = { attributes: [{ ...NONE, name: "ages", type: ["set", "string"], required: true }], blocks: [] };

it("a resource's arguments, its blocks and what only the provider knows are read from CDKTF's classes", () => {
  expect(describeResource(TEXT)).toEqual({
    kind: "resource",
    type: "example_thing",
    block: {
      attributes: [
        { ...NONE, name: "name", type: "string", required: true },
        { ...NONE, name: "labels", type: ["map", "string"], optional: true, computed: true },
        { ...NONE, name: "enabled", type: "bool", optional: true },
        { ...NONE, name: "state", type: ["list", ["object", { changed_at: "number" }]], computed: true },
      ],
      blocks: [
        { name: "rule", nesting: "LIST", min: 1, max: 0, block: rule },
        { name: "one_rule", nesting: "SET", min: 0, max: 1, block: rule },
        {
          name: "timeouts",
          nesting: "SINGLE",
          min: 0,
          max: 0,
          block: { attributes: [{ ...NONE, name: "create", type: "string", optional: true }], blocks: [] },
        },
      ],
    },
  });
});

it("a type that is not known is an error, not a guess", () => {
  expect(() =>
    describeResource(TEXT.replace("private _name?: string;", "private _name?: Date;").replace("getStringAttribute('name')", "name")),
  ).toThrow("Thing.name has a type that is not known");
});

it("a file without a resource describes none", () => {
  expect(describeResource("export * as thing from './thing';")).toBeUndefined();
});
