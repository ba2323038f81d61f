/**
 * Limits how many requests a user, a company and a network address can send a minute. Counts in memory, because a count
 * in the database would slow down each request.
 */
import { waitRefusals } from "#core/wait-refusals.ts";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "#core/errors.ts";
import type { Caller } from "../capacity/caller.ts";
import { requestRate } from "../capacity/resources.ts";

export interface RequestRate {
  /**
   * Counts points against the limits of a user and the user's company.
   * @param companyUsers the number of users of the company
   * @throws AppError rate_limited, with the seconds to wait
   */
  take(caller: Caller, companyUsers: number, points: number): Promise<void>;
  /** Counts points against the limit of a network address. @throws AppError rate_limited, with the seconds to wait */
  takeAddress(address: string, points: number): Promise<void>;
  /** Subtracts points that were counted against the address, once the user of the request is known. */
  giveBack(address: string, points: number): Promise<void>;
}

/** Creates the limits. @param points the number of points that a user has a minute */
export function createRequestRate(points: number): RequestRate {
  const { seconds: duration, companyFactor, usersOfShare, addressFactor } = requestRate;
  const users = new RateLimiterMemory({ points, duration });
  // companies have different limits, so this limiter only counts, and `take` compares
  const companies = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration });
  const addresses = new RateLimiterMemory({ points: points * addressFactor, duration });
  return {
    async take({ companyId, userId }, companyUsers, cost) {
      await consumeRate(users, userId, cost);
      const taken = await companies.consume(companyId, cost);
      const share = points * Math.max(companyFactor, companyUsers / usersOfShare);
      if (taken.consumedPoints > share) throw rateLimitError(taken);
    },
    takeAddress: (address, cost) => consumeRate(addresses, address, cost),
    async giveBack(address, cost) {
      await addresses.reward(address, cost);
    },
  };
}

async function consumeRate(limiter: RateLimiterMemory, key: string, cost: number): Promise<void> {
  try {
    await limiter.consume(key, cost);
  } catch (error) {
    throw rateLimitError(error as RateLimiterRes);
  }
}

function rateLimitError({ msBeforeNext }: RateLimiterRes): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new AppError("rate_limited", waitRefusals.requests(), { retryAfterSeconds });
}
