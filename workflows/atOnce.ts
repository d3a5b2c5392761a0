/** Runs a step that only touches the database as a local activity, which needs no task of its own. */
import { patched, proxyLocalActivities } from '@temporalio/workflow';

/** A workflow task is lost after 10 seconds; the local activity must end before that. */
const LIMITS = { startToCloseTimeout: '4 seconds', retry: { maximumAttempts: 1 } } as const;

type Step = (input: never) => Promise<unknown>;

/**
 * Tries a step once as a local activity. If that fails for any reason, the step runs as an ordinary activity:
 * operators see it, and it is retried without limit. If the worker dies during the local try, the workflow task is
 * lost and the step runs again.
 */
export function atOnce<Name extends string, Steps extends Record<Name, Step>>(name: Name, steps: Steps): Steps[Name] {
  const { [name]: step } = steps;
  const here = proxyLocalActivities<Record<string, (input: unknown) => Promise<unknown>>>(LIMITS);
  const tried: Step = async (input) => {
    // Histories recorded before this change have no local activity here.
    if (!patched(`${name}-at-once`)) return step(input);
    try {
      return await here[name]?.(input);
    } catch {
      // The ordinary activity meets the same error and reports it.
      return step(input);
    }
  };
  return tried as Steps[Name];
}
