/** Notes on how the stored text differs from the text that was typed or pasted. */
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { textNoteTexts as texts } from "./note-texts.ts";

/** The navigation state with the notes of a save, for the SOP's page that opens after it. */
export interface TextNotesState {
  saveNotes?: readonly string[];
}

const shownAtMost = 5;

interface TextNotesProps {
  title: string;
  notes: readonly string[];
  onClose(): void;
}

const id = "text-notes";

/** Scrolls to the notes on this page. */
export function scrollToTextNotes(): void {
  // The notes may appear only with the next render.
  setTimeout(() => document.getElementById(id)?.scrollIntoView({ block: "center" }));
}

export function TextNotes({ title, notes, onClose }: TextNotesProps) {
  if (notes.length === 0) return null;
  const more = notes.slice(shownAtMost);
  return (
    <div id={id} data-print="hide">
      <Alert
        live
        title={title}
        actions={
          <Button size="sm" onClick={onClose}>
            {texts.close}
          </Button>
        }
      >
        <TextNoteList notes={notes.slice(0, shownAtMost)} />
        {more.length > 0 && (
          <details>
            <summary className="min-h-6 content-center text-muted">{texts.more({ count: more.length })}</summary>
            <TextNoteList notes={more} />
          </details>
        )}
      </Alert>
    </div>
  );
}

function TextNoteList({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="list-disc pl-4 break-words">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
