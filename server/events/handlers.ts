import { PassThrough } from "node:stream";
import { seesAllLatest, worksOnPublished } from "#core/permissions/can.ts";
import { serverLimits } from "../capacity/resources.ts";
import { actorOf } from "../http/identify.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

export function eventHandlers({
  events,
  clock,
  shares,
}: Pick<Services, "events" | "clock" | "shares">): Handlers<"events"> {
  return {
    async stream({ ctx, identity, query }) {
      const { user, session, tokenId } = identity;
      const giveBack = await shares.streams.enter();
      ctx.res.once("close", giveBack);
      const stream = new PassThrough();
      const write = (text: string) => {
        if (stream.writableEnded || stream.destroyed) return;
        if (stream.writableLength + stream.readableLength > serverLimits.streamBytes.atMost) stream.destroy();
        else stream.write(text);
      };
      ctx.req.setTimeout(0);
      ctx.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
      ctx.type = "text/event-stream";
      ctx.status = 200;
      ctx.body = stream;
      write(": connected\n\n");
      const header = ctx.get("last-event-id");
      const leave = await events.join(
        {
          companyId: user.companyId,
          userId: user._id,
          sessionVersion: user.sessionVersion,
          credential: session ? { kind: "sessions", id: session._id } : { kind: "tokens", id: tokenId ?? "" },
          send(batch, who) {
            const actor = actorOf(who.user, who.company, clock.now());
            const allLatest = seesAllLatest(actor);
            const someLatest = allLatest || worksOnPublished(actor);
            for (const { seq, resources, sopId, readersSee, to, orHeads } of batch) {
              const isForLatest = (orHeads === "all" && allLatest) || (orHeads === "published" && someLatest);
              if (to && !to.includes(who.user._id) && !isForLatest) continue;
              // readers must not learn a draft's id, or when a user worked on it
              const id = allLatest || readersSee === true ? sopId : null;
              write(`id: ${seq}\ndata: ${JSON.stringify({ id: seq, resources, sopId: id })}\n\n`);
            }
          },
          reset: (seq) => write(`id: ${seq}\nevent: reset\ndata: {}\n\n`),
          beat: () => write(": beat\n\n"),
          end: () => stream.end(),
        },
        /^\d{1,15}$/.test(header) ? Number(header) : (query.since ?? null),
      );
      if (stream.destroyed) leave();
      else stream.once("close", leave);
    },
  };
}
