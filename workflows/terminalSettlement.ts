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
 * After a member has left, waits until no refund of the remaining credit is under way. Each read of the rows also says
 * when to read them again.
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
