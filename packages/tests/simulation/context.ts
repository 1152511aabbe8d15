import { mock } from "node:test";
import type { Message } from "@intents/storage/queue/queue.ts";
import type { openFates } from "./fates.ts";
import type { Ledger } from "./ledger.ts";
import type { People } from "./people.ts";
import type { Random } from "./random.ts";
import type { openReceiver } from "./receivers.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Clock, SimulatedWorld } from "./world.ts";

export type Mail = { message: Message; atMs: number };

export type Context = Readonly<{
  random: Random;
  scheduler: Scheduler;
  world: SimulatedWorld;
  ledger: Ledger;
  /** Reads on in the events of all tenants, and has their webhooks taken. */
  follow(): Promise<void>;
  fates: ReturnType<typeof openFates>;
  receivers: readonly ReturnType<typeof openReceiver>[];
  people: People;
  trace: (line: string) => void;
  /** Fails the episode with the first violation that a worker or a witness has seen. */
  judge(): void;
  /** Starts a worker, whose clock is wrong if it is ahead by `wrongMs`. */
  start(name: string, work: () => Promise<unknown>, wrongMs?: number): Promise<void>;
  mailbox: Mail[];
  /** Messages that were received five times in vain, until an operator sends them once more. */
  deadLetters: Mail[];
  rates: { faultRate: number; deathRate: number };
}>;

/** Lets one call go, a little later. */
export async function step({ scheduler, rates, judge, world, random }: Context): Promise<void> {
  move(world.clock, random.below(20));
  await scheduler.step(rates);
  judge();
}

export function move(clock: Clock, byMs: number): void {
  clock.ms += byMs;
  mock.timers.setTime(clock.ms);
}

/** Lets all workers go on that do not stand still. */
export async function finishAll(context: Context): Promise<void> {
  while (context.scheduler.hasWaiting()) await step(context);
}

/** Lets all workers go on, also those that stand still. */
export async function finishWholly(context: Context): Promise<void> {
  while (context.scheduler.running.size > 0) {
    context.scheduler.wakeAll();
    await finishAll(context);
  }
}
