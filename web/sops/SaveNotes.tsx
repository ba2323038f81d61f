/** What the server changed in a text when it stored it. */
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { saveNoteTexts as texts } from "./texts.ts";

/** The state of the address of the SOP's page, which shows the notes of the save before. */
export interface SaveNotesState {
  saveNotes?: readonly string[];
}

const shownAtMost = 5;

export function SaveNotes({ notes, onClose }: { notes: readonly string[]; onClose(): void }) {
  if (notes.length === 0) return null;
  const more = notes.slice(shownAtMost);
  return (
    <div data-print="hide">
      <Alert
        live
        title={texts.title}
        actions={
          <Button size="sm" onClick={onClose}>
            {texts.close}
          </Button>
        }
      >
        <Lines notes={notes.slice(0, shownAtMost)} />
        {more.length > 0 && (
          <details>
            <summary className="min-h-6 content-center text-muted">{texts.more(more.length)}</summary>
            <Lines notes={more} />
          </details>
        )}
      </Alert>
    </div>
  );
}

function Lines({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="list-disc pl-4 break-words">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
