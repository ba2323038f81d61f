import { useState } from "react";

interface OpenConfirm<Asked> {
  asked: Asked;
  answer(isConfirmed: boolean): void;
}

/** Asks a question that must be answered before work continues, as in `if (!(await question.ask(what))) return;`. */
export function useConfirm<Asked>() {
  const [open, setOpen] = useState<OpenConfirm<Asked> | null>(null);
  return {
    /** The subject of the open question; null if none is open. */
    subject: open?.asked ?? null,
    ask: (subject: Asked) => new Promise<boolean>((answer) => setOpen({ asked: subject, answer })),
    answer: (isConfirmed: boolean) => {
      open?.answer(isConfirmed);
      setOpen(null);
    },
  };
}
