import { PassThrough } from "node:stream";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

const heartbeatMs = 25_000;

export function eventHandlers({ db, events, companies }: Services): Handlers<"events"> {
  return {
    async stream({ ctx, identity }) {
      const { user } = identity;
      const stream = new PassThrough();
      ctx.req.setTimeout(0);
      ctx.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
      ctx.type = "text/event-stream";
      ctx.status = 200;
      ctx.body = stream;
      stream.write(": connected\n\n");
      const header = ctx.get("last-event-id");
      const leave = await events.join(
        {
          companyId: user.companyId,
          send(batch) {
            for (const { seq, resources, sopId } of batch) {
              stream.write(`id: ${seq}\ndata: ${JSON.stringify({ id: seq, resources, sopId })}\n\n`);
            }
          },
          reset(seq) {
            stream.write(`id: ${seq}\nevent: reset\ndata: {}\n\n`);
          },
          end: () => stream.end(),
        },
        /^\d{1,15}$/.test(header) ? Number(header) : null,
      );
      // a stream outlives its request's checks: who may no longer sign in is cut off with the next beat
      const timer = setInterval(() => void beat(), heartbeatMs);
      const beat = async () => {
        const now = await db.collection("users").findOne({ _id: user._id });
        const company = await companies.get(user.companyId);
        const active =
          now?.status === "active" && now.sessionVersion === user.sessionVersion && company?.status === "active";
        if (active) stream.write(": beat\n\n");
        else stream.end();
      };
      stream.once("close", () => {
        clearInterval(timer);
        leave();
      });
    },
  };
}
