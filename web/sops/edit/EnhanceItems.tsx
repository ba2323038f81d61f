import { ListChecks, Settings, Sparkles } from "lucide-react";
import { Link } from "react-router-dom";
import { texts as aiTexts } from "../../ai/texts.ts";
import { useAi, type AiOff } from "../../ai/use-ai.ts";
import { MenuItem, MenuLabel, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { texts, kinds, type EnhanceKind } from "./enhance-texts.ts";
import type { Enhancing } from "./use-enhance.ts";

const reasons: Record<AiOff, string> = {
  "no-key": aiTexts.noKey,
  user: aiTexts.userOff,
  company: aiTexts.companyOff,
  unknown: aiTexts.unknown,
};

/** What can be asked for. Without AI the rules are still there, and are called by their name. */
export function EnhanceItems({ enhancing }: { enhancing: Enhancing }) {
  const ai = useAi();
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
      <MenuLabel>
        <span className="block font-medium text-text">{texts.button}</span>
        {ai.off === null ? texts.byAi : reasons[ai.off]}
      </MenuLabel>
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
    </>
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
