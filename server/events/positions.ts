/**
 * A client's place in its company's events, as an opaque text: it shows neither how many events there were, nor whether
 * there was a new one. Any server of the installation reads it.
 */
import type { Clock } from "#core/clock.ts";
import type { Keyring } from "../keys/keyring.ts";

/** A browser that was away longer refreshes everything. */
export const eventsKeptMs = 24 * 3_600_000;
/** Shorter than events are kept, so that the answer to a position doesn't depend on when events were deleted. */
const positionHoldsMs = eventsKeptMs / 2;

/** Numbers are padded to this length, so that positions don't show how large they are. */
const digits = 16;

export interface Positions {
  write(companyId: string, seq: number): string;
  /** @returns null for another company's, an old or an unknown text */
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
