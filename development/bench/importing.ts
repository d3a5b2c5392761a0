/** A roster import: read, previewed and processed; then the same file again, which changes nothing. */
import type { Client } from 'pg';
import { type Check, check } from './audience.js';
import { measureWork } from './memory.js';
import type { Call } from './protocol.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const IMPORTING = 'an import';

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Starts the worker of the bulk queue. @returns its process id */
  startWorker: () => Promise<number>;
  lines: number;
}

interface Import {
  id: string;
  step: string | null;
  outcome: string | null;
  preview_hash: string;
  rows_create: number;
  rows_unchanged: number;
  rows_created: number;
  rows_left: number;
}

export async function measureImport({ owner, api, world, startWorker, lines }: Setup): Promise<Check[]> {
  const headers = await signIn(api, world.admin);
  const file = await rosterFile(owner, world, lines);
  const { answer, megabytes } = await measureWork(await startWorker(), async () => ({
    first: await wholeImport({ api, world, headers, file }),
    again: await wholeImport({ api, world, headers, file }),
  }));
  const { first, again } = answer;
  if (first.ended.rows_created !== lines || again.ended.rows_left !== lines)
    throw new Error('The imports did not create and skip the expected rows.');
  return [
    check(`import of ${lines} new members, without user time${parts(first)}`, total(first), 90, 's'),
    check(`the same file again, which changes no member${parts(again)}`, total(again), 90, 's'),
    check('memory of the worker meanwhile', megabytes, 350, 'MB'),
  ];
}

interface Durations {
  read: number;
  preview: number;
  process: number;
  ended: Import;
}

const total = ({ read, preview, process }: Durations): number => read + preview + process;
const parts = ({ read, preview, process }: Durations): string =>
  ` (read ${read.toFixed(1)}, previewed ${preview.toFixed(1)}, processed ${process.toFixed(1)})`;

/** Builds a file with new people, distributed evenly over all chapters of the organization. */
async function rosterFile(owner: Client, { organizationId }: World, lines: number): Promise<string> {
  const { rows: chapters } = await owner.query<{ id: string }>(
    `SELECT id FROM chapters WHERE organization_id = $1 AND status = 'active' ORDER BY id`,
    [organizationId],
  );
  const line = (_: unknown, n: number) =>
    `new-${n}@bench.example.org,Given ${n % 997},Family ${n % 3989},${chapters[n % chapters.length]?.id},undergrad,2024-09-01,2028,SPRING,Alpha`;
  const titles = 'email,first name,last name,chapter,status,joined date,graduation year,graduation season,pledge class';
  return [titles, ...Array.from({ length: lines }, line)].join('\n');
}

interface ImportInput {
  api: string;
  world: World;
  headers: Record<string, string>;
  file: string;
}

/** Runs all steps and measures each from request to end, in seconds. */
async function wholeImport({ api, world, headers, file }: ImportInput): Promise<Durations> {
  const uploaded = await timed(async () => {
    const id = await upload({ api, world, headers, file });
    return untilIdle(api, headers, id);
  });
  const step = (path: string, body: object) =>
    timed(async () => {
      const call: Pick<Call, 'method' | 'path'> = {
        method: 'POST',
        path: `/api/imports/${uploaded.answer.id}/${path}/`,
      };
      const json = { ...headers, 'Content-Type': 'application/json' };
      await ask(api, { ...call, headers: json, body: JSON.stringify(body) });
      return untilIdle(api, headers, uploaded.answer.id);
    });
  const previewed = await step('preview', {});
  const { preview_hash } = previewed.answer;
  const processed = await step('process', { preview_hash, on_existing: 'overwrite' });
  if (processed.answer.outcome !== 'completed') throw new Error('The import did not complete.');
  return {
    read: uploaded.seconds,
    preview: previewed.seconds,
    process: processed.seconds,
    ended: processed.answer,
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; seconds: number }> {
  const begun = performance.now();
  const answer = await work();
  return { answer, seconds: (performance.now() - begun) / 1000 };
}

async function upload({ api, world, headers, file }: ImportInput): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([file]), 'roster.csv');
  const path = `/api/organizations/${world.organizationId}/imports/`;
  const answer = await fetch(api + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The upload was answered ${answer.status}: ${text.slice(0, 500)}`);
  return (JSON.parse(text) as Import).id;
}

const POLLING = { pollMs: 200, patienceMs: 600_000, otherwise: 'The import did not end in time.' };

/** Waits until no workflow is active on the import. */
const untilIdle = (api: string, headers: Record<string, string>, id: string): Promise<Import> =>
  until(async () => {
    const found = (await ask(api, { method: 'GET', path: `/api/imports/${id}/`, headers })) as Import;
    return found.step === null ? found : null;
  }, POLLING);
