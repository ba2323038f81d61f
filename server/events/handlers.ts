import { PassThrough } from "node:stream";
import { serverLimits } from "../capacity/resources.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

export function eventHandlers({ events, shares }: Pick<Services, "events" | "shares">): Handlers<"events"> {
  return {
    async stream({ ctx, identity, query }) {
      const { user, session, tokenId } = identity;
      const giveBack = await shares.streams.enter();
      ctx.res.once("close", giveBack);
      const stream = new PassThrough();
      const writeToStream = (text: string) => {
        if (stream.writableEnded || stream.destroyed) return;
        if (stream.writableLength + stream.readableLength > serverLimits.streamBytes.atMost) stream.destroy();
        else stream.write(text);
      };
      ctx.req.setTimeout(0);
      ctx.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
      ctx.type = "text/event-stream";
      ctx.status = 200;
      ctx.body = stream;
      writeToStream(": connected\n\n");
      const leave = await events.join(
        {
          companyId: user.companyId,
          userId: user._id,
          sessionVersion: user.sessionVersion,
          credential: session ? { kind: "sessions", id: session._id } : { kind: "tokens", id: tokenId ?? "" },
          send: ({ position, ...told }) =>
            writeToStream(`id: ${position}\ndata: ${JSON.stringify({ id: position, ...told })}\n\n`),
          reset: (position) => writeToStream(`id: ${position}\nevent: reset\ndata: {}\n\n`),
          beat: () => writeToStream(": beat\n\n"),
          end: () => stream.end(),
        },
        ctx.get("last-event-id") || (query.since ?? null),
      );
      if (stream.destroyed) leave();
      else stream.once("close", leave);
    },
  };
}
