/** The keys of the whole application, and the windows they open: palette and shortcut sheet. */
import { useState, useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { useMay } from "../session.tsx";
import { useCommand, useKeys } from "../shortcuts/use-command.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const ShortcutSheet = lazyPart(() => import("./ShortcutSheet.tsx").then((module) => module.ShortcutSheet));
const Palette = lazyPart(() => import("./Palette.tsx").then((module) => module.Palette));

export function PaletteHost() {
  const [shown, show] = useState<"palette" | "sheet" | null>(null);
  const may = useMay();
  const navigate = useNavigate();
  const goTo = (address: string) => () => void navigate(address);
  const typed = useTypedAhead();
  useKeys();
  useCommand("palette", () => {
    typed.keep();
    show("palette");
  });
  useCommand("help", () => show("sheet"));
  useCommand("newSop", may("sop.create") ? goTo("/sop/new") : null);
  useCommand("dashboard", goTo("/"));
  useCommand("all", goTo("/sops"));
  useCommand("favorites", goTo("/favorites"));
  useCommand("recent", goTo("/recent"));
  useCommand("pending", goTo("/pending"));
  useCommand("settings", goTo("/settings"));
  const close = () => show(null);
  return (
    <>
      {shown === "palette" && <Palette takeTyped={typed.take} onClose={close} />}
      {shown === "sheet" && <ShortcutSheet onClose={close} />}
    </>
  );
}

/** What is typed from the moment a window is asked for until its field has the focus: it is meant for that, and no shortcut. */
function createTypedAhead() {
  let typed = "";
  const collectKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
  };
  const stop = () => window.removeEventListener("keydown", collectKey, { capture: true });
  return {
    keep() {
      typed = "";
      window.addEventListener("keydown", collectKey, { capture: true });
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

function useTypedAhead() {
  const [ahead] = useState(createTypedAhead);
  useEffect(() => ahead.stop, [ahead]);
  return ahead;
}
