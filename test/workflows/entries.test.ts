/** The contracts of processes: what the compiler demands of them, and what it cannot check. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { activities } from '../../activities/index.js';
import { definitions } from '../../models/database/schemaFiles.js';
import type { RowParts } from '../../models/processes/rowParts.js';
import {
  factsByWorkflowId,
  type MatchingWorkflows,
  processByName,
  PROCESS_KINDS,
  PROCESSES,
  SCHEDULED,
  TASK_QUEUES,
} from '../../workflows/contracts/index.js';
import type { payRemittance, PayRemittanceInput } from '../../workflows/contracts/payRemittance.js';
import type { ProcessContract, ScheduledProcess } from '../../workflows/contracts/process.js';
import type { CheckedWorkflows } from '../../workflows/registryTypecheck.js';
import type { stagesOf } from '../../workflows/stage.js';

describe('the compiler', () => {
  type Fits<Asked, Given extends Asked> = Given;
  type Pay = typeof payRemittance;
  type Contract = ProcessContract<PayRemittanceInput>;
  type Kinds = { paid: { money: 'by_rows' }; stopped: { cancel: { rows: 'changed' } }; free: { money: 'never' } };
  type Parts = RowParts<Kinds, Record<keyof Kinds, PayRemittanceInput>>;
  type Optional<Entry> = { [Name in keyof Entry]-?: object extends Pick<Entry, Name> ? Name : never }[keyof Entry];

  // `npm run typecheck` fails where a line does not have the expected error.
  test('the compiler demands every fact of a process kind', () => {
    const noneIsOptional: [Optional<ProcessContract>, Optional<ScheduledProcess>] extends [never, never]
      ? true
      : false = true;
    // @ts-expect-error
    type WithoutMoney = Fits<Contract, Omit<Pay, 'money'>>;
    // @ts-expect-error
    type WithoutWordsForAnEnd = Fits<ProcessContract<PayRemittanceInput, 'settled' | 'lost'>, Pay>;
    // @ts-expect-error
    type SeenByNobody = Fits<Contract, Omit<Pay, 'seenBy'> & { seenBy: 'platform' }>;
    // @ts-expect-error
    type AboutAnotherRow = Fits<Contract, Omit<Pay, 'subject'> & { subject: { type: 'x'; id: 'invoiceId' } }>;
    // @ts-expect-error
    type WithoutWordsForAStage = Fits<Parameters<ReturnType<typeof stagesOf<Pay>>>[0], 'lost'>;
    const wrong: [WithoutMoney?, WithoutWordsForAnEnd?, SeenByNobody?, AboutAnotherRow?, WithoutWordsForAStage?] = [];
    expect([noneIsOptional, wrong]).toEqual([true, []]);
  });

  test('the compiler demands a workflow for each contract, and a contract for each workflow', () => {
    // @ts-expect-error
    type WithoutWorkflow = MatchingWorkflows<Omit<CheckedWorkflows, 'payRemittance'>>;
    // @ts-expect-error
    type WithoutEntry = MatchingWorkflows<CheckedWorkflows & { sendFlowers: () => Promise<'sent'> }>;
    // @ts-expect-error
    type OtherEnd = MatchingWorkflows<Omit<CheckedWorkflows, 'issueDues'> & { issueDues: () => Promise<'lost'> }>;
    type IssuesAnotherInput = { issueDues: (input: Date) => Promise<'issued'> };
    // @ts-expect-error
    type OtherInput = MatchingWorkflows<Omit<CheckedWorkflows, 'issueDues'> & IssuesAnotherInput>;
    const wrong: [WithoutWorkflow?, WithoutEntry?, OtherEnd?, OtherInput?] = [];
    expect(wrong).toEqual([]);
  });

  test('the compiler demands exactly the row part that a contract declares', () => {
    // @ts-expect-error
    type NobodyReads = Fits<Parts['paid'], object>;
    // @ts-expect-error
    type NobodyCancels = Fits<Parts['stopped'], object>;
    // @ts-expect-error
    type NobodyWaits = Fits<Parts['stopped'], Pick<Parts['stopped'], 'beforeCancel'>>;
    // @ts-expect-error
    type NotAsked = Parts['free'];
    const wrong: [NobodyReads?, NobodyCancels?, NobodyWaits?, NotAsked?] = [];
    expect(wrong).toEqual([]);
  });
});

test('no two kinds share a name, a kind, an id or a Schedule', () => {
  const ids = PROCESSES.map((kind) => kind.workflowId({ ...kind.example(() => 'id'), organizationId: 'id' }));
  const schedules = SCHEDULED.map(({ schedule }) => schedule.id);
  const prefixes = ids.map((id) => id.split('/')[0]);
  for (const list of [
    PROCESS_KINDS.map(({ kind }) => kind),
    PROCESS_KINDS.map(({ name }) => name),
    ids,
    prefixes,
    schedules,
  ])
    expect(list).toEqual([...new Set(list)]);
  expect(ids.map((id) => factsByWorkflowId(id))).toEqual(PROCESSES);
});

test('the same intent has the same workflow id, and another intent another one', () => {
  for (const kind of PROCESSES) {
    const input = { ...kind.example(randomUUID), organizationId: randomUUID() };
    const workflowId = kind.workflowId(input);
    expect(kind.workflowId({ ...input })).toBe(workflowId);
    expect(kind.workflowId({ ...kind.example(randomUUID), organizationId: randomUUID() })).not.toBe(workflowId);
    // A row finds its process by the last part of its id.
    if (kind.recoveredBy === 'rows') expect(Object.values(input)).toContain(workflowId.split('/').at(-1));
  }
});

test('triggers start existing processes, with the id and the input of their contract', () => {
  const started = definitions().flatMap(({ sql }) => [
    ...sql.matchAll(/PERFORM app.enqueue\('(\w+)', '([\w/-]+)' \|\|[^;]*?jsonb_build_object\(([^()]*)\)/g),
  ]);
  const calls = definitions().flatMap(({ sql }) => sql.match(/PERFORM app.enqueue\(/g) ?? []);
  expect(started).toHaveLength(calls.length);
  for (const [, name = '', prefix = '', input = ''] of started) {
    const kind = processByName(name);
    const example = { ...kind.example(() => 'one'), organizationId: 'other' };
    expect(kind.workflowId(example)).toBe(`${prefix}one`);
    expect(new Set([...input.matchAll(/'(\w+)',/g)].map(([, key]) => key))).toEqual(new Set(Object.keys(example)));
  }
});

test('every step of the worker has words in the contract of its process, and each contract names existing steps', () => {
  const namedSteps = PROCESS_KINDS.flatMap(({ steps }) => Object.keys(steps));
  // Gifts share the steps of invoices.
  expect([...new Set(namedSteps)].toSorted()).toEqual(Object.keys(activities).toSorted());
});

test('a step that may take more than a minute has heartbeats, so that a killed worker is noticed before the step times out', () => {
  const folder = path.resolve('workflows');
  const longest = { second: 60, minute: 1, hour: 0 };
  const limits = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(path.join(folder, file), 'utf8').matchAll(
          /startToCloseTimeout: '(\d+) (second|minute|hour)s?'[^}]*/g,
        ),
      ].map(([options, count, unit]) => ({
        file,
        isLong: Number(count) > longest[unit as keyof typeof longest],
        beats: options.includes('heartbeatTimeout'),
      })),
    );
  expect(limits.filter(({ isLong }) => isLong).length).toBeGreaterThan(20);
  expect(limits.filter(({ isLong, beats }) => isLong && !beats)).toEqual([]);
});

test('a cancelled process has the stage of its contract, and its texts are sentences', () => {
  for (const { name, cancel, stages, ends, taskQueue } of PROCESS_KINDS) {
    if (cancel.when === 'before_money')
      expect(['started', ...Object.keys(stages)]).toEqual(expect.arrayContaining([...cancel.stages]));
    if ('outcomeWhenCancelled' in cancel && cancel.outcomeWhenCancelled !== null)
      expect(Object.keys(ends)).toContain(cancel.outcomeWhenCancelled);
    for (const sentence of [cancel.says, ...Object.values(stages), ...Object.values(ends)])
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^[A-Z].*[.]$/)]);
    // `workflows/interceptors.ts` shows only outcomes with such a name.
    for (const end of Object.keys(ends)) expect(end).toMatch(/^[a-z_]{1,30}$/);
    expect(TASK_QUEUES).toContain(taskQueue);
  }
});
