/**
 * Encodes a client's position in its company's events. The text shows neither how many events there were, nor whether
 * there was a new one. Any server of the installation can read it.
 */
import type { Clock } from "#core/clock.ts";
import { eventsKeptMs } from "../database/documents/running.ts";
import type { Keyring } from "../keys/keyring.ts";

/** Shorter than `eventsKeptMs`, so that the answer to a position doesn't depend on when events were deleted. */
const positionHoldsMs = eventsKeptMs / 2;

/** The length to which numbers are padded, so that positions don't show how large they are. */
const digits = 16;

export interface Positions {
  write(companyId: string, seq: number): string;
  /** @returns null for the text of another company, an old or an unknown one */
  read(companyId: string, text: string): number | null;
}

export function eventPositions({ keys, clock }: { keys: Keyring; clock: Clock }): Positions {
  const placeOf = (companyId: string) => `events/${companyId}`;
  return {
    write: (companyId, seq) =>
      keys.sealForClient(
        [seq, clock.millis()].map((part) => String(part).padStart(digits, "0")).join(""),
        placeOf(companyId),
      ),
    read(companyId, text) {
      const opened = keys.openFromClient(text, placeOf(companyId));
      if (!opened.ok) return null;
      const [seq, writtenAt] = [opened.text.slice(0, digits), opened.text.slice(digits)].map(Number);
      if (seq === undefined || writtenAt === undefined) return null;
      return clock.millis() - writtenAt < positionHoldsMs ? seq : null;
    },
  };
}
