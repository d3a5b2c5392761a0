/** An applicant without an account uses the public form, and a referee writes a letter. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { secretOf } from './mails.js';
import { screen } from './screen.js';

const TIMEOUT_S = 30;

/** Identical to the form in the seed, because a published question must not change. */
const FORM_CONFIG = {
  questions: [{ key: 'why_join', label: 'Why do you want to join?', type: 'long', is_required: true, maximum: 1000 }],
  attachments: [{ kind: 'resume', is_required: true }],
  introduction: 'Tell us who you are, why you would join, and who knows you well enough to write about you.',
  confirmation: 'We read every application, and answer each.',
  reference_letters: 1,
};

export interface Form {
  organization: string;
  slug: string;
  chapter: string;
  admin: DemoClient;
  officer: DemoClient;
}

/**
 * Lets an applicant apply on the public form, and a referee write a letter.
 * @throws DemoFailed
 */
export async function applyAsAnonymous(facts: DemoFacts, form: Form): Promise<void> {
  screen.chapter('2. An applicant applies, and a teacher writes a letter');
  await form.admin.put(`/api/organizations/${form.organization}/pnm-config/`, FORM_CONFIG);
  const applicant = DemoClient.anonymous(facts.base_url);
  const at = `/api/pnm/public/${form.slug}`;
  const [email, referee] = ['stranger', 'teacher'].map((who) => `${who}.${Date.now()}@example.org`) as [string, string];
  const contents = { email, first_name: 'Gwen', last_name: 'Stranger', chapter: form.chapter };
  const { token } = await expectStatus(applicant.post(`${at}/drafts/`, { contents }), 201);
  const early = await applicant.post(`${at}/drafts/${String(token)}/submit/`, {});
  screen.note(`an incomplete application is refused; missing: ${Object.keys(early.body['errors'] ?? {}).join(', ')}`);
  const completeContents = {
    ...contents,
    answers: { why_join: 'I have met some of you, and should like to stay.' },
    referees: [{ name: 'A. Teacher', email: referee, relation: 'Taught me mathematics' }],
  };
  await applicant.put(`${at}/drafts/${String(token)}/`, { contents: completeContents });
  await expectStatus(
    applicant.upload(`${at}/drafts/${String(token)}/attachments/?kind=resume`, 'resume.pdf', RESUME),
    201,
  );
  const sent = await expectStatus(applicant.post(`${at}/drafts/${String(token)}/submit/`, {}), 202);
  screen.done(`Sent: “${String(sent['says'])}”`);
  const confirmation = await secretOf(facts, email, 'verify');
  await expectStatus(applicant.post(`${at}/verify-email/`, { token: confirmation }), 204);
  screen.done('The address is confirmed: the application counts, and the teacher gets a mail.');
  const letter = `${at}/reference-letters/${await secretOf(facts, referee, 'reference-letter')}/`;
  await expectStatus(applicant.post(letter, { text: 'She proves what she claims, and says so when she cannot.' }), 204);
  const status = await untilChecked(applicant, `${at}/applications/${String(token)}/`);
  screen.done(`The applicant sees that the letter arrived, but not its text: ${lettersIn(status)}`);
  screen.note(`the same in a browser: ${facts.base_url}/apply/${form.slug}/status/${String(token)}`);
  const list = `/api/chapters/${form.chapter}/pnm/?search=${encodeURIComponent(email)}`;
  const [prospect] = (await form.officer.get<Page>(list)).results;
  if (!prospect) throw new DemoFailed('The application created no prospective member.');
  const { problems } = await form.officer.get<Row>(`/api/pnm/${prospect.id}/`);
  screen.done(`The chapter has all required facts; open problems: ${(problems as string[]).join(', ') || 'nothing'}.`);
}

const RESUME = '%PDF-1.7\n% A resume.\n';

const lettersIn = ({ referees }: Row): string =>
  (referees as { name: string; status: string }[]).map(({ name, status }) => `${name}: ${status}`).join(', ');

/** Waits until the scanner has checked the file: before that, no person can read it. */
async function untilChecked(applicant: DemoClient, path: string): Promise<Row> {
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const status = await applicant.get<Row & { checking: string[] }>(path);
    if (status.checking.length === 0) return status;
    await sleep(1000);
  }
  throw new DemoFailed(`The resume was not checked after ${TIMEOUT_S} s.`);
}
