import { Sparkles } from "lucide-react";
import { lazy } from "react";
import { Button } from "../ui/Button.tsx";
import { MenuOnDemand } from "../ui/MenuOnDemand.tsx";
import { texts } from "./enhance-texts.ts";
import type { Enhancing } from "./use-enhance.ts";

const EnhanceMenu = lazy(() => import("./EnhanceMenu.tsx").then((module) => ({ default: module.EnhanceMenu })));

export function EnhanceButton({ enhancing }: { enhancing: Enhancing }) {
  const button = (
    <Button busy={enhancing.running !== null}>
      {enhancing.running === null && <Sparkles aria-hidden className="text-accent" />}
      {texts.button}
    </Button>
  );
  if (enhancing.running !== null) return button;
  return (
    <MenuOnDemand trigger={button}>
      <EnhanceMenu trigger={button} onChoose={(kind) => void enhancing.start(kind)} />
    </MenuOnDemand>
  );
}
