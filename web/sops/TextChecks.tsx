/** What the rules of `sop lint` find in the text, while it is written; a click leads to the place, or puts it right. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Info, OctagonAlert, TriangleAlert } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { messageOf, useClient } from "../api.ts";
import { texts as said } from "../editor/finding-texts.ts";
import type { Checked, Finding as Found } from "../editor/findings.ts";
import { settled } from "../editor/settle.ts";
import { Button } from "../ui/Button.tsx";
import { texts } from "./check-texts.ts";
import { sectionAt } from "./section-at.ts";
import type { SopFormState } from "./use-sop-form.ts";

const restMs = 700;
const looks = {
  error: { Icon: OctagonAlert, style: "text-destructive" },
  warning: { Icon: TriangleAlert, style: "text-warning" },
  info: { Icon: Info, style: "text-primary" },
} as const;

interface TextChecksProps {
  state: SopFormState;
  /** What was found, and in which text; null: nothing is known. */
  onChecked(checked: Checked | null): void;
}

export function TextChecks({ state, onChecked }: TextChecksProps) {
  const { form, editor, base } = state;
  const [markdown, title, description, effectiveAt, reviewBy, isTemplate] = form.watch([
    "markdown",
    "title",
    "description",
    "effectiveAt",
    "reviewBy",
    "isTemplate",
  ]);
  const body = useRested({
    markdown,
    title,
    description,
    effectiveAt,
    reviewBy,
    isTemplate,
    lang: base?.lang ?? null,
    isAiGenerated: base?.isAiGenerated ?? false,
  });
  const client = useClient();
  const check = useQuery({
    queryKey: ["check", body],
    queryFn: ({ signal }) => client.sops.check({ body, signal }),
    enabled: body.markdown.trim() !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const told = check.isPlaceholderData || body.markdown.trim() === "" ? undefined : check.data;
  const isUnknown = told === undefined && (check.isError || body.markdown.trim() === "");
  const tell = useEffectEvent(onChecked);
  useEffect(() => {
    if (told) tell({ markdown: body.markdown, findings: told.findings });
    else if (isUnknown) tell(null);
  }, [told, isUnknown, body.markdown]);
  if (body.markdown.trim() === "") return null;
  const { findings = [], more = 0 } = check.data ?? {};
  const stops = findings.filter((one) => one.stops).length;
  const isCurrent = !check.isPlaceholderData && markdown === body.markdown;
  const settle = (found: Found): void => {
    const next = editor.current && settled(editor.current.read(), body.markdown, found);
    if (next) editor.current?.replace(next);
  };
  return (
    <details className="rounded-md border border-line bg-surface" open={stops > 0}>
      <summary className="cursor-pointer px-3.5 py-2.5 text-sm">
        <span className="font-medium">{texts.title}</span>{" "}
        <output className="text-muted">
          {check.isPending ? texts.loading : check.isError ? "" : texts.summary(stops, findings.length + more - stops)}
        </output>
      </summary>
      {check.isError && (
        <p className="border-t border-line px-3.5 py-2.5 text-sm">{messageOf(check.error, texts.failed)}</p>
      )}
      {findings.length > 0 && (
        <ul className="relative max-h-80 divide-y divide-line overflow-auto border-t border-line">
          {findings.map((found) => (
            <Finding
              key={`${found.rule} ${found.line} ${found.column} ${found.message}`}
              found={found}
              section={sectionAt(body.markdown, found.line)}
              canFix={isCurrent && found.fix !== undefined}
              onShow={() => (found.line === 0 ? form.setFocus("title") : editor.current?.show(found.line))}
              onFix={() => settle(found)}
            />
          ))}
        </ul>
      )}
      {more > 0 && <p className="border-t border-line px-3.5 py-2.5 text-sm text-muted">{texts.more(more)}</p>}
    </details>
  );
}

interface FindingProps {
  found: Found;
  /** The heading it stands under. */
  section: string | null;
  canFix: boolean;
  onShow(): void;
  onFix(): void;
}

function Finding({ found, section, canFix, onShow, onFix }: FindingProps) {
  const { severity, message, line, stops } = found;
  const { Icon, style } = looks[severity];
  return (
    <li className="flex items-start gap-2.5 px-3.5 py-2 text-sm">
      <Icon aria-hidden className={clsx("mt-1 size-4 shrink-0", style)} />
      <div className="min-w-0 flex-1">
        <button type="button" className="min-h-6 text-left break-words hover:underline" onClick={onShow}>
          <span className="sr-only">{`${said.severities[severity]}: `}</span>
          {message}
        </button>
        <p className="text-xs text-muted">
          {texts.place(line, section)}
          {stops && ` · ${said.stops}`}
        </p>
      </div>
      {canFix && (
        <Button size="sm" aria-label={said.fixOf(message)} onClick={onFix}>
          {said.fix}
        </Button>
      )}
    </li>
  );
}

/** The value as it was when nothing changed for a while. */
function useRested<T>(value: T): T {
  const key = JSON.stringify(value);
  const [rested, setRested] = useState({ key, value });
  useEffect(() => {
    if (key === rested.key) return undefined;
    const timer = setTimeout(() => setRested({ key, value }), restMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all there is to know of the value
  }, [key, rested.key]);
  return rested.value;
}
