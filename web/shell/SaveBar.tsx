import { catalog } from "#core/language/catalog.ts";
import { BottomBar } from "../ui/BottomBar.tsx";
import { Button } from "../ui/Button.tsx";
import { LeaveGuard } from "./LeaveGuard.tsx";

const texts = catalog("shell.save-bar", {
  changes: "{count, plural, one {# change not saved} other {# changes not saved}}",
  cancel: "Cancel",
  save: "Save",
});

interface SaveBarProps {
  /** The number of fields that differ from the saved values. */
  changes: number;
  busy: boolean;
  onCancel(): void;
}

/** A bar inside a form that appears with the first change. Links that leave the page ask first. */
export function SaveBar({ changes, busy, onCancel }: SaveBarProps) {
  if (changes === 0) return null;
  return (
    <>
      <BottomBar className="-mx-4 -mb-16 sm:-mx-6">
        <p className="mr-auto text-sm text-muted" aria-live="polite">
          {texts.changes({ count: changes })}
        </p>
        <Button onClick={onCancel}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {texts.save}
        </Button>
      </BottomBar>
      <LeaveGuard isDirty onLeave={onCancel} />
    </>
  );
}

/** Counts the values that a form's `dirtyFields` name. */
export function countDirtyValues(dirty: unknown): number {
  if (dirty === true) return 1;
  if (typeof dirty !== "object" || dirty === null) return 0;
  return Object.values(dirty).reduce((sum: number, one) => sum + countDirtyValues(one), 0);
}
