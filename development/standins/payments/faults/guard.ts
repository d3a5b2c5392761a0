/** Applies the active faults to a request, before it is executed and before it is answered. */
import type { Answer, Exchange } from '../../kit/exchange.js';
import type { Faults, Target } from './faults.js';

export interface Performed {
  answer: Answer;
  /** False if the request was refused without being executed. Faults that act after the execution then do not apply. */
  executed: boolean;
}

/** Performs the request unless a fault prevents it. @returns null when the connection must be dropped */
export async function throughFaults(
  faults: Faults,
  target: Target,
  exchange: Exchange,
  perform: () => Promise<Performed>,
): Promise<Answer | null> {
  const before = faults.forRequest(['drop_before_capture', 'hang', 'hold'], target);
  if (before) {
    faults.use(before);
    exchange.fault = before.kind;
    if (before.kind === 'drop_before_capture') return null;
    if (before.kind === 'hang') {
      await faults.wait('hang', target, exchange.closed);
      return null;
    }
    // After its release, a held request is executed even if its client has disconnected, as at a real gateway.
    if ((await faults.wait('hold', target)) === 'closed') return null;
  }
  const { answer, executed } = await perform();
  const after = executed ? faults.forRequest(['drop_after_capture', 'hold_after_capture'], target) : undefined;
  if (!after) return answer;
  faults.use(after);
  exchange.fault = after.kind;
  if (after.kind === 'drop_after_capture') return null;
  return (await faults.wait('hold', target)) === 'closed' ? null : answer;
}
