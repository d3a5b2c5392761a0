/** Runs a step that only touches the database as a local activity, which needs no workflow task of its own. */
import { proxyLocalActivities } from '@temporalio/workflow';

/** The local activity must end before the workflow task times out after 10 seconds. */
const LIMITS = { startToCloseTimeout: '4 seconds', retry: { maximumAttempts: 1 } } as const;

type Step = (input: never) => Promise<unknown>;

/**
 * Tries a step once as a local activity. If that fails for any reason, the step runs as an ordinary activity, which
 * operators can see and which is retried without limit. If the worker dies during the local attempt, the workflow task
 * is lost and the step runs again.
 */
export function localActivityFirst<Name extends string, Steps extends Record<Name, Step>>(
  name: Name,
  steps: Steps,
): Steps[Name] {
  const { [name]: step } = steps;
  const local = proxyLocalActivities<Record<string, (input: unknown) => Promise<unknown>>>(LIMITS);
  const run: Step = async (input) => {
    try {
      return await local[name]?.(input);
    } catch {
      // If the local attempt failed, run the ordinary activity. It fails with the same error if the cause remains, and
      // reports it.
      return step(input);
    }
  };
  return run as Steps[Name];
}
