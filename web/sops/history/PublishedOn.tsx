import { dayOf } from "#core/days.ts";
import { useId, useState } from "react";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { Alert } from "../../ui/Alert.tsx";
import { Button } from "../../ui/Button.tsx";
import { Input } from "../../ui/Input.tsx";
import { boundaryText } from "../../ui/time.ts";
import { textAttributesOf } from "../direction.ts";
import { Article } from "../view/Article.tsx";
import { historyTexts as texts } from "./history-texts.ts";

/** Answers the question that auditors ask: "Which version was published on 14 March?" */
export function PublishedOn({ sop }: { sop: Sop }) {
  const field = useId();
  const [day, setDay] = useState("");
  const [reading, setReading] = useState(false);
  const [today] = useState(() => dayOf(new Date().toISOString()));
  const isAsked = day !== "" && day <= today;
  const query = { params: { id: sop.id }, query: { at: day } };
  const found = useRead("sops", "get", query, { enabled: isAsked });
  const isNone = found.error instanceof ApiError && found.error.status === 404;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={field}>{texts.publishedOn}</label>
        <span className="w-40">
          <Input
            id={field}
            type="date"
            max={today}
            value={day}
            aria-describedby={`${field}-hint`}
            onChange={(event) => setDay(event.target.value)}
          />
        </span>
        <span id={`${field}-hint`} className="text-t2 text-muted">
          {texts.publishedOnHint}
        </span>
      </div>
      <output className="empty:hidden">
        {isAsked && found.isPending && texts.searching}
        {isAsked && isNone && texts.nonePublished}
        {isAsked && found.data && <PublishedVersionAnswer found={found.data} />}
      </output>
      {isAsked && found.data && <SupersededVersion sop={sop} version={found.data.version} />}
      {isAsked && found.isError && !isNone && (
        <Alert tone="destructive" live>
          {texts.publishedOnFailed}
        </Alert>
      )}
      {isAsked && found.data && (
        <Button size="sm" className="w-fit" aria-expanded={reading} onClick={() => setReading(!reading)}>
          {reading ? texts.hideText : texts.readText}
        </Button>
      )}
      {isAsked && found.data && reading && (
        <div className="rounded-md border border-line bg-surface px-4 py-3">
          <Article html={found.data.content} {...textAttributesOf(found.data)} />
        </div>
      )}
    </div>
  );
}

function PublishedVersionAnswer({ found: { version, title, published } }: { found: Sop }) {
  return (
    <>
      <strong>{texts.version({ version })}</strong>
      {`, “${title}”`}
      {published?.effectiveAt && texts.publishedSince({ effectiveAt: boundaryText(published.effectiveAt) })}
    </>
  );
}

/** Shows a superseded version. Opening it here doesn't count as a view. */
function SupersededVersion({ sop: { published }, version }: { sop: Sop; version: number }) {
  if (published?.version === version) return null;
  return published ? (
    <Alert tone="warning" title={texts.versionIsSuperseded({ version })}>
      {texts.versionIsPublishedNow({ version: published.version })}
    </Alert>
  ) : (
    <Alert tone="warning" title={texts.versionIsNoLonger({ version })}>
      {texts.noneNow}
    </Alert>
  );
}
