/** The input of a handler for a call by a demo user: signed in, as over HTTP, but without the network. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import { defaultSettings } from "#core/companies/settings.ts";
import { newId } from "#core/ids.ts";
import type { UserDocument } from "../../database/documents.ts";
import { actorOf } from "../../http/identify.ts";

const app = new Koa();

/** The demo's companies use the default settings. */
export function callAs(user: UserDocument) {
  const actor = actorOf(user, { settings: defaultSettings }, user.createdAt);
  const identity = { actor, user, tokenId: null, session: null };
  return <Params, Body>(params: Params, body: Body) => {
    const request = new IncomingMessage(new Socket());
    return {
      params,
      query: undefined,
      body,
      identity,
      origin: { requestId: newId(), ipAddress: null, userAgent: "sop admin demo" },
      ifMatch: null,
      idempotency: null,
      progress: null,
      ctx: app.createContext(request, new ServerResponse(request)),
    };
  };
}
