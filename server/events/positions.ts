/**
 * Where a client is in its company's events, as a text that tells nothing: not how many events there were, nor whether
 * there was one since. Any server of the installation reads it.
 */
import type { Clock } from "#core/clock.ts";
import type { Keyring } from "../keys/keyring.ts";

/** A browser that was away longer refreshes everything. */
export const eventsKeptMs = 24 * 3_600_000;
/** Less than events are kept: what a position answers must not depend on when others were deleted. */
const positionHoldsMs = eventsKeptMs / 2;

/** Texts of one length have positions of one length. */
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
