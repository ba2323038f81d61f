/** The assistant's place in the shell: the panel, loaded when it first opens. */
import { useEffect } from "react";
import { useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useOnceOpen } from "../ui/use-once-open.ts";
import { useAssistantPanel } from "./use-panel.ts";

const Assistant = lazyPart(() => import("./Assistant.tsx").then((module) => () => <module.Assistant />));

export function AssistantPlace() {
  const may = useMay();
  return may("sop.create") ? <Place /> : null;
}

function Place() {
  const { isOpen, close, toggle } = useAssistantPanel();
  useCommand("assistant", toggle);
  const [wasOpen, forget] = useOnceOpen(isOpen);
  const giveUp = () => {
    forget();
    close();
  };
  useEffect(() => {
    // a sheet that covers the screen one has just come to is in the way
    if (window.innerWidth < 640) close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- on arrival alone
  }, []);
  return wasOpen && <Assistant onClose={giveUp} />;
}
