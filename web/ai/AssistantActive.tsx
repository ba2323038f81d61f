import { Badge } from "../ui/Badge.tsx";
import { texts } from "./texts.ts";
import { useAi } from "./use-ai.ts";

/** Shown while AI may really be used: a key that works, and both switches on (seed §2, All SOPs). */
export function AssistantActive() {
  const { isOn } = useAi();
  if (!isOn) return null;
  return (
    <Badge tone="success">
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {texts.active}
    </Badge>
  );
}
