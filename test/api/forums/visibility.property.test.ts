/**
 * After random changes of memberships, offices and forums, and random texts, edits, flags, decisions and appeals, each way
 * out of a forum shows people what a model says: lists, texts, files, search, counts, cases, notifications, mail and realtime topics.
 */
import fc from 'fast-check';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld } from '../../support/apiWorld.js';
import { casesOf, SEED } from '../../support/seed.js';
import { Walks } from '../../support/walk/walks.js';
import { type AccessStep, PEOPLE, VISIBILITIES } from './visibilityAccess.support.js';
import { Stage } from './visibilityStage.support.js';
import { Model, type TextStep } from './visibilityTexts.support.js';
import { EVERY_WAY, type Way, Ways } from './visibilityWays.support.js';

const RUNS = casesOf({ test: 4, release: 100 });
const STEPS = casesOf({ test: 30, release: 40 });

const two = fc.integer({ min: 0, max: 1 });
const three = fc.integer({ min: 0, max: 2 });
const often = fc.constantFrom(true, true, true, false);
const pick = fc.nat(59);
const of = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
) =>
  fc.record({ kind: fc.constant(kind), person: three, ...rest }) as fc.Arbitrary<{ kind: Kind; person: number } & Rest>;
const words = { pick, isFlagged: fc.constantFrom(true, false, false), names: fc.option(three) };

const accessStep: fc.Arbitrary<AccessStep> = fc.oneof(
  { weight: 3, arbitrary: of('membership', { chapter: three, isActive: often }) },
  of('transfer', { from: three, to: three }),
  of('regional', { region: two, isActive: fc.boolean() }),
  of('admin', { person: two, isActive: fc.boolean() }),
  of('move', { chapter: three, region: two }),
  of('row', {
    forum: three,
    role: fc.constantFrom('member', 'moderator', 'admin'),
    status: fc.constantFrom('active', 'active', 'invited', 'requested', 'left', 'removed'),
    byInvitation: fc.boolean(),
  }),
  of('visibility', { forum: three, to: fc.constantFrom(...VISIBILITIES) }),
);
const textStep: fc.Arbitrary<TextStep> = fc.oneof(
  { weight: 2, arbitrary: of('write', { ...words, isComment: fc.boolean() }) },
  { weight: 2, arbitrary: of('edit', words) },
  { weight: 3, arbitrary: of('flag', { pick }) },
  // Person 2 may always decide.
  { weight: 3, arbitrary: of('decide', { person: fc.constantFrom(0, 1, 2, 2, 2), pick, approves: fc.boolean() }) },
  { weight: 2, arbitrary: of('appeal', { pick }) },
  of('delete', { pick }),
  of('markRead', { pick }),
);
const readStep = of('read', { forum: three, way: fc.constantFrom<Way>(...EVERY_WAY) });
/** Each person begins as a member of one chapter. */
const BEGINNING = PEOPLE.map((person) => ({ kind: 'membership', person, chapter: person, isActive: true }) as const);
const step = fc.oneof({ weight: 3, arbitrary: accessStep }, readStep, { weight: 6, arbitrary: textStep });

aStore();
const api = apiWorld();

test('what people see of forums by each way out agrees with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(1, 2), new Walks(step, STEPS, STEPS), async (hideAfter, walk) => {
      const model = new Model(hideAfter);
      const stage = await Stage.create(api, model, hideAfter);
      const ways = new Ways(stage, model);
      for (const step of [...BEGINNING, ...walk]) {
        model.clock += 1;
        if (step.kind === 'read') await ways.read(step.person, step.forum, step.way);
        else await stage.apply(model, step);
        await stage.expectRoles(model);
      }
      await ways.expectAll();
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
