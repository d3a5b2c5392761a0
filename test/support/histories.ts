/** Recorded histories: a changed workflow must still replay what the old one did. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporal as protobuf } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';

const { History } = protobuf.api.history.v1;
const FOLDER = path.resolve(__dirname, '../workflows/histories');

/** Writes the history of an ended workflow when RECORD_HISTORIES is set; call it at the end of a story. */
export async function recordHistory(workflowId: string, name: string): Promise<void> {
  if (!process.env['RECORD_HISTORIES']) return;
  const history = await temporal().workflow.getHandle(workflowId).fetchHistory();
  writeFileSync(
    path.join(FOLDER, `${name}.binpb`),
    History.encode(History.create(withoutHost(history) as object)).finish(),
  );
}

/** Replay does not look at who polled or where code lies, and a recording is no place for the names of machines. */
function withoutHost(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\d+@[\w.-]+/g, 'worker').replaceAll(process.cwd(), '/srv/platform');
  if (Array.isArray(value)) return value.map(withoutHost);
  // Payloads and 64-bit numbers are classes or bytes: they stay as they are.
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || 'low' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHost(inner)]));
}

/** The recorded histories whose names start with a workflow type. */
export const recordedHistories = (workflowType: string): string[] =>
  readdirSync(FOLDER).filter((file) => file.startsWith(`${workflowType}-`) && file.endsWith('.binpb'));

/**
 * Replays all recorded histories against the code of today, by one worker: each would else compile the bundle for itself.
 * @returns by file, what differs: undefined where nothing does
 */
export async function replayAll(): Promise<Map<string, Error | undefined>> {
  if (!config.WORKFLOW_BUNDLE) throw new Error('The workflow bundle is missing.');
  const options = { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } };
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.binpb'));
  const histories = files.map((file) => ({
    workflowId: file,
    history: History.decode(readFileSync(path.join(FOLDER, file))),
  }));
  const outcomes = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories))
    outcomes.set(workflowId, error);
  return outcomes;
}
