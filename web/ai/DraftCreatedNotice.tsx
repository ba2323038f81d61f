import { ArrowRight } from "lucide-react";
import { Link } from "react-router-dom";
import { findingCountText } from "../editor/finding-texts.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./texts.ts";
import type { CreatedDraft } from "./use-generation.ts";

const maxPointsShown = 5;

interface DraftCreatedNoticeProps {
  /** `ai` is absent if rules or a suggestion made the draft. */
  made: Pick<CreatedDraft, "id" | "title"> & { ai?: CreatedDraft["ai"] };
  onDismiss(): void;
}

/** Announces a created draft and lists what its author has to check before use. */
export function DraftCreatedNotice({ made: { id, title, ai }, onDismiss }: DraftCreatedNoticeProps) {
  // Findings about front matter are left out, because the edit screen shows them beside its fields.
  const open = ai?.findings.filter(({ rule }) => !rule.startsWith("meta/")) ?? [];
  const findings = open.map(({ line, message }) => (line > 0 ? texts.line({ line, message }) : message));
  return (
    <Alert
      tone="success"
      title={texts.created({ title })}
      actions={
        <>
          <Button asChild size="sm" variant="primary">
            <Link to={`/sop/${id}/edit`}>
              {texts.openDraft}
              <ArrowRight aria-hidden />
            </Link>
          </Button>
          <Button size="sm" variant="ghost" onClick={onDismiss}>
            {texts.dismiss}
          </Button>
        </>
      }
    >
      <DraftPoints heading={texts.assumptions} points={ai?.assumptions ?? []} />
      <DraftPoints heading={texts.findings({ counted: findingCountText(open) })} points={findings} />
    </Alert>
  );
}

function DraftPoints({ heading, points }: { heading: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  const rest = points.length - maxPointsShown;
  return (
    <div className="mt-1.5">
      <p className="font-medium">{heading}</p>
      <ul className="list-disc pl-4">
        {points.slice(0, maxPointsShown).map((point) => (
          <li key={point}>{point}</li>
        ))}
        {rest > 0 && <li>{texts.more({ count: rest })}</li>}
      </ul>
    </div>
  );
}
