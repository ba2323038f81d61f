import { Sparkles } from "lucide-react";
import { Button } from "../ui/Button.tsx";
import { texts } from "./enhance-texts.ts";
import { EnhanceMenu } from "./EnhanceMenu.tsx";
import type { Enhancing } from "./use-enhance.ts";

export function EnhanceButton({ enhancing }: { enhancing: Enhancing }) {
  const button = (
    <Button busy={enhancing.running !== null}>
      {enhancing.running === null && <Sparkles aria-hidden className="text-accent" />}
      {texts.button}
    </Button>
  );
  if (enhancing.running !== null) return button;
  return <EnhanceMenu trigger={button} onChoose={(kind) => void enhancing.start(kind)} />;
}
