/** Steps that only touch the database need no task of their own: they are tried within that of their process. */
import { patched, proxyLocalActivities } from '@temporalio/workflow';

/** The process holds its own task meanwhile, which is lost after 10 seconds. */
const LIMITS = { startToCloseTimeout: '4 seconds', retry: { maximumAttempts: 1 } } as const;

type Step = (input: never) => Promise<unknown>;

/**
 * Tries a step once where its process runs. If that fails, for whatever reason, it is a step like any other: operators see it,
 * and it is tried for as long as it takes. A worker that dies in it costs the process's task, and the step runs again.
 * @param steps as `proxyActivities` gives them
 */
export function atOnce<Name extends string, Steps extends Record<Name, Step>>(name: Name, steps: Steps): Steps[Name] {
  const { [name]: step } = steps;
  const here = proxyLocalActivities<Record<string, (input: unknown) => Promise<unknown>>>(LIMITS);
  const tried: Step = async (input) => {
    // Processes that an older release has brought this far have no such try in their histories.
    if (!patched(`${name}-at-once`)) return step(input);
    try {
      return await here[name]?.(input);
    } catch {
      // Whatever it was, the step comes to it again and says so.
      return step(input);
    }
  };
  return tried as Steps[Name];
}
