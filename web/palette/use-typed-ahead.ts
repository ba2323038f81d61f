import { useEffect, useState } from "react";

/** What is typed from the moment a window is asked for until its field has the focus: it is meant for that, and no shortcut. */
function createTypedAhead() {
  let typed = "";
  const hear = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
  };
  const stop = () => window.removeEventListener("keydown", hear, { capture: true });
  return {
    keep() {
      typed = "";
      window.addEventListener("keydown", hear, { capture: true });
    },
    stop,
    /** Once: from now on keys go where the focus is. */
    take(): string {
      stop();
      const all = typed;
      typed = "";
      return all;
    },
  };
}

export function useTypedAhead() {
  const [ahead] = useState(createTypedAhead);
  useEffect(() => ahead.stop, [ahead]);
  return ahead;
}
