/** A roster comes in by a file: what stumbles is mended line by line, nobody is mailed before that is asked for, and it is undone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoClient, DemoFailed, made, type Page, type Row } from './client.js';
import { screen } from './screen.js';

const PATIENCE_S = 60;

/** @param admin of the organization. @throws DemoFailed */
export async function importRoster(admin: DemoClient, organization: string, chapter: string): Promise<void> {
  screen.chapter('5. A roster comes in by a file, and is undone');
  const now = Date.now();
  const { name } = await admin.get<Row>(`/api/chapters/${chapter}/`);
  const line = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(',');
  const file = [
    'E-Mail,First name,Surname,Chapter,Status,Graduation year',
    line(`grace.${now}@example.org`, 'Grace', 'Hopper', String(name), 'undergrad', '2028'),
    line(`hedy.${now}@example.org`, 'Hedy', 'Lamarr', String(name), 'undergrad', 'soon'),
  ].join('\r\n');
  const { id } = await made(admin.upload(`/api/organizations/${organization}/imports/`, 'roster.csv', file), 201);
  const of = (rest = '') => `/api/imports/${id}/${rest}`;
  /** A step's process has ended. */
  const settled = async (): Promise<Row> => {
    for (let waited = 0; waited < 10 * PATIENCE_S; waited += 1) {
      const is = await admin.get<Row>(of());
      if (is['step'] === null) return is;
      await sleep(100);
    }
    throw new DemoFailed(`The import ${id} did not go on for ${PATIENCE_S} s.`);
  };
  const step = async (rest: string, body: object = {}): Promise<Row> => {
    await made(admin.post(of(rest), body), 202);
    return settled();
  };
  await settled();
  screen.done('The file is read; what its columns mean was guessed by their titles.');
  await step('preview/');
  const { results } = await admin.get<Page>(of('rows/'));
  for (const row of results)
    screen.step(`line ${String(row['line'])}: ${String(row['outcome'])} ${JSON.stringify(row['errors'])}`);
  const bad = results.find(({ outcome }) => outcome === 'error');
  if (!bad) throw new DemoFailed('No line stumbled.');
  await made(admin.patch(of(`rows/${bad.id}/`), { values: { graduation_year: '2029' } }));
  const { preview_hash } = await step('preview/');
  screen.done('The line is mended in place, and the preview is whole.');
  const processed = await step('process/', { preview_hash, on_existing: 'fill_empty' });
  screen.done(`Made exactly so: ${String(processed['rows_created'])} members. Nobody was mailed.`);
  await step('send-invitations/');
  screen.done('Now they are invited.');
  const undone = await step('undo/');
  screen.done(`Undone: ${String(undone['outcome'])}. The lines stay as they were read, with what became of each.`);
}
