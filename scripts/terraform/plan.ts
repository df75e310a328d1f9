import { resolve } from "node:path";
import { evaluateBody, evaluateWritten, known, listOf } from "./bodies.ts";
import { type Body, type Configuration, readConfiguration } from "./configuration.ts";
import { convert } from "./language/conversion.ts";
import { type Scope, withVariables } from "./language/evaluate.ts";
import { entriesOf, type Fields, isList, textOf, Unknown, type Value } from "./language/value.ts";

/** A planned resource: its address, its type, and its arguments with blocks as lists. */
export interface Instance {
  readonly address: string;
  readonly type: string;
  readonly arguments: Fields;
}

/** The plan of a Terraform folder, computed without a provider. Values that are known only after an apply are Unknown. */
export interface Plan {
  readonly outputs: Fields;
  readonly locals: Fields;
  /** Returns all resources, including those of modules. */
  readonly instances: () => Instance[];
  /** Returns the failed validations of variables, including those of modules. */
  readonly refusals: () => string[];
}

/** Meta-arguments of resources and modules, which are not part of the resource itself. */
const META = new Set(["for_each", "count", "depends_on", "lifecycle", "provider", "source", "version"]);

/** Plans a folder with variables. `workspace` is Terraform's workspace. Throws if Terraform would report an error. */
export async function plan(folder: string, variables: Fields, workspace = "default"): Promise<Plan> {
  return planModule({
    configuration: await readConfiguration(folder),
    address: "",
    given: (name) => variables[name],
    ...(await modulesOf(folder)),
    root: folder,
    workspace,
  });
}

interface Module {
  readonly configuration: Configuration;
  readonly address: string;
  readonly given: (variable: string) => Value | undefined;
  readonly configurations: ReadonlyMap<string, Configuration>;
  readonly root: string;
  readonly workspace: string;
}

/** Returns the configurations of a folder and all its modules, by folder. */
async function modulesOf(folder: string): Promise<{ configurations: ReadonlyMap<string, Configuration> }> {
  const found = new Map<string, Configuration>();
  const wanted = [folder];
  for (const next of wanted) {
    const configuration = await readConfiguration(next);
    found.set(next, configuration);
    wanted.push(...[...configuration.modules.values()].map((module) => sourceOf(module, next)).filter((one) => !found.has(one)));
  }
  return { configurations: found };
}

function sourceOf({ fields }: Body, folder: string): string {
  const source = fields.get("source");
  if (source === undefined || !("kind" in source) || source.kind !== "literal") throw new Error("A module has a source");
  return resolve(folder, String(source.value));
}

function planModule(module: Module): Plan {
  const { configuration, address } = module;
  const scope = scopeOf(module, (space, name) =>
    space === "module" ? asValue(children(name), ({ outputs }) => outputs) : unknownResource(`${space}.${name}`),
  );
  const children = memo((name: string): Instances<Plan> => {
    const body = known(configuration.modules.get(name), `module.${name}`);
    const folder = sourceOf(body, configuration.folder);
    return instancesOf(body, scope, `${address}module.${name}`, (inner, at) => {
      const next = known(module.configurations.get(folder), folder);
      const given = memo((variable: string) => {
        const value = body.fields.get(variable);
        return value && evaluateWritten(value, inner);
      });
      return planModule({ ...module, configuration: next, address: `${at}.`, given });
    });
  });
  const resources = memo((name: string): Instances<Instance> => {
    const body = known(configuration.resources.get(name), name);
    const [type = ""] = name.split(".");
    return instancesOf(body, scope, `${address}${name}`, (inner, at) => ({
      address: at,
      type,
      get arguments() {
        return evaluateBody(body, inner, META);
      },
    }));
  });
  /** Returns a resource's attributes that are known only after an apply, one value per instance. Data sources are all unknown. */
  const unknownResource = memo((name: string): Value => {
    if (!configuration.resources.has(name)) return new Unknown(`${address}${name}`);
    return asValue(resources(name), (one) => new Unknown(one.address));
  });
  const plans = () => [...configuration.modules.keys()].flatMap((name) => [...children(name).made.values()]);
  return {
    outputs: lazy([...configuration.outputs.keys()], (name) =>
      evaluateWritten(known(configuration.outputs.get(name)?.fields.get("value"), name), scope),
    ),
    locals: lazy([...configuration.locals.keys()], (name) => scope.lookUp("local", name)),
    instances: () => [
      ...[...configuration.resources.keys()].flatMap((name) => [...resources(name).made.values()]),
      ...plans().flatMap((one) => one.instances()),
    ],
    refusals: () => [...refusalsOf(configuration, scope, address), ...plans().flatMap((one) => one.refusals())],
  };
}

function asValue<One>({ isMany, made }: Instances<One>, of: (one: One) => Value): Value {
  const values = [...made].map(([key, one]): [string, Value] => [key, of(one)]);
  return isMany ? Object.fromEntries(values) : (values[0]?.[1] ?? null);
}

interface Instances<One> {
  readonly isMany: boolean;
  readonly made: ReadonlyMap<string, One>;
}

function instancesOf<One>(body: Body, scope: Scope, address: string, make: (scope: Scope, address: string) => One): Instances<One> {
  const each = body.fields.get("for_each");
  const counted = body.fields.get("count");
  if (counted !== undefined) {
    const count = Number(evaluateWritten(counted, scope));
    const made = Array.from({ length: count }, (_none, index): [string, One] => [
      String(index),
      make(withVariables(scope, { count: { index } }), `${address}[${index}]`),
    ]);
    return { isMany: true, made: new Map(made) };
  }
  if (each === undefined) return { isMany: false, made: new Map([["", make(scope, address)]]) };
  const over = evaluateWritten(each, scope);
  if (over instanceof Unknown) throw new Error(`${address}: for_each is not known before an apply: ${over.of}`);
  const elements = entriesOf(over).map(([key, value]): [string, Value] => [String(isList(over) ? value : key), value]);
  return {
    isMany: true,
    made: new Map(elements.map(([key, value]) => [key, make(withVariables(scope, { each: { key, value } }), `${address}["${key}"]`)])),
  };
}

function scopeOf(module: Module, made: (space: string, name: string) => Value): Scope {
  const { configuration, address, given, root, workspace } = module;
  const scope: Scope = {
    folder: configuration.folder,
    variables: new Map([
      ["path", { module: configuration.folder, root, cwd: root }],
      ["terraform", { workspace }],
    ]),
    lookUp: (space, name) => {
      if (space === "var") return variable(name);
      if (space === "local") return local(name);
      return made(space, name);
    },
  };
  const local = memo((name: string) => evaluateWritten(known(configuration.locals.get(name), `local.${name}`), scope));
  const variable = memo((name: string) => {
    const { fields } = known(configuration.variables.get(name), `var.${name}`);
    const [otherwise, type] = [fields.get("default"), fields.get("type")];
    const found = given(name) ?? (otherwise === undefined ? undefined : evaluateWritten(otherwise, scope));
    if (found === undefined) throw new Error(`${address}var.${name} is not given`);
    return type !== undefined && "kind" in type ? convert(found, type) : found;
  });
  return scope;
}

function refusalsOf({ variables }: Configuration, scope: Scope, address: string): string[] {
  return [...variables].flatMap(([name, { fields }]) => {
    return listOf(fields.get("validation")).flatMap((validation) => {
      const { condition = null, error_message = null } = evaluateBody(validation, scope);
      return condition === false ? [`${address}${name}: ${textOf(error_message)}`] : [];
    });
  });
}

/** Evaluates values lazily, since modules use each other's outputs in both directions. */
function lazy(names: readonly string[], of: (name: string) => Value): Fields {
  const made = memo(of);
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => made(name) }])));
}

function memo<Made>(of: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, { readonly value: Made }>();
  return (name) => {
    const found = made.get(name) ?? { value: of(name) };
    made.set(name, found);
    return found.value;
  };
}
