/** The assistant's place in the shell: a button in the corner where the sidebar's is out of sight, and the panel, loaded when it first opens. */
import { Sparkles } from "lucide-react";
import { useEffect } from "react";
import { useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useOnceOpen } from "../ui/use-once-open.ts";
import { placeTexts as texts } from "./place-texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

const Assistant = lazyPart(() => import("./Assistant.tsx").then((module) => () => <module.Assistant />));

export function AssistantPlace() {
  const may = useMay();
  return may("sop.create") ? <Place /> : null;
}

function Place() {
  const { isOpen, open, close, toggle } = useAssistantPanel();
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
  return (
    <>
      {!isOpen && (
        <button
          type="button"
          aria-label={texts.open}
          aria-expanded={false}
          data-assistant-open
          data-print="hide"
          onClick={open}
          className="fixed right-4 bottom-4 z-20 rounded-full bg-primary p-3 text-on-primary shadow-float in-[:has([data-read-bar])]:bottom-24 lg:hidden"
        >
          <Sparkles aria-hidden className="size-6" />
        </button>
      )}
      {wasOpen && <Assistant onClose={giveUp} />}
    </>
  );
}
