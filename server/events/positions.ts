/**
 * Encrypts a client's position in its company's events. The text reveals neither the number of events nor whether there
 * was a new one. Every server of the installation can read it.
 */
import type { Clock } from "#core/clock.ts";
import { eventsKeptMs } from "../database/documents/running.ts";
import type { Keyring } from "../keys/keyring.ts";

/**
 * Milliseconds for which a position is valid. Less than `eventsKeptMs`, so that the answer doesn't depend on when old
 * events are deleted.
 */
const positionHoldsMs = eventsKeptMs / 2;

/** The number of digits to which positions are padded, so that the length of the text doesn't reveal their size. */
const digits = 16;

export interface Positions {
  write(companyId: string, seq: number): string;
  /** Reads a position. @returns null for an invalid or expired text, or one of another company */
  read(companyId: string, text: string): number | null;
}

export function createEventPositions({ keys, clock }: { keys: Keyring; clock: Clock }): Positions {
  const sealContextOf = (companyId: string) => `events/${companyId}`;
  return {
    write: (companyId, seq) =>
      keys.sealForClient(
        [seq, clock.millis()].map((part) => String(part).padStart(digits, "0")).join(""),
        sealContextOf(companyId),
      ),
    read(companyId, text) {
      const opened = keys.openFromClient(text, sealContextOf(companyId));
      if (!opened.ok) return null;
      const [seq, writtenAt] = [opened.text.slice(0, digits), opened.text.slice(digits)].map(Number);
      if (seq === undefined || writtenAt === undefined) return null;
      return clock.millis() - writtenAt < positionHoldsMs ? seq : null;
    },
  };
}
