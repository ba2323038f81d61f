import { Sparkles } from "lucide-react";
import { Badge } from "../ui/Badge.tsx";
import { placeTexts as texts } from "./place-texts.ts";
import { useAi } from "./use-ai.ts";

/** A badge, shown only while AI can be used: the key works and both switches are on. */
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
