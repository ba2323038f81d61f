import { Sparkles } from "lucide-react";
import {} from "react";
import { Button } from "../ui/Button.tsx";
import { MenuOnDemand } from "../ui/MenuOnDemand.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { texts } from "./enhance-texts.ts";
import type { Enhancing } from "./use-enhance.ts";

const EnhanceMenu = lazyPart(() => import("./EnhanceMenu.tsx").then((module) => module.EnhanceMenu));

export function EnhanceButton({ enhancing }: { enhancing: Enhancing }) {
  const button = (
    <Button busy={enhancing.running !== null}>
      {enhancing.running === null && <Sparkles aria-hidden className="text-accent" />}
      {texts.button}
    </Button>
  );
  if (enhancing.running !== null) return button;
  return (
    <MenuOnDemand trigger={button} preload={EnhanceMenu.preload}>
      {(menu) => <EnhanceMenu {...menu} onChoose={(kind) => void enhancing.start(kind)} />}
    </MenuOnDemand>
  );
}
