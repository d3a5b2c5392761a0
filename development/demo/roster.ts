/**
 * The life of a membership: requested, approved, accepted, in office, transferred, graduated, imported; and what can be
 * undone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { importRoster } from './importing.js';
import { tokenOf } from './mails.js';
import { screen } from './screen.js';

const TIMEOUT_S = 90;
const PASSWORD = 'a roster of many names';

/**
 * Plays the life of a membership, from the request to an undone import.
 * @throws DemoFailed
 */
export async function changeRoster(facts: DemoFacts): Promise<boolean> {
  const roster = await Roster.open(facts);
  const member = await roster.ask();
  await roster.handOver(member);
  await roster.transfer(member);
  await roster.rollOver();
  await roster.bringIn();
  return true;
}

class Roster {
  private constructor(
    private readonly facts: DemoFacts,
    private readonly organization: DemoFacts['organizations'][number],
    private readonly admin: DemoClient,
    private readonly regional: DemoClient,
    private readonly officer: DemoClient,
    private readonly chapter: string,
  ) {}

  static async open(facts: DemoFacts): Promise<Roster> {
    const [organization] = facts.organizations as [DemoFacts['organizations'][number]];
    const { users, slug } = organization;
    const as = (person: typeof users.admin) => DemoClient.signIn(facts.base_url, person, slug);
    const director = { ...users.admin, email: users.admin.email.replace(/^admin/, 'regional') };
    const [admin, regional, officer] = [await as(users.admin), await as(director), await as(users.officer)];
    return new Roster(facts, organization, admin, regional, officer, users.officer.chapter_id ?? '');
  }

  /**
   * Adds a member: an officer requests it, the region and the organization approve, and the member accepts. @returns
   * the membership's id
   */
  async ask(): Promise<string> {
    screen.chapter('1. A new member is requested, approved, and accepts');
    const email = `new.member.${Date.now()}@example.org`;
    const body = { email, first_name: 'Ada', last_name: 'Newcomer', justification: 'Crossed with the spring class.' };
    const filed = await expectStatus(
      this.officer.post(`/api/chapters/${this.chapter}/member-add-requests/`, body),
      201,
    );
    screen.done(`The officer requests to add ${email}: ${String(filed['status'])}`);
    const request = `/api/organizations/${this.organization.id}/member-add-requests/${filed.id}/review/`;
    const own = await this.officer.post(request, { decision: 'approve' });
    screen.note(`the officer may not decide: ${own.status} ${String(own.body['code'])}`);
    const first = await expectStatus(this.regional.post(request, { decision: 'approve' }));
    screen.done(`The regional director approves: ${String(first['status'])}`);
    const last = await expectStatus(this.admin.post(request, { decision: 'approve' }));
    screen.done(`The organization approves: ${String(last['status'])}, and ${email} is invited by mail`);
    const token = await tokenOf(this.facts, email);
    const invitee = DemoClient.anonymous(this.facts.base_url);
    await expectStatus(invitee.post('/api/auth/invitations/accept/', { token, password: PASSWORD }));
    screen.done('They accept it and set a password. The membership is active.');
    const member = String(last['membership']);
    await this.history(member);
    return member;
  }

  /** Hands an office over: an officer requests it, and a regional director approves. */
  async handOver(successor: string): Promise<void> {
    screen.chapter('2. An office is handed over');
    const { membership_id: membership } = this.organization.users.officer;
    const body = { membership, position: 'other', title: `Historian of ${new Date().toISOString().slice(0, 16)}` };
    const term = await expectStatus(this.admin.post(`/api/chapters/${this.chapter}/officer-terms/`, body), 201);
    screen.done(`The officer is ${body.title}.`);
    const filed = await expectStatus(this.officer.post(`/api/officer-terms/${term.id}/hand-over/`, { successor }), 202);
    screen.done(`They request to hand it over to the new member: ${String(filed['status'])}`);
    const request = `/api/organizations/${this.organization.id}/hand-over-requests/${filed.id}/review/`;
    await expectStatus(this.regional.post(request, { decision: 'approve' }));
    screen.done('The regional director approves: one term ends and the next begins, in one transaction.');
    await this.history(successor);
  }

  /** Transfers a member to another chapter as previewed, and back again. */
  async transfer(member: string): Promise<void> {
    screen.chapter('3. A member is transferred, and the mistake is undone');
    const other = this.organization.chapter_ids.find((id) => id !== this.chapter) as string;
    const transferred = await this.move(member, other);
    const back = await this.move(transferred, this.chapter);
    if (back !== member) throw new DemoFailed('The transfer back did not reopen the old membership.');
    screen.done('The transfer back reopened the old membership: there is one row per person and chapter.');
    await this.history(member);
  }

  private async move(member: string, to_chapter: string): Promise<string> {
    const path = `/api/memberships/${member}/transfer/`;
    const preview = await expectStatus(this.admin.post(path, { to_chapter, dry_run: true }));
    const ends = (preview['terms'] as unknown[]).length;
    screen.step(`the preview: ${String(preview['status'])} in the new chapter, ${ends} term(s) of office end`);
    const done = await expectStatus(this.admin.post(path, { to_chapter, preview_hash: preview['preview_hash'] }), 201);
    screen.done('Transferred as previewed.');
    return done.id;
  }

  /** Graduates a class in a rollover and reverts it. */
  async rollOver(): Promise<void> {
    screen.chapter('4. A class graduates in one rollover, and the rollover is reverted');
    const terms = await this.admin.get<Page>(`/api/chapters/${this.chapter}/officer-terms/?running=true&page_size=100`);
    const run = {
      academic_year: new Date().getUTCFullYear() + 1,
      through_season: 'SUMMER',
      chapters: [this.chapter],
      except: [...new Set(terms.results.map(({ membership }) => membership))],
    };
    const path = `/api/organizations/${this.organization.id}/rollovers/`;
    const preview = await expectStatus(this.admin.post(path, { ...run, dry_run: true }));
    const { members, owing } = preview['totals'] as { members: number; owing: number };
    if (members === 0) return screen.note('No member of this chapter graduates by then.');
    screen.step(`the preview: ${members} become alumni, ${owing} of them have a balance; officers stay`);
    const { id } = await expectStatus(this.admin.post(path, { ...run, preview_hash: preview['preview_hash'] }), 202);
    const moved = await this.until(id, 'completed');
    screen.done(`${String(moved['members_moved'])} of ${members} are alumni.`);
    await expectStatus(this.admin.post(`/api/rollovers/${id}/revert/`, {}), 202);
    const reverted = await this.until(id, 'reverted');
    screen.done(`Reverted: ${String(reverted['members_returned'])} members have their old status again.`);
  }

  bringIn(): Promise<void> {
    return importRoster(this.admin, this.organization.id, this.chapter);
  }

  private async until(rollover: string, status: string): Promise<Row> {
    for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
      const now = await this.admin.get<Row>(`/api/rollovers/${rollover}/`);
      if (now['status'] === status) return now;
      await sleep(1000);
    }
    throw new DemoFailed(`The rollover ${rollover} was not ${status} after ${TIMEOUT_S} s.`);
  }

  private async history(member: string): Promise<void> {
    const { results } = await this.admin.get<Page>(`/api/memberships/${member}/history/`);
    const periods = results.map(({ status, role, source }) => `${String(status)}, ${String(role)} (${String(source)})`);
    screen.note(`its history, the newest first: ${periods.join(' <- ')}`);
  }
}
