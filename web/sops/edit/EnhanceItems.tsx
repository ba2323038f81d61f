import { ListChecks, Sparkles } from "lucide-react";
import { Link } from "react-router-dom";
import { texts as aiTexts } from "../../ai/texts.ts";
import { canUserTurnOnAi, useAi, type AiOffReason } from "../../ai/use-ai.ts";
import { MenuItem, MenuLabel, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { texts, kinds, type EnhanceKind } from "./enhance-texts.ts";
import type { ImproveControls } from "./use-enhance.ts";

/**
 * Menu items to improve the text. Those by rules come first, because they always work. Without AI, a line links to its
 * settings.
 */
export function EnhanceItems({ enhancing }: { enhancing: ImproveControls }) {
  const { off } = useAi();
  if (enhancing.running !== null) {
    return (
      <MenuItem icon={<Sparkles aria-hidden />} disabled>
        {texts.button}
      </MenuItem>
    );
  }
  const onChoose = (kind: EnhanceKind): void => void enhancing.start(kind);
  return (
    <>
      <MenuLabel>{texts.byRules}</MenuLabel>
      <MenuItem icon={<ListChecks aria-hidden />} onSelect={() => onChoose("formatting")}>
        <ImprovementKindWords kind="formatting" />
      </MenuItem>
      <MenuSeparator />
      {off === null ? <AiItems onChoose={onChoose} /> : <AiOffItem off={off} />}
    </>
  );
}

function AiItems({ onChoose }: { onChoose(kind: EnhanceKind): void }) {
  const { isOn } = useAi();
  return (
    <>
      <MenuLabel>
        <span className="block font-medium text-text">{texts.button}</span>
        {texts.byAi}
      </MenuLabel>
      {(["clarity", "detail", "improve"] as const).map((kind) => (
        <MenuItem key={kind} icon={<Sparkles aria-hidden />} disabled={!isOn} onSelect={() => onChoose(kind)}>
          <ImprovementKindWords kind={kind} />
        </MenuItem>
      ))}
    </>
  );
}

function AiOffItem({ off }: { off: AiOffReason }) {
  if (!canUserTurnOnAi(off)) return <MenuLabel>{aiTexts.off[off]}</MenuLabel>;
  return (
    <MenuItem asChild>
      <Link to="/settings#ai">
        <Sparkles aria-hidden />
        {aiTexts.off[off]}
      </Link>
    </MenuItem>
  );
}

function ImprovementKindWords({ kind }: { kind: EnhanceKind }) {
  return (
    <span className="grid">
      <span className="font-medium">{kinds[kind].label}</span>
      <span className="text-xs text-muted">{kinds[kind].hint}</span>
    </span>
  );
}
