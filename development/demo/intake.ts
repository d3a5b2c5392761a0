/**
 * Demo of the intake, from an open recruitment period to members: applications, review, the choice of a name, and a
 * group of prospects who become members (cross) as previewed. Then their accounts, a reverted crossing, and moved
 * files.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { configureAccounts, showAccounts, takePassword } from './accounts.js';
import { applyAsAnonymous } from './applying.js';
import { DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { tokenOf } from './mails.js';
import { moveFiles } from './ownStore.js';
import { screen } from './screen.js';
import { workflowUrl } from './workflowUrl.js';

const TIMEOUT_S = 90;
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
  /**
   * Kind of the notice that the person gets. Null when no mail is sent, because an invitation was already mailed to the
   * person's address that day.
   */
  told_by: string | null;
  fields: Fate[];
}

/**
 * Plays the intake, from an open period to members.
 * @throws DemoFailed
 */
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

  /** Opens the term's recruitment period. There is one per term, and an earlier demo may have left it. */
  async openPeriod(): Promise<void> {
    screen.chapter('1. A recruitment period is open');
    const path = `/api/organizations/${this.organization}/recruitment-periods/`;
    const [existing] = (await this.admin.get<Page>(path)).results;
    const period = existing ?? (await this.draft(path));
    const transition = (how: string, body: object, status: number) =>
      expectStatus(this.admin.post(`/api/recruitment-periods/${period.id}/${how}/`, body), status);
    if (period['status'] === 'draft') await transition('activate', {}, 200);
    if (period['status'] === 'closed') await transition('reopen', { reason: 'The demo needs it again.' }, 202);
    screen.done(`${String(period['name'])} accepts applications from now on.`);
  }

  private async draft(path: string): Promise<Row> {
    const [term] = (await this.admin.get<Page>(`/api/organizations/${this.organization}/terms/`)).results;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const body = { term: term?.id, name: 'The demo’s intake', opens_at: inDays(-1), closes_at: inDays(30) };
    return expectStatus(this.admin.post(path, body), 201);
  }

  apply(): Promise<void> {
    const { facts, organization, admin, officer, chapter } = this;
    const { slug } = facts.organizations[0] as DemoFacts['organizations'][number];
    return applyAsAnonymous(facts, { organization, slug, chapter, admin, officer });
  }

  moveFiles(): Promise<void> {
    return moveFiles(this.facts, this.organization, this.admin);
  }

  /**
   * Adds six prospective members by hand. One accepts the invitation, and so has an account before becoming a member.
   */
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
      const { id } = await expectStatus(this.officer.post(`/api/chapters/${this.chapter}/pnm/`, who), 201);
      added.push({ pnm: id, name: first_name, email });
    }
    const waiting = await this.officer.get<Page & { count: number }>(
      `/api/chapters/${this.chapter}/pnm/?stage=not_started&status=pnm`,
    );
    screen.done(`${added.length} are added and invited by mail; ${waiting.count} wait in the queue.`);
    const { email, name } = added[1] as Prospect;
    const invitee = DemoClient.anonymous(this.facts.base_url);
    const token = await tokenOf(this.facts, email);
    await expectStatus(invitee.post('/api/auth/invitations/accept/', { token, password: PASSWORD }));
    const early = await invitee.post('/api/auth/login/', { email, password: PASSWORD });
    screen.done(`${name} accepts. Sign-in is refused before they cross: ${early.status} ${String(early.body['code'])}`);
    return added;
  }

  /**
   * Changes the stage of several prospective members in one request. Each is handled on its own: a refused one does not
   * stop the others.
   */
  async review(prospects: Prospect[]): Promise<void> {
    screen.chapter('4. The chapter reviews them, many at once');
    const ids = prospects.map(({ pnm }) => pnm);
    for (const [to, of] of [
      ['approved', ids],
      ['in_progress', ids.slice(1)],
      ['in_progress', ids],
    ] as const) {
      const path = `/api/chapters/${this.chapter}/pnm/bulk-transition/`;
      const outcomes = (await expectStatus(this.officer.post(path, { ids: of, to }))) as unknown as {
        error: Row | null;
      }[];
      const refused = outcomes.flatMap(({ error }) => (error ? [String(error['code'])] : []));
      screen.done(`to ${to}: ${outcomes.length - refused.length} of ${of.length}`);
      if (refused.length > 0) screen.note(`the others had that stage already: ${[...new Set(refused)].join(', ')}`);
    }
  }

  /**
   * The chapter proposes a name for a prospect and the organization approves it; the prospect then becomes a member
   * under this name.
   */
  async name({ pnm, name }: Prospect): Promise<void> {
    screen.chapter('5. A name is proposed and approved');
    const body = { name: `Aurora ${new Date().toISOString()}` };
    const { id } = await expectStatus(this.officer.post(`/api/pnm/${pnm}/name-assignments/`, body), 201);
    const own = await this.officer.post(`/api/name-assignments/${id}/review/`, { decision: 'approve' });
    screen.note(`the officer may not decide: ${own.status} ${String(own.body['code'])}`);
    await expectStatus(this.admin.post(`/api/name-assignments/${id}/review/`, { decision: 'approve' }));
    screen.done(`The organization approves, and ${name} crosses: ${(await this.crossed(pnm)).fates}`);
  }

  connect(): Promise<boolean> {
    return configureAccounts(this.facts, this.admin, this.organization);
  }

  /**
   * Shows the accounts of the new members. The first of them accepted the invitation earlier, and so may sign in now.
   */
  async accounts([first, ...others]: Prospect[]): Promise<void> {
    await showAccounts(this.admin, this.organization, others.length + 1);
    const { email, pnm: id } = first as Prospect;
    await takePassword(await DemoClient.signIn(this.facts.base_url, { id, email, password: PASSWORD }));
  }

  /**
   * Makes the prospects of a group (a line) members, exactly as the preview announced.
   * @returns the id of the first prospect's crossing
   */
  async cross(line: Prospect[]): Promise<string> {
    screen.chapter(`7. A line of ${line.length} crosses as it was previewed`);
    const path = `/api/chapters/${this.chapter}/pnm/cross/`;
    const body = {
      pnm_ids: line.map(({ pnm }) => pnm),
      crossed_at: new Date().toISOString(),
      line_numbers: line.map(({ pnm }, n) => ({ pnm, line_number: n + 1 })),
    };
    const preview = await expectStatus(this.officer.post(path, { ...body, dry_run: true }));
    for (const { line_number, first_name, told_by, fields } of preview['members'] as LineMember[])
      screen.note(`${line_number}. ${first_name}: ${fatesOf(fields)}; notified by ${told_by ?? 'no mail today'}`);
    const stale = await this.officer.post(path, { ...body, line_numbers: [], preview_hash: preview['preview_hash'] });
    screen.note(`other numbers do not match the preview: ${stale.status} ${String(stale.body['code'])}`);
    const done = await expectStatus(this.officer.post(path, { ...body, preview_hash: preview['preview_hash'] }), 202);
    screen.done(`${(done['crossed'] as unknown[]).length} have crossed, in one transaction.`);
    for (const { pnm, name } of line) screen.done(`${name}: ${(await this.crossed(pnm)).fates}`);
    return (await this.crossed((line[0] as Prospect).pnm)).id;
  }

  /** Waits until the workflow that makes the prospect a member has ended. */
  private async crossed(pnm: string): Promise<{ id: string; fates: string }> {
    for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
      const crossing = await this.officer.get<Row & { fields: Fate[] }>(`/api/pnm/${pnm}/crossing/`);
      if (crossing['status'] === 'completed') return { id: crossing.id, fates: fatesOf(crossing.fields) };
      await sleep(1000);
    }
    throw new DemoFailed(`The crossing of ${pnm} was not completed after ${TIMEOUT_S} s.`);
  }

  async revert(crossing: string): Promise<void> {
    screen.chapter('9. One of them was a mistake');
    const done = await expectStatus(
      this.admin.post(`/api/crossings/${crossing}/revert/`, { reason: 'The wrong line.' }),
    );
    const back = await this.officer.get<Row>(`/api/pnm/${String(done['pnm'])}/`);
    screen.done(
      `Reverted: ${String(back['first_name'])} is ${String(back['stage'])} again. The others and the copied fields stay.`,
    );
    screen.note(`its workflow: ${workflowUrl(this.facts, String(done['workflow_id']))}`);
  }
}

/** Lists what happened to each field, never its value. */
const fatesOf = (fields: Fate[]): string =>
  fields
    .filter(({ fate }) => fate !== 'source_empty')
    .map(({ field, fate }) => `${field} ${fate}`)
    .join(', ');
