import { proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/finances/terminalSettlement.js';
import {
  terminalSettlement as entry,
  type TerminalSettlementInput,
  type TerminalSettlementOutcome,
} from './contracts/terminalSettlement.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { followTerminalSettlement } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/**
 * Refunds the credit that a member still has after leaving, and ends when no refund is under way any more. Each step
 * advances the settlement as far as possible and returns how long to wait before the next one.
 */
export async function terminalSettlement(input: TerminalSettlementInput): Promise<TerminalSettlementOutcome> {
  stage('waiting');
  for (;;) {
    const step = await followTerminalSettlement(input);
    if ('over' in step) {
      stage(step.over);
      return step.over;
    }
    stage(step.stage);
    await sleep(`${step.seconds} seconds`);
  }
}
