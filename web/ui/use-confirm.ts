import { useState } from "react";

interface OpenConfirm<Asked> {
  asked: Asked;
  answer(isConfirmed: boolean): void;
}

/** A question that must be answered before work goes on: `if (!(await question.ask(what))) return;` */
export function useConfirm<Asked>() {
  const [open, setOpen] = useState<OpenConfirm<Asked> | null>(null);
  return {
    /** What is asked now; null while nothing is. */
    subject: open?.asked ?? null,
    ask: (subject: Asked) => new Promise<boolean>((answer) => setOpen({ asked: subject, answer })),
    answer: (isConfirmed: boolean) => {
      open?.answer(isConfirmed);
      setOpen(null);
    },
  };
}
