/** The assistant's place in the shell: a button in the corner, and the panel it opens. Its code loads when it is first open. */
import { Sparkles } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { useOnceOpen } from "../ui/use-once-open.ts";
import { texts } from "./texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

const Assistant = lazy(() => import("./Assistant.tsx").then((module) => ({ default: module.Assistant })));

export function AssistantPlace() {
  const may = useMay();
  return may("sop.create") ? <Place /> : null;
}

function Place() {
  const { isOpen, open, close, toggle } = useAssistantPanel();
  useCommand("assistant", toggle);
  const wasOpen = useOnceOpen(isOpen);
  useEffect(() => {
    // a sheet that covers the screen one has just come to is in the way
    if (window.innerWidth < 640) close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- on arrival alone
  }, []);
  return (
    <>
      {!isOpen && (
        <Button
          variant="primary"
          aria-label={texts.open}
          aria-expanded={false}
          data-assistant-open
          data-print="hide"
          onClick={open}
          className="fixed right-4 bottom-4 z-20 size-12 rounded-full! shadow-float in-[:has([data-read-bar])]:bottom-24"
        >
          <Sparkles aria-hidden className="size-5!" />
        </Button>
      )}
      {wasOpen && (
        <Suspense fallback={null}>
          <Assistant />
        </Suspense>
      )}
    </>
  );
}
