/** With a payload key, failures are as unreadable in Temporal as inputs. */
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal as protobuf } from '@temporalio/proto';
import { processId } from '../../api/processes/id.js';
import { config } from '../../config.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { payloadCodecs } from '../../gateways/temporal/codec.js';
import { failureConverter } from '../../gateways/temporal/failureConverter.js';
import { failureKind } from '../../gateways/temporal/processes/failures.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { aWorld } from '../support/world.js';

let platform: Platform;

beforeAll(async () => {
  Object.assign(config, { TEMPORAL_PAYLOAD_KEYS: [{ id: 'one', secret: randomBytes(32).toString('base64') }] });
  platform = await startPlatform();
});
afterAll(() => platform.close());

test('neither message nor stack of a failed step is stored in the clear, and the process details name the failure', async () => {
  const { organizationId, chapterId, termId, admin } = await aWorld();
  // An attempt that does not exist.
  const input = { organizationId, remittanceId: termId, attemptId: termId, chapterId };
  const handle = await temporal().workflow.start('payRemittance', {
    ...startOptions(payRemittance, input, null),
    taskQueue: queueName('payments'),
  });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { cause: { message: 'There is no such payment attempt.', stack: expect.stringContaining('payRemittance') } },
  });
  const { History } = protobuf.api.history.v1;
  const stored = Buffer.from(History.encode(await handle.fetchHistory()).finish()).toString('latin1');
  expect(stored).toContain('Encoded failure');
  expect(stored).not.toContain('no such payment attempt');
  expect(stored).not.toContain('payRemittance.ts');
  const { body } = await platform.client(admin).get(`/api/processes/${processId(handle.workflowId)}/`);
  expect(body).toMatchObject({ status: 'failed', last_failure: { code: 'row_missing' } });
});

test('a database outage is reported as such, whether its message is encrypted or not', async () => {
  const error = new Error('Connection terminated unexpectedly');
  const failure = failureConverter.errorToFailure(error, defaultPayloadConverter);
  const [sealed] = (await payloadCodecs()[0]?.encode([failure.encodedAttributes as never])) ?? [];
  expect(await failureKind({ ...failure, encodedAttributes: sealed as never })).toEqual({ type: 'DatabaseAway' });
  expect(await failureKind({ message: error.message })).toEqual({ type: 'DatabaseAway' });
});
