import { Sparkles } from "lucide-react";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { placeTexts as texts } from "./place-texts.ts";
import { useAssistantPanel } from "./use-panel.ts";

/** In the sidebar: opens and closes the panel. @param onToggle closes the off-canvas sidebar */
export function AssistantButton({ onToggle }: { onToggle: (() => void) | undefined }) {
  const { isOpen, toggle } = useAssistantPanel();
  const may = useMay();
  if (!may("sop.create")) return null;
  return (
    <Button
      // as "New SOP" beside it
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

/** The top bar's, where the sidebar is out of sight. In the bar it covers no text. */
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
      // a phone's bar has no room for it: the navigation has one
      className="max-sm:hidden lg:hidden"
    >
      <Sparkles aria-hidden />
    </IconButton>
  );
}
