import { useState } from "react";

interface OpenConfirm<Asked> {
  asked: Asked;
  answer(isConfirmed: boolean): void;
}

/** Returns functions to ask a question and wait for its answer, as in `if (!(await question.ask(what))) return;`. */
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
