/** Hosts the assistant in the shell. The panel's code loads when it first opens. */
import { useEffect, useState } from "react";
import { useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useAssistantPanel } from "./use-panel.ts";

const Assistant = lazyPart(() => import("./Assistant.tsx").then((module) => module.Assistant));

export function AssistantHost() {
  const may = useMay();
  return may("sop.create") ? <Place /> : null;
}

function Place() {
  const { isOpen, close, toggle } = useAssistantPanel();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  useCommand("assistant", toggle);
  useEffect(() => {
    // On a phone the open panel would cover the screen that the user has just opened.
    if (window.innerWidth < 640) close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- on arrival alone
  }, []);
  const giveUp = () => {
    setOpened(false);
    close();
  };
  return wasOpened && <Assistant onClose={giveUp} />;
}
