/** From a period to members: who came, how far they got, a name, a line that crosses as previewed, accounts, a mistake taken back, and their files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../config.js';
import { configureAccounts, showAccounts, takePassword } from './accounts.js';
import { applyAsStranger } from './applying.js';
import { DemoClient, DemoFailed, made, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { tokenOf } from './mails.js';
import { moveFiles } from './ownStore.js';
import { screen } from './screen.js';

const PATIENCE_S = 90;
const PASSWORD = 'a line of many names';
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dana', 'Eli', 'Flor'];

interface Prospect {
  pnm: string;
  name: string;
  email: string;
}
interface Fate {
  field: string;
  fate: string;
}

interface LineMember {
  first_name: string;
  line_number: number;
  /** Null: their address had its invitation of the day. */
  told_by: string | null;
  fields: Fate[];
}

/** @throws DemoFailed */
export async function takeIn(facts: DemoFacts): Promise<boolean> {
  const intake = await Intake.open(facts);
  await intake.openPeriod();
  await intake.apply();
  const [named, ...line] = await intake.add();
  await intake.review([named as Prospect, ...line]);
  await intake.name(named as Prospect);
  const isConnected = await intake.connect();
  const crossing = await intake.cross(line);
  if (isConnected) await intake.accounts(line);
  await intake.revert(crossing);
  await intake.moveFiles();
  return true;
}

class Intake {
  private constructor(
    private readonly facts: DemoFacts,
    private readonly organization: string,
    private readonly admin: DemoClient,
    private readonly officer: DemoClient,
    private readonly chapter: string,
  ) {}

  static async open(facts: DemoFacts): Promise<Intake> {
    const [{ id, slug, users }] = facts.organizations as [DemoFacts['organizations'][number]];
    const as = (person: typeof users.admin) => DemoClient.signIn(facts.base_url, person, slug);
    return new Intake(facts, id, await as(users.admin), await as(users.officer), users.officer.chapter_id ?? '');
  }

  /** One a term; a demo before this one may have left it. */
  async openPeriod(): Promise<void> {
    screen.chapter('1. A recruitment period is open');
    const path = `/api/organizations/${this.organization}/recruitment-periods/`;
    const [there] = (await this.admin.get<Page>(path)).results;
    const period = there ?? (await this.draft(path));
    const turn = (how: string, body: object, status: number) =>
      made(this.admin.post(`/api/recruitment-periods/${period.id}/${how}/`, body), status);
    if (period['status'] === 'draft') await turn('activate', {}, 200);
    if (period['status'] === 'closed') await turn('reopen', { reason: 'The demo goes on.' }, 202);
    screen.done(`${String(period['name'])} takes whoever comes from now on.`);
  }

  private async draft(path: string): Promise<Row> {
    const [term] = (await this.admin.get<Page>(`/api/organizations/${this.organization}/terms/`)).results;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const said = { term: term?.id, name: 'The demo’s intake', opens_at: inDays(-1), closes_at: inDays(30) };
    return made(this.admin.post(path, said), 201);
  }

  apply(): Promise<void> {
    const { facts, organization, admin, officer, chapter } = this;
    const { slug } = facts.organizations[0] as DemoFacts['organizations'][number];
    return applyAsStranger(facts, { organization, slug, chapter, admin, officer });
  }

  moveFiles(): Promise<void> {
    return moveFiles(this.facts, this.organization, this.admin);
  }

  /** Six by hand; one of them accepts the invitation, and has an account before they cross. */
  async add(): Promise<Prospect[]> {
    screen.chapter('3. Six prospective members');
    const answers = {
      birth_date: '2005-04-12',
      phone_number: '+1 555 0100',
      expected_graduation_semester: 'Fall',
      expected_graduation_year: new Date().getUTCFullYear() + 2,
    };
    const added: Prospect[] = [];
    for (const first_name of NAMES) {
      const email = `${first_name.toLowerCase()}.${Date.now()}@example.org`;
      const who = { email, first_name, last_name: 'Prospect', ...answers };
      const { id } = await made(this.officer.post(`/api/chapters/${this.chapter}/pnm/`, who), 201);
      added.push({ pnm: id, name: first_name, email });
    }
    const waiting = await this.officer.get<Page & { count: number }>(
      `/api/chapters/${this.chapter}/pnm/?stage=not_started&status=pnm`,
    );
    screen.done(`${added.length} are added and mailed an invitation; ${waiting.count} wait in the queue.`);
    const { email, name } = added[1] as Prospect;
    const nobody = DemoClient.anonymous(this.facts.base_url);
    const token = await tokenOf(this.facts, email);
    await made(nobody.post('/api/auth/invitations/accept/', { token, password: PASSWORD }));
    const early = await nobody.post('/api/auth/login/', { email, password: PASSWORD });
    screen.done(`${name} accepts. Before they cross nobody is let in: ${early.status} ${String(early.body['code'])}`);
    return added;
  }

  /** Each by itself: one that is refused keeps back no other. */
  async review(prospects: Prospect[]): Promise<void> {
    screen.chapter('4. The chapter reviews them, many at once');
    const ids = prospects.map(({ pnm }) => pnm);
    for (const [to, of] of [
      ['approved', ids],
      ['in_progress', ids.slice(1)],
      ['in_progress', ids],
    ] as const) {
      const path = `/api/chapters/${this.chapter}/pnm/bulk-transition/`;
      const outcomes = (await made(this.officer.post(path, { ids: of, to }))) as unknown as { error: Row | null }[];
      const refused = outcomes.flatMap(({ error }) => (error ? [String(error['code'])] : []));
      screen.done(`to ${to}: ${outcomes.length - refused.length} of ${of.length}`);
      if (refused.length > 0) screen.note(`the others were there already: ${[...new Set(refused)].join(', ')}`);
    }
  }

  /** Proposed by the chapter, decided by the organization; with that the person crosses. */
  async name({ pnm, name }: Prospect): Promise<void> {
    screen.chapter('5. A name is proposed and approved');
    const said = { name: `Aurora ${new Date().toISOString()}` };
    const { id } = await made(this.officer.post(`/api/pnm/${pnm}/name-assignments/`, said), 201);
    const own = await this.officer.post(`/api/name-assignments/${id}/review/`, { decision: 'approve' });
    screen.note(`the officer decides nothing: ${own.status} ${String(own.body['code'])}`);
    await made(this.admin.post(`/api/name-assignments/${id}/review/`, { decision: 'approve' }));
    screen.done(`The organization approves, and ${name} crosses: ${(await this.crossed(pnm)).fates}`);
  }

  connect(): Promise<boolean> {
    return configureAccounts(this.facts, this.admin, this.organization);
  }

  /** One of the line has accepted, and may sign in now. */
  async accounts([first, ...others]: Prospect[]): Promise<void> {
    await showAccounts(this.admin, this.organization, others.length + 1);
    const { email, pnm: id } = first as Prospect;
    await takePassword(await DemoClient.signIn(this.facts.base_url, { id, email, password: PASSWORD }));
  }

  /** Exactly as previewed. @returns the first one's crossing */
  async cross(line: Prospect[]): Promise<string> {
    screen.chapter(`7. A line of ${line.length} crosses as it was previewed`);
    const path = `/api/chapters/${this.chapter}/pnm/cross/`;
    const said = {
      pnm_ids: line.map(({ pnm }) => pnm),
      crossed_at: new Date().toISOString(),
      line_numbers: line.map(({ pnm }, n) => ({ pnm, line_number: n + 1 })),
    };
    const preview = await made(this.officer.post(path, { ...said, dry_run: true }));
    for (const { line_number, first_name, told_by, fields } of preview['members'] as LineMember[])
      screen.note(`${line_number}. ${first_name}: ${fatesOf(fields)}; told by ${told_by ?? 'no mail of today'}`);
    const stale = await this.officer.post(path, { ...said, line_numbers: [], preview_hash: preview['preview_hash'] });
    screen.note(`with other numbers it is not what was previewed: ${stale.status} ${String(stale.body['code'])}`);
    const done = await made(this.officer.post(path, { ...said, preview_hash: preview['preview_hash'] }), 202);
    screen.done(`${(done['crossed'] as unknown[]).length} have crossed, in one transaction.`);
    for (const { pnm, name } of line) screen.done(`${name}: ${(await this.crossed(pnm)).fates}`);
    return (await this.crossed((line[0] as Prospect).pnm)).id;
  }

  /** Once its process is through. */
  private async crossed(pnm: string): Promise<{ id: string; fates: string }> {
    for (let waited = 0; waited < PATIENCE_S; waited += 1) {
      const crossing = await this.officer.get<Row & { fields: Fate[] }>(`/api/pnm/${pnm}/crossing/`);
      if (crossing['status'] === 'completed') return { id: crossing.id, fates: fatesOf(crossing.fields) };
      await sleep(1000);
    }
    throw new DemoFailed(`The crossing of ${pnm} was not completed after ${PATIENCE_S} s.`);
  }

  async revert(crossing: string): Promise<void> {
    screen.chapter('9. One of them was a mistake');
    const done = await made(this.admin.post(`/api/crossings/${crossing}/revert/`, { reason: 'The wrong line.' }));
    const back = await this.officer.get<Row>(`/api/pnm/${String(done['pnm'])}/`);
    screen.done(
      `Taken back: ${String(back['first_name'])} is ${String(back['stage'])}, and the others stay. What was carried stays, too.`,
    );
    const { temporal_ui_url: ui } = this.facts;
    const workflow = encodeURIComponent(String(done['workflow_id']));
    screen.note(`its process: ${ui}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows/${workflow}`);
  }
}

/** Never a value. */
const fatesOf = (fields: Fate[]): string =>
  fields
    .filter(({ fate }) => fate !== 'source_empty')
    .map(({ field, fate }) => `${field} ${fate}`)
    .join(', ');
