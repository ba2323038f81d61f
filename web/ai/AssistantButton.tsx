import { Sparkles } from "lucide-react";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { placeTexts as texts } from "./place-texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

/** The sidebar's (seed §2): opens the panel, and closes it again. @param onToggle the off-canvas sidebar makes way */
export function AssistantButton({ onToggle }: { onToggle: (() => void) | undefined }) {
  const { isOpen, toggle } = useAssistantPanel();
  const may = useMay();
  if (!may("sop.create")) return null;
  return (
    <Button
      wide
      aria-expanded={isOpen}
      data-assistant-open
      onClick={() => {
        toggle();
        onToggle?.();
      }}
    >
      <Sparkles aria-hidden className="text-accent" />
      {texts.title}
    </Button>
  );
}
