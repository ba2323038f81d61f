/** How many requests a user and a company may send: counted in memory, beside the hot path. */
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "#core/errors.ts";
import type { Asker } from "../capacity/asker.ts";
import { requestRate } from "../capacity/resources.ts";

export interface RequestRate {
  /** @throws AppError rate_limited, with the seconds to wait */
  take(asker: Asker, points: number): Promise<void>;
}

/** @param points of one user a minute */
export function createRequestRate(points: number): RequestRate {
  const { seconds: duration, companyFactor } = requestRate;
  const users = new RateLimiterMemory({ points, duration });
  const companies = new RateLimiterMemory({ points: points * companyFactor, duration });
  return {
    async take({ companyId, userId }, cost) {
      try {
        await users.consume(userId, cost);
        await companies.consume(companyId, cost);
      } catch (error) {
        const { msBeforeNext } = error as RateLimiterRes;
        throw new AppError("rate_limited", "Too many requests", {
          retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
        });
      }
    },
  };
}
