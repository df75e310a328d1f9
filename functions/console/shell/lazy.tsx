import { useSignal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../api/problem.ts";
import { text } from "../texts.ts";

/** Returns a component that loads when it is first shown. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy(): JSX.Element {
    const state = useSignal<{ readonly fault?: string; readonly done?: true }>(loaded ? { done: true } : {});
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          state.value = { done: true };
        },
        (error: unknown) => {
          state.value = { fault: messageOf(error) };
        },
      );
    }, [state]);
    if (state.value.fault !== undefined) return <p class="fault page-note">{text("error.part", { reason: state.value.fault })}</p>;
    return state.value.done && loaded ? <Shown of={loaded} /> : <p class="page-note muted">{text("loading")}</p>;
  };
}

function Shown({ of: Component }: { readonly of: ComponentType }): JSX.Element {
  return <Component />;
}
