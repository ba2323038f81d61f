import { clsx } from "clsx";
import { UnfoldVertical } from "lucide-react";
import { useMemo, useState } from "react";
import type { DiffLines } from "#core/diff/schema.ts";
import { Button } from "../../ui/Button.tsx";
import { groupLines, type LineGroup } from "./diff-groups.ts";
import { diffTexts as texts } from "./diff-texts.ts";

const signs = { same: " ", added: "+", removed: "−" } as const;
const words = { same: "", added: `${texts.added}: `, removed: `${texts.removed}: ` } as const;

/** Line by line, as a reviewer of code would read it. */
export function DiffMarkdown({ parts }: { parts: readonly DiffLines[] }) {
  const groups = useMemo(() => groupLines(parts), [parts]);
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface py-1 font-mono text-xs leading-5">
      {groups.map((group, index) => (
        <Lines key={index} group={group} />
      ))}
    </div>
  );
}

function Lines({ group: { kind, lines, folded } }: { group: LineGroup }) {
  const [open, setOpen] = useState(!folded);
  if (!open) {
    return (
      <Button size="sm" variant="ghost" className="my-1 ml-2 font-sans text-muted" onClick={() => setOpen(true)}>
        <UnfoldVertical aria-hidden />
        {`Show ${lines.length} unchanged lines`}
      </Button>
    );
  }
  return lines.map((line, index) => (
    <p
      key={index}
      className={clsx(
        "flex gap-2 px-3 break-words whitespace-pre-wrap",
        kind === "added" && "bg-success-soft",
        kind === "removed" && "bg-destructive-soft",
      )}
    >
      <span aria-hidden className="w-3 shrink-0 text-muted select-none">
        {signs[kind]}
      </span>
      <span className="min-w-0">
        {kind !== "same" && <span className="sr-only">{words[kind]}</span>}
        {kind === "removed" && line !== "" ? <s className="decoration-destructive/60">{line}</s> : line || "\u00a0"}
      </span>
    </p>
  ));
}
