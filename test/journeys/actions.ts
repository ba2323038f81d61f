/** Counts the actions of a person on a page: clicks, taps, keys, choices, and runs of typing. */
import type { Page } from "playwright-core";

export interface Actions {
  /** Clicks, taps, choices in a list, and keys that type no text. */
  steps: number;
  /** Runs of typed text. Each counts once, however long it is. */
  typed: number;
}

interface CountedActions {
  /** The actions since the count began. */
  actions(): Promise<Actions>;
  /** Prints the figure, so that a run of the journeys shows it. */
  print(name: string): Promise<Actions>;
}

const storedAs = "journey-actions";

/** Begins to count on this page. The count continues after a full load of the same site. */
export async function countActions(page: Page): Promise<CountedActions> {
  await page.evaluate((name) => sessionStorage.removeItem(name), storedAs);
  await page.addInitScript(recordActions, storedAs);
  await page.evaluate(recordActions, storedAs);
  const actions = async () => {
    const text = await page.evaluate((name) => sessionStorage.getItem(name), storedAs);
    const { steps, typed } = JSON.parse(text ?? '{"steps":0,"typed":0}') as Actions;
    return { steps, typed };
  };
  return {
    actions,
    async print(name) {
      const done = await actions();
      console.log(`actions: ${name}: ${done.steps}${done.typed > 0 ? ` and ${done.typed} × typing` : ""}`);
      return done;
    },
  };
}

/** Counts in the page itself. */
function recordActions(name: string): void {
  const marked = window as Window & { countsActions?: true };
  if (marked.countsActions) return;
  marked.countsActions = true;
  interface Count {
    steps: number;
    typed: number;
    isTyping: boolean;
  }
  const change = (next: (count: Count) => Count) => {
    const before = JSON.parse(sessionStorage.getItem(name) ?? '{"steps":0,"typed":0,"isTyping":false}') as Count;
    sessionStorage.setItem(name, JSON.stringify(next(before)));
  };
  const step = () => change(({ steps, typed }) => ({ steps: steps + 1, typed, isTyping: false }));
  const type = () =>
    change(({ steps, typed, isTyping }) => ({ steps, typed: isTyping ? typed : typed + 1, isTyping: true }));
  const isField = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && !/^(button|checkbox|radio|submit|reset|file|range)$/.test(target.type)));
  const options = { capture: true, passive: true };
  window.addEventListener("pointerdown", ({ isTrusted }) => isTrusted && step(), options);
  window.addEventListener(
    "keydown",
    ({ isTrusted, key, ctrlKey, metaKey, altKey, target }) => {
      if (!isTrusted || /^(Shift|Control|Alt|Meta)$/.test(key)) return;
      const isLine = key === "Enter" && !(target instanceof HTMLInputElement);
      const isText = !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === "Backspace" || isLine);
      if (isText && isField(target)) type();
      else step();
    },
    options,
  );
  // an input event also comes for a whole text at once, as from a paste or a script, and for choices in a native list
  window.addEventListener("input", ({ target }) => isField(target) && type(), options);
  window.addEventListener("change", ({ target }) => target instanceof HTMLSelectElement && step(), options);
}
