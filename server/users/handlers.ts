import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

export function userHandlers({ db }: Services): Handlers<"users"> {
  return {
    async list({ identity }) {
      const people = await db
        .forCompany(identity.actor.companyId)
        .collection("users")
        .find({ status: "active" }, { sort: { name: 1 }, projection: { name: 1 } });
      return people.map(({ _id, name }) => ({ id: _id, name }));
    },
  };
}
