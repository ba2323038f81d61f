import { Sparkles } from "lucide-react";
import { Badge } from "../ui/Badge.tsx";
import { placeTexts as texts } from "./place-texts.ts";
import { useAi } from "./use-ai.ts";

/** Shown while AI may really be used: a key that works, and both switches on (seed §2, All SOPs). */
export function AssistantActive() {
  const { isOn } = useAi();
  if (!isOn) return null;
  return (
    <Badge tone="success">
      <Sparkles aria-hidden />
      {texts.active}
    </Badge>
  );
}
