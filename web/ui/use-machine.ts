import { useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from "react";

type MachineNext<State, Event, Effect> = (state: State, event: Event) => readonly [State, readonly Effect[]];

/**
 * Runs a pure state machine in a component. Handles one event after another, and runs its effects at once. Effects also
 * run after the component has unmounted, because an answer can arrive late.
 * @param run runs one effect; events that it sends are handled after the effects of the current event
 */
export function useMachine<State, Event, Effect>(
  next: MachineNext<State, Event, Effect>,
  first: () => State,
  run: (effect: Effect) => void,
) {
  const [machine] = useState(() => createMachine(next, first()));
  const onEffect = useEffectEvent(run);
  useLayoutEffect(() => machine.listen(onEffect), [machine]);
  return { ...machine, state: useSyncExternalStore(machine.subscribe, machine.read) };
}

function createMachine<State, Event, Effect>(next: MachineNext<State, Event, Effect>, first: State) {
  const observers = new Set<() => void>();
  const waiting: Event[] = [];
  let state = first;
  let onEffect: ((effect: Effect) => void) | null = null;
  let isRunning = false;

  const readState = (): State => state;
  const subscribe = (observer: () => void) => {
    observers.add(observer);
    return () => void observers.delete(observer);
  };
  return {
    read: readState,
    subscribe,
    listen: (run: (effect: Effect) => void) => void (onEffect = run),
    send(event: Event): void {
      waiting.push(event);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let now = waiting.shift(); now !== undefined; now = waiting.shift()) {
          const [following, effects] = next(state, now);
          const isNew = following !== state;
          state = following;
          for (const effect of effects) onEffect?.(effect);
          if (isNew) for (const observer of observers) observer();
        }
      } finally {
        isRunning = false;
      }
    },
    /** Resolves as soon as the condition is true. */
    until: (holds: (state: State) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const resolveIfTrue = (): void => {
          if (!holds(state)) return;
          observers.delete(resolveIfTrue);
          resolve();
        };
        observers.add(resolveIfTrue);
        resolveIfTrue();
      }),
  };
}
