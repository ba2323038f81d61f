/** Handles the keys of the whole application and opens two windows: the palette and the list of shortcuts. */
import { useState, useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { useMay } from "../session.tsx";
import { useCommand, useShortcutKeys } from "../shortcuts/use-command.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const ShortcutSheet = lazyPart(() => import("./ShortcutSheet.tsx").then((module) => module.ShortcutSheet));
const Palette = lazyPart(() => import("./Palette.tsx").then((module) => module.Palette));

export function PaletteHost() {
  const [shown, show] = useState<"palette" | "sheet" | null>(null);
  const may = useMay();
  const navigate = useNavigate();
  const goTo = (address: string) => () => void navigate(address);
  const typed = useTypedKeyCollector();
  useShortcutKeys();
  useCommand("palette", () => {
    typed.startCollecting();
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
      {shown === "palette" && <Palette takeTyped={typed.takeTyped} onClose={close} />}
      {shown === "sheet" && <ShortcutSheet onClose={close} />}
    </>
  );
}

/**
 * Collects keys typed after a window is requested and before its field has the focus. They belong to the field and are
 * no shortcuts.
 */
function createTypedKeyCollector() {
  let typed = "";
  const collectKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
  };
  const stopCollecting = () => window.removeEventListener("keydown", collectKey, { capture: true });
  return {
    startCollecting() {
      typed = "";
      window.addEventListener("keydown", collectKey, { capture: true });
    },
    stop: stopCollecting,
    /** Returns the collected text and stops collecting. */
    takeTyped(): string {
      stopCollecting();
      const all = typed;
      typed = "";
      return all;
    },
  };
}

function useTypedKeyCollector() {
  const [ahead] = useState(createTypedKeyCollector);
  useEffect(() => ahead.stop, [ahead]);
  return ahead;
}
