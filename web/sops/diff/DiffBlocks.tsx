import "../../editor/alerts.css";
import { clsx } from "clsx";
import {
  ArrowDown,
  ArrowUp,
  CornerDownRight,
  CornerUpRight,
  Minus,
  PencilLine,
  Plus,
  UnfoldVertical,
} from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { SopDiff } from "#core/diff/schema.ts";
import { Button } from "../../ui/Button.tsx";
import { useCommand } from "../../shortcuts/use-command.ts";
import { directionOfNewerText } from "../direction.ts";
import { makeTextAccessible } from "../view/RenderedText.tsx";
import { useTextLinks } from "../view/use-text-links.ts";
import { groupBlocks, type DiffGroupKind, type DiffGroup } from "./diff-groups.ts";
import { diffTexts as texts } from "./diff-texts.ts";

const looks = {
  added: { label: texts.added, Icon: Plus, style: "border-success", tone: "text-success" },
  removed: { label: texts.removed, Icon: Minus, style: "border-destructive border-dashed", tone: "text-destructive" },
  changed: { label: texts.changed, Icon: PencilLine, style: "border-primary", tone: "text-primary" },
  "moved-from": {
    label: texts.movedFrom,
    Icon: CornerUpRight,
    style: "border-accent border-dashed",
    tone: "text-accent",
  },
  "moved-to": { label: texts.movedTo, Icon: CornerDownRight, style: "border-accent", tone: "text-accent" },
} as const satisfies Record<Exclude<DiffGroupKind, "same">, object>;

interface DiffBlocksProps {
  diff: Pick<SopDiff, "blocks" | "markdown">;
  /** True to leave out the buttons and the keys j and k. Then n moves to the next change. */
  plain?: boolean;
}

/** The changed text as readers see it. The keys j and k move from change to change. */
export function DiffBlocks({ diff: { blocks, markdown }, plain = false }: DiffBlocksProps) {
  const groups = useMemo(() => groupBlocks(blocks), [blocks]);
  const dir = useMemo(() => directionOfNewerText(markdown), [markdown]);
  const region = useRef<HTMLElement>(null);

  const goToChange = (step: 1 | -1): void => {
    const changes = [...(region.current?.querySelectorAll<HTMLElement>("[data-change]") ?? [])];
    const current = changes.findIndex((change) => change.contains(document.activeElement));
    const next = current === -1 ? (step === 1 ? 0 : changes.length - 1) : current + step;
    const target = plain ? changes[next % changes.length] : changes[Math.min(Math.max(next, 0), changes.length - 1)];
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "center" });
  };
  useCommand("nextChange", plain ? () => goToChange(1) : null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (plain || event.altKey || event.ctrlKey || event.metaKey || (event.key !== "j" && event.key !== "k")) return;
    event.preventDefault();
    goToChange(event.key === "j" ? 1 : -1);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- j and k are a second way; the buttons are the first
    <section
      ref={region}
      aria-label={texts.region}
      onKeyDown={onKeyDown}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      {!plain && (
        <div data-print="hide" className="flex flex-wrap items-center gap-2">
          <Button size="sm" onClick={() => goToChange(-1)} aria-keyshortcuts="k">
            <ArrowUp aria-hidden />
            {texts.previous}
          </Button>
          <Button size="sm" onClick={() => goToChange(1)} aria-keyshortcuts="j">
            <ArrowDown aria-hidden />
            {texts.next}
          </Button>
        </div>
      )}
      {groups.map((group, index) => (
        <div key={index} dir={dir}>
          <DiffGroupView group={group} />
        </div>
      ))}
    </section>
  );
}

function DiffGroupView({ group }: { group: DiffGroup }) {
  const [open, setOpen] = useState(!group.folded);
  if (!open) {
    return (
      <Button size="sm" variant="soft" className="-ml-2 w-fit" onClick={() => setOpen(true)}>
        <UnfoldVertical aria-hidden />
        {texts.showUnchangedBlocks({ size: group.size })}
      </Button>
    );
  }
  if (group.kind === "same") return <DiffHtml html={group.html} marks={false} />;
  const { label, Icon, style, tone } = looks[group.kind];
  return (
    <div data-change={group.kind} tabIndex={-1} className={clsx("border-s-4 py-0.5 ps-3", style)}>
      <p className={clsx("mb-1.5 flex items-center gap-1.5 text-xs font-semibold", tone)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        {label}
      </p>
      <DiffHtml html={group.html} marks={group.kind === "changed"} />
    </div>
  );
}

/**
 * @param marks whether screen readers announce where `ins` and `del` begin and end; not for a group that is completely
 * added or removed, because its heading says so
 */
export function DiffHtml({ html, marks }: { html: string; marks: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const onClick = useTextLinks();
  const content = useMemo(() => ({ __html: html }), [html]);
  useEffect(() => {
    if (!element.current) return undefined;
    if (marks) addMarkDescriptions(element.current);
    for (const fold of element.current.querySelectorAll("details")) fold.open = true;
    return makeTextAccessible(element.current);
  }, [html, marks]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- catches the clicks of the links inside, which the keyboard makes too
    <div ref={element} className="reading numbered" onClick={onClick} dangerouslySetInnerHTML={content} />
  );
}

function addMarkDescriptions(element: HTMLElement): void {
  for (const mark of element.querySelectorAll("ins, del")) {
    if (mark.querySelector(":scope > .sr-only")) continue;
    mark.prepend(createScreenReaderText(mark.tagName === "INS" ? texts.startAdded : texts.startRemoved));
    mark.append(createScreenReaderText(texts.end));
  }
}

function createScreenReaderText(text: string): HTMLElement {
  const word = document.createElement("span");
  word.className = "sr-only select-none";
  word.textContent = text;
  return word;
}
