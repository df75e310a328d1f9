import type { ComponentChildren, JSX } from "preact";
import { WordOptions } from "../controls/word-options.tsx";
import { changeForm, type JobForm, jobForm } from "./form-state.ts";

type TextField = { [Name in keyof JobForm]: JobForm[Name] extends string ? Name : never }[keyof JobForm];

interface FieldProps {
  readonly label: string;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A field of the form with its label. */
export function Field({ label, id, children }: FieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}

interface ChoiceProps {
  readonly name: TextField;
  readonly label: string;
  readonly values: readonly string[];
  /** The texts of the values are `{prefix}.{value}`. */
  readonly prefix: string;
}

export function Choice({ name, label, values, prefix }: ChoiceProps): JSX.Element {
  return (
    <Field label={label} id={`job-${name}`}>
      <select
        id={`job-${name}`}
        value={jobForm.value?.[name]}
        onChange={({ currentTarget }) => changeForm({ [name]: currentTarget.value })}
      >
        <WordOptions values={values} prefix={prefix} />
      </select>
    </Field>
  );
}

interface TypedProps {
  readonly name: TextField;
  readonly label: string;
  readonly hint: string;
}

export function Typed({ name, label, hint }: TypedProps): JSX.Element {
  return (
    <Field label={label} id={`job-${name}`}>
      <input
        id={`job-${name}`}
        value={jobForm.value?.[name]}
        aria-describedby={`job-${name}-hint`}
        onInput={({ currentTarget }) => changeForm({ [name]: currentTarget.value })}
      />
      <p id={`job-${name}-hint`} class="hint">
        {hint}
      </p>
    </Field>
  );
}

interface DayProps extends Omit<TypedProps, "hint"> {
  /** The first and the last day that can be chosen; undefined for any. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export function Day({ name, label, min, max }: DayProps): JSX.Element {
  return (
    <Field label={label} id={`job-${name}`}>
      <input
        id={`job-${name}`}
        type="date"
        min={min}
        max={max}
        value={jobForm.value?.[name]}
        onChange={({ currentTarget }) => changeForm({ [name]: currentTarget.value })}
      />
    </Field>
  );
}
