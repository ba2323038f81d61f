import { Sparkles, ListChecks, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { texts as aiTexts } from "../../ai/texts.ts";
import { useAi, type AiOff } from "../../ai/use-ai.ts";
import { Button } from "../../ui/Button.tsx";
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { texts, kinds, type EnhanceKind } from "./enhance-texts.ts";
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

interface EnhanceMenuProps {
  trigger: ReactNode;
  onChoose(kind: EnhanceKind): void;
}

const reasons: Record<AiOff, string> = {
  "no-key": aiTexts.noKey,
  user: aiTexts.userOff,
  company: aiTexts.companyOff,
  unknown: aiTexts.unknown,
};

/** What can be asked for. Without AI the rules are still there, and are called by their name. */
function EnhanceMenu({ trigger, onChoose }: EnhanceMenuProps) {
  const ai = useAi();
  return (
    <DropdownMenu trigger={trigger}>
      <MenuLabel>{ai.off === null ? texts.byAi : reasons[ai.off]}</MenuLabel>
      {(["clarity", "detail", "improve"] as const).map((kind) => (
        <MenuItem key={kind} icon={<Sparkles aria-hidden />} disabled={ai.off !== null} onSelect={() => onChoose(kind)}>
          <Words kind={kind} />
        </MenuItem>
      ))}
      {(ai.off === "no-key" || ai.off === "user") && (
        <MenuItem asChild>
          <Link to="/settings#ai">
            <Settings aria-hidden />
            {aiTexts.setup}
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLabel>{texts.byRules}</MenuLabel>
      <MenuItem icon={<ListChecks aria-hidden />} onSelect={() => onChoose("formatting")}>
        <Words kind="formatting" />
      </MenuItem>
    </DropdownMenu>
  );
}

function Words({ kind }: { kind: EnhanceKind }) {
  return (
    <span className="grid">
      <span className="font-medium">{kinds[kind].label}</span>
      <span className="text-xs text-muted">{kinds[kind].hint}</span>
    </span>
  );
}
