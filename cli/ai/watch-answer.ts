/** Shows on the terminal how many characters an AI has sent, and for how many seconds it has been answering. */
import type { StreamListener } from "#core/ai/stream.ts";
import type { CommandOutput } from "../output.ts";

interface AnswerProgress {
  listening: StreamListener;
  stop(): void;
}

/** @param idleMs milliseconds without any sign of the provider after which its request ends */
export function showAnswerProgress(
  { progress }: Pick<CommandOutput, "progress">,
  asking: string,
  idleMs: number,
): AnswerProgress {
  const started = Date.now();
  let characters = 0;
  const showProgress = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    const length = characters === 0 ? "" : `${characters.toLocaleString("en")} characters, `;
    progress(`${asking} ${length}${seconds} s`);
  };
  progress(asking);
  const timer = setInterval(showProgress, 1000);
  return {
    listening: {
      idleMs,
      onText(text) {
        characters = text.length;
      },
    },
    stop() {
      clearInterval(timer);
      progress(null);
    },
  };
}
