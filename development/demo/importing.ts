/**
 * Imports a roster from a file: an invalid line is corrected, no mail is sent until an officer asks for it, and the
 * import is undone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoClient, DemoFailed, expectStatus, type Page, type Row } from './client.js';
import { screen } from './screen.js';

const TIMEOUT_S = 60;

/**
 * Imports a roster from a file and undoes the import.
 * @param admin a signed-in administrator of the organization.
 * @throws DemoFailed
 */
export async function importRoster(admin: DemoClient, organization: string, chapter: string): Promise<void> {
  screen.chapter('5. A roster is imported from a file, and the import is undone');
  const now = Date.now();
  const { name } = await admin.get<Row>(`/api/chapters/${chapter}/`);
  const line = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(',');
  const file = [
    'E-Mail,First name,Surname,Chapter,Status,Graduation year',
    line(`grace.${now}@example.org`, 'Grace', 'Hopper', String(name), 'undergrad', '2028'),
    line(`hedy.${now}@example.org`, 'Hedy', 'Lamarr', String(name), 'undergrad', 'soon'),
  ].join('\r\n');
  const { id } = await expectStatus(
    admin.upload(`/api/organizations/${organization}/imports/`, 'roster.csv', file),
    201,
  );
  const of = (rest = '') => `/api/imports/${id}/${rest}`;
  /** Waits until the workflow of a step has ended. */
  const settled = async (): Promise<Row> => {
    for (let waited = 0; waited < 10 * TIMEOUT_S; waited += 1) {
      const is = await admin.get<Row>(of());
      if (is['step'] === null) return is;
      await sleep(100);
    }
    throw new DemoFailed(`The import ${id} made no progress for ${TIMEOUT_S} s.`);
  };
  const step = async (rest: string, body: object = {}): Promise<Row> => {
    await expectStatus(admin.post(of(rest), body), 202);
    return settled();
  };
  await settled();
  screen.done('The file is read; its columns were recognized by their titles.');
  await step('preview/');
  const { results } = await admin.get<Page>(of('rows/'));
  for (const row of results)
    screen.step(`line ${String(row['line'])}: ${String(row['outcome'])} ${JSON.stringify(row['errors'])}`);
  const bad = results.find(({ outcome }) => outcome === 'error');
  if (!bad) throw new DemoFailed('The invalid line was not reported.');
  await expectStatus(admin.patch(of(`rows/${bad.id}/`), { values: { graduation_year: '2029' } }));
  const { preview_hash } = await step('preview/');
  screen.done('The line is corrected in place, and the preview has no errors.');
  const processed = await step('process/', { preview_hash, on_existing: 'fill_empty' });
  screen.done(`Processed as previewed: ${String(processed['rows_created'])} members. No mail was sent.`);
  await step('send-invitations/');
  screen.done('Now they are invited.');
  const undone = await step('undo/');
  screen.done(`Undone: ${String(undone['outcome'])}. The lines are kept, each with its outcome.`);
}
