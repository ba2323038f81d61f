import { useCallback, useId, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { printedName } from "#core/users/printed-name.ts";
import { DiffView } from "../sops/diff/DiffView.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { statusNames } from "../ui/StatusBadge.tsx";
import { newerVersionTexts as texts } from "./texts.ts";

interface NewerVersionNoticeProps {
  /** The version that the user wanted to submit. */
  version: number;
  newer: Sop;
  /** The number of attempts to submit the older version. Each one moves the focus to this notice. */
  tries: number;
  busy: boolean;
  /**
   * Submits the newer version; undefined if it can't be submitted, for example because too few approvers are chosen.
   */
  onSubmit: (() => void) | undefined;
}

/**
 * A notice in the Submit dialog that another version was saved. The user can view it and submit it with its own button.
 */
export function NewerVersionNotice({ version, newer, tries, busy, onSubmit }: NewerVersionNoticeProps) {
  const [open, setOpen] = useState(false);
  const changes = useId();
  const focus = useCallback((place: HTMLElement | null) => void (tries > 0 && place?.focus()), [tries]);
  return (
    <div ref={focus} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-3 outline-none">
      <Alert
        tone="warning"
        live
        title={texts.title({ name: printedName(newer.control.changedBy), version: newer.version })}
        actions={
          <>
            {newer.status === "draft" && (
              <Button size="sm" variant="primary" disabled={!onSubmit} busy={busy} onClick={onSubmit}>
                {texts.submit({ version: newer.version })}
              </Button>
            )}
            <Button size="sm" aria-expanded={open} aria-controls={changes} onClick={() => setOpen(!open)}>
              {open ? texts.hide : texts.look}
            </Button>
          </>
        }
      >
        {newer.status === "draft"
          ? texts.outdated({ version })
          : texts.nothing({ version: newer.version, status: statusNames[shownStatus(newer)].toLowerCase() })}
      </Alert>
      <div id={changes} hidden={!open} className="rounded-md border border-line p-3">
        {open && <DiffView sopId={newer.id} from={version} to={newer.version} />}
      </div>
    </div>
  );
}
