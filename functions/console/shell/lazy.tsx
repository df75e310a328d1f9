import { useSignal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../controls/fault.tsx";
import { text } from "../texts.ts";
import { loadPart } from "./parts.ts";

/**
 * Returns a component that loads when it is first shown, and again on demand if that failed.
 * @param source the file that `load` imports, below the console's folder
 */
export function lazy(source: string, load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy(): JSX.Element {
    const state = useSignal<{ readonly fault?: unknown; readonly done?: true }>(loaded ? { done: true } : {});
    const start = (): void => {
      state.value = {};
      loadPart(source, load).then(
        (component) => {
          loaded = component;
          state.value = { done: true };
        },
        (fault: unknown) => {
          state.value = { fault };
        },
      );
    };
    useEffect(() => {
      if (!loaded) start();
    }, []);
    if (state.value.fault !== undefined)
      return (
        <div class="page-note">
          <Fault of={state.value.fault} onAgain={start} />
        </div>
      );
    return state.value.done && loaded ? <Shown of={loaded} /> : <p class="page-note muted">{text("loading")}</p>;
  };
}

function Shown({ of: Component }: { readonly of: ComponentType }): JSX.Element {
  return <Component />;
}
