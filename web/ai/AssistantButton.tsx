import { Sparkles } from "lucide-react";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { placeTexts as texts } from "./place-texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

/** The button in the sidebar that opens and closes the panel. @param onToggle closes the off-canvas sidebar */
export function AssistantButton({ onToggle }: { onToggle: (() => void) | undefined }) {
  const { isOpen, toggle } = useAssistantPanel();
  const may = useMay();
  if (!may("sop.create")) return null;
  return (
    <Button
      // The padding and size match "New SOP" beside it.
      className="px-2! text-t2"
      aria-expanded={isOpen}
      data-assistant-open
      onClick={() => {
        toggle();
        onToggle?.();
      }}
    >
      <Sparkles aria-hidden />
      {texts.title}
    </Button>
  );
}

/** A button in the top bar that opens the panel while the sidebar is hidden. */
export function AssistantOpener() {
  const { isOpen, toggle } = useAssistantPanel();
  const may = useMay();
  if (!may("sop.create")) return null;
  return (
    <IconButton
      label={texts.open}
      aria-expanded={isOpen}
      data-assistant-open
      onClick={toggle}
      // A phone's top bar is too narrow for this button; the navigation has the same button.
      className="max-sm:hidden lg:hidden"
    >
      <Sparkles aria-hidden />
    </IconButton>
  );
}
