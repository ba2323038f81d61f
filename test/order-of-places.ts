import { currentCaller, type Caller } from "../server/capacity/caller.ts";
import type { FairQueue } from "../server/capacity/fair-queue.ts";
import { resources, type Shares } from "../server/capacity/resources.ts";

const order = Object.keys(resources);

/**
 * Refuses a place to a request that has a place of the same kind, or of a later kind in the table of resources. Two
 * requests that take places in the same order can't wait for each other. The server's own work has no request and isn't
 * checked.
 */
export function checkOrderOfPlaces(shares: Shares): void {
  const held = new WeakMap<Caller, string[]>();
  const checked = (name: string, { enter }: FairQueue): FairQueue["enter"] => {
    return async (caller) => {
      const request = currentCaller();
      if (request.companyId === "server") return enter(caller);
      const names = held.get(request) ?? [];
      held.set(request, names);
      const later = names.find((one) => order.indexOf(one) >= order.indexOf(name));
      if (later !== undefined) throw new Error(`a request with a place of ${later} asks for one of ${name}`);
      const leave = await enter(caller);
      names.push(name);
      const leaveBoth = () => {
        if (names.includes(name)) names.splice(names.indexOf(name), 1);
        leave();
      };
      return Object.assign(leaveBoth, { isWanted: leave.isWanted });
    };
  };
  for (const [name, queue] of Object.entries(shares)) {
    const enter = checked(name, queue);
    Object.assign(queue, {
      enter,
      async run<T>(work: () => Promise<T>, caller?: Caller): Promise<T> {
        const leave = await enter(caller);
        return work().finally(leave);
      },
    });
  }
}
