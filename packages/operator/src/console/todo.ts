import type { TodoView } from "@intents/console/todo.tsx";
import { findTasks } from "../tasks.ts";
import type { Means } from "./means.ts";

const SHOWN_MAX = 200;

/** What `operator todo` tells, of one tenant or of all and the service. */
export async function readTodo({ session }: Means, tenantId: string, isEverywhere: boolean): Promise<TodoView> {
  const tasks = await findTasks(session, isEverywhere ? undefined : tenantId, Date.now());
  return { tasks: tasks.slice(0, SHOWN_MAX), count: tasks.length, isEverywhere };
}
