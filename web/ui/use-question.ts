import { useState } from "react";

interface Open<Asked> {
  asked: Asked;
  answer(isConfirmed: boolean): void;
}

/** A question that must be answered before work goes on: `if (!(await question.ask(what))) return;` */
export function useQuestion<Asked>() {
  const [open, setOpen] = useState<Open<Asked> | null>(null);
  return {
    /** What is asked now; null while nothing is. */
    asked: open?.asked ?? null,
    ask: (asked: Asked) => new Promise<boolean>((answer) => setOpen({ asked, answer })),
    answer: (isConfirmed: boolean) => {
      open?.answer(isConfirmed);
      setOpen(null);
    },
  };
}
