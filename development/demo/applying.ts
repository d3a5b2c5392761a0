/** A stranger applies on the public form, and somebody writes a letter about them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient, DemoFailed, made, type Page, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { secretOf } from './mails.js';
import { screen } from './screen.js';

const PATIENCE_S = 30;

/** As the seed asks it, too: a question stays what it is. */
const ASKED = {
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

/** @throws DemoFailed */
export async function applyAsStranger(facts: DemoFacts, form: Form): Promise<void> {
  screen.chapter('2. A stranger applies, and a teacher writes a letter');
  await form.admin.put(`/api/organizations/${form.organization}/pnm-config/`, ASKED);
  const nobody = DemoClient.anonymous(facts.base_url);
  const at = `/api/pnm/public/${form.slug}`;
  const [email, referee] = ['stranger', 'teacher'].map((who) => `${who}.${Date.now()}@example.org`) as [string, string];
  const contents = { email, first_name: 'Gwen', last_name: 'Stranger', chapter: form.chapter };
  const { token } = await made(nobody.post(`${at}/drafts/`, { contents }), 201);
  const early = await nobody.post(`${at}/drafts/${String(token)}/submit/`, {});
  screen.note(`half of it is refused as a whole: ${Object.keys(early.body['errors'] ?? {}).join(', ')}`);
  const whole = {
    ...contents,
    answers: { why_join: 'I have met some of you, and should like to stay.' },
    referees: [{ name: 'A. Teacher', email: referee, relation: 'Taught me mathematics' }],
  };
  await nobody.put(`${at}/drafts/${String(token)}/`, { contents: whole });
  await made(nobody.upload(`${at}/drafts/${String(token)}/attachments/?kind=resume`, 'resume.pdf', RESUME), 201);
  const sent = await made(nobody.post(`${at}/drafts/${String(token)}/submit/`, {}), 202);
  screen.done(`Sent: “${String(sent['says'])}”`);
  const confirmation = await secretOf(facts, email, 'verify');
  await made(nobody.post(`${at}/verify-email/`, { token: confirmation }), 204);
  screen.done('The mailbox has answered: now it counts, and the teacher is asked.');
  const letter = `${at}/reference-letters/${await secretOf(facts, referee, 'reference-letter')}/`;
  await made(nobody.post(letter, { text: 'She proves what she claims, and says so when she cannot.' }), 204);
  const status = await untilChecked(nobody, `${at}/applications/${String(token)}/`);
  screen.done(`The applicant sees that it came, never what it says: ${lettersIn(status)}`);
  screen.note(`the same in a browser: ${facts.base_url}/apply/${form.slug}/status/${String(token)}`);
  const list = `/api/chapters/${form.chapter}/pnm/?search=${encodeURIComponent(email)}`;
  const [prospect] = (await form.officer.get<Page>(list)).results;
  if (!prospect) throw new DemoFailed('Nobody came of the application.');
  const { problems } = await form.officer.get<Row>(`/api/pnm/${prospect.id}/`);
  screen.done(`The chapter has all that it asks for; in the way: ${(problems as string[]).join(', ') || 'nothing'}.`);
}

const RESUME = '%PDF-1.7\n% A resume.\n';

const lettersIn = ({ referees }: Row): string =>
  (referees as { name: string; status: string }[]).map(({ name, status }) => `${name}: ${status}`).join(', ');

/** Strangers' files are read by nobody before the scanner has called them clean. */
async function untilChecked(nobody: DemoClient, path: string): Promise<Row> {
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
    const status = await nobody.get<Row & { checking: string[] }>(path);
    if (status.checking.length === 0) return status;
    await sleep(1000);
  }
  throw new DemoFailed(`The resume was not checked after ${PATIENCE_S} s.`);
}
