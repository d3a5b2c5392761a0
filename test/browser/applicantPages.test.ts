/** Applications in headless Chromium on a small phone: no typed text is lost, and no text of others is executed. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { followReferenceLetter } from '../../activities/intake/referenceLetters.js';
import { scanStoredFile } from '../../activities/organizations/scanFiles.js';
import { config } from '../../config.js';
import { EICAR } from '../../development/standins/scan/server.js';
import { asOwner } from '../support/owner.js';
import {
  aPhone,
  apply,
  EVIL,
  focused,
  isWhole,
  linkIn,
  saved,
  sendElsewhere,
  shows,
  stage,
} from './applicants.support.js';

/** Does what the process of an application's file does. */
async function scanned(email: string): Promise<void> {
  const [file] = await asOwner<{ id: string }>(
    `SELECT f.file_id AS id FROM pnm_attachments f JOIN pnm_applications a ON a.id = f.application_id WHERE a.email = $1`,
    [email],
  );
  const input = { organizationId: stage.world.organizationId, fileId: file?.id as string };
  expect(await new MockActivityEnvironment().run(scanStoredFile, input)).toBe('infected');
}

test('an applicant applies, loses the network, continues by the mailed link elsewhere, confirms, reads the status and withdraws', async () => {
  const email = stage.address();
  const first = await aPhone();
  await first.goto(apply());
  await shows(first, 'h1', 'Apply to');
  await isWhole(first);
  expect(first.url()).not.toContain('#');
  await first.getByLabel('First name').press('A');
  await first.waitForURL(/#draft=[\w-]{43}$/);
  await first.getByLabel('First name').fill(`Ada ${EVIL}`);
  await first.getByLabel('E-mail address').fill(email);
  await saved(first);
  await first.getByRole('button', { name: 'Mail me a link' }).click();
  await shows(first, '#news', `was sent to ${email}`);
  const link = await linkIn(email);

  // One answer is lost: its request was carried out.
  await first.route(
    '**/drafts/*/',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await first.getByLabel('Last name').fill('Lovelace');
  await shows(first, '#saving', 'There is no connection');
  await saved(first);
  await first.context().setOffline(true);
  await first.getByLabel('Why?').fill('Because of the sea.');
  await shows(first, '#saving', 'There is no connection');
  await first.getByRole('button', { name: 'Send the application' }).click();
  expect(await first.getByLabel('Why?').inputValue()).toBe('Because of the sea.');
  await first.context().setOffline(false);
  // Everything that was queued is sent: all its mistakes are shown.
  await shows(first, '#summary', 'Telephone');
  await shows(first, '#summary', 'Chapter');
  expect(await focused(first)).toBe('chapter');
  await isWhole(first);
  expect(await first.locator('[name=phone_number]').getAttribute('aria-invalid')).toBe('true');
  await saved(first);
  await first.close();

  const second = await aPhone();
  await second.goto(link);
  expect(await second.getByLabel('Why?').inputValue()).toBe('Because of the sea.');
  expect(await second.getByLabel('First name').inputValue()).toBe(`Ada ${EVIL}`);
  await second.getByLabel('Chapter').selectOption({ index: 1 });
  await second.locator('[name=phone_number]').fill('+1 202 555 0143');
  await second.getByLabel('I agree').check();
  await saved(second);
  const resume = (text: string) => ({ name: 'mine.pdf', mimeType: 'application/pdf', buffer: Buffer.from(text) });
  await second.getByLabel('Résumé').setInputFiles(resume('<script>'));
  await shows(second, '#file-resume-news', 'Not accepted: The file must be one of');
  await second.context().setOffline(true);
  await second.getByLabel('Résumé').setInputFiles(resume(`%PDF-1.7 ${EICAR}`));
  await shows(second, '#file-resume-news', 'There is no connection');
  await second.context().setOffline(false);
  await shows(second, '#file-resume-news', 'Received: mine.pdf, being checked');
  await second.reload();
  await saved(second);
  expect(await second.getByLabel('I agree').isChecked()).toBe(true);
  await shows(second, '#file-resume-news', 'Received and being checked');
  await second.getByRole('button', { name: 'Send the application' }).click();
  await shows(second, 'h1', 'Sent');
  await isWhole(second);
  await second.getByRole('link', { name: 'See the status of your application' }).click();
  await shows(second, '#says', 'We have mailed you a link');
  // The address of a sent draft leads to its status.
  await second.goto(link);
  await shows(second, '#says', 'We have mailed you a link');

  const third = await aPhone();
  await third.goto(await linkIn(email));
  await shows(third, 'h1', 'Confirm your application');
  await isWhole(third);
  await second.reload();
  await shows(second, '#says', 'We have mailed you a link');
  await third.getByRole('button', { name: 'Confirm the application' }).click();
  await shows(third, 'h1', 'Confirmed');
  await third.getByRole('link', { name: 'See the status of your application' }).click();
  await shows(third, '#says', 'We have received your application');
  await shows(third, '#file-resume-news', 'Received and being checked');
  await scanned(email);
  await shows(third, '#file-resume-news', 'Refused: the file was infected');
  await third.getByLabel('Photo of you').setInputFiles(resume('%PDF-1.7'));
  await shows(third, '#file-headshot-news', 'Not accepted');
  await third.getByText('Withdraw this application').click();
  await isWhole(third);
  await third.getByLabel('Also erase').check();
  await third.getByRole('button', { name: 'Withdraw' }).click();
  await shows(third, 'h1', 'Erased');
  await second.reload();
  await shows(second, 'h1', 'Not found');
  expect(await asOwner('SELECT FROM pnm_applications WHERE email = $1', [email])).toEqual([]);
});

test('an applicant with a keyboard alone submits the form through a 429, which says when to retry and loses nothing', async () => {
  const email = stage.address();
  const page = await aPhone();
  await page.goto(apply());
  await shows(page, 'h1', 'Apply to');
  /** Presses Tab until the element has the focus, as a person without a mouse does. */
  const to = async (name: string | RegExp) => {
    for (let steps = 0; steps < 40; steps += 1) {
      await page.keyboard.press('Tab');
      const at = await focused(page);
      if (typeof name === 'string' ? at === name : name.test(at)) return;
    }
    throw new Error(`No way to ${String(name)}.`);
  };
  const type = async (name: string, text: string) => {
    await to(name);
    await page.keyboard.type(text);
  };
  await type('first_name', 'Ada');
  await type('last_name', 'Lovelace');
  await type('email', email);
  await to('chapter');
  await page.keyboard.press('ArrowDown');
  await type('phone_number', '+1 202 555 0143');
  await type('answers.why', 'Because of the sea.');
  await type('answers.hours', 'few');
  await to(/^More about you/);
  await page.keyboard.press('Enter');
  await type('year_in_college', 'Second');
  await page.getByLabel('I agree').focus();
  await page.keyboard.press('Space');
  await to('Send the application');
  await page.keyboard.press('Enter');
  await shows(page, '#summary', 'Must be a number.');
  expect(await focused(page)).toBe('answers.hours');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3');

  const limits = config.THROTTLE_LIMITS;
  config.THROTTLE_LIMITS = { ...limits, pnm_submit_email: 1 };
  await sendElsewhere(email);
  await to('Send the application');
  await page.keyboard.press('Enter');
  await shows(page, '#news', /saved; send it again at \d/);
  config.THROTTLE_LIMITS = limits;
  await page.keyboard.press('Enter');
  await shows(page, 'h1', 'Sent');
  expect(await focused(page)).toBe('Sent');
  expect(
    await asOwner(
      `SELECT v.contents -> 'answers' @> '[{"key": "hours", "answer": 3}]' AS said FROM pnm_application_versions v
         JOIN pnm_applications a ON a.id = v.application_id WHERE a.email = $1 ORDER BY v.id DESC LIMIT 1`,
      [email],
    ),
  ).toEqual([{ said: true }]);
});

test('pages are the same for every address, execute no text of others and send no referrer', async () => {
  const answers = await Promise.all(
    ['', '/status/abc', '/verify/abc'].map((rest) => fetch(`${stage.api.url}/apply/${stage.world.slug}${rest}`)),
  );
  for (const { status, headers } of answers) {
    expect([status, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      200,
      'no-referrer',
      'no-store',
    ]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  }
  const html = await answers[0]?.text();
  const script = /src="([^"]+)"/.exec(html ?? '')?.[1] as string;
  expect((await fetch(stage.api.url + script)).headers.get('cache-control')).toContain('immutable');
  expect((await fetch(stage.api.url + script.replace(/_\/\w+/, '_/before'))).headers.get('cache-control')).toBe(
    'no-cache',
  );
  expect((await fetch(`${stage.api.url}${apply()}`, { method: 'POST' })).status).toBe(405);
  const page = await aPhone();
  await page.goto(`${stage.api.url}/apply/nowhere`);
  await shows(page, 'h1', 'No form here');
});

test('a referee writes a letter, which survives a network failure, and the applicant sees that it arrived', async () => {
  const settings = `/api/organizations/${stage.world.organizationId}/pnm-config/`;
  const { version: _, ...before } = (await stage.admin.get(settings)).body;
  expect((await stage.admin.put(settings, { ...before, reference_letters: 1 })).status).toBe(200);
  const phone = await aPhone();
  await phone.goto(apply());
  await phone.getByLabel('Name (person 1)').fill(`Dr. ${EVIL}`);
  await saved(phone);
  await phone.reload();
  expect(await phone.getByLabel('Name (person 1)').inputValue()).toBe(`Dr. ${EVIL}`);
  await isWhole(phone);

  const [email, referee, instead] = [stage.address(), stage.address(), stage.address()];
  const token = await sendElsewhere(email, { referees: [{ name: 'Nobody', email: referee }] });
  await stage.nobody.post(`/api/pnm/public/${stage.world.slug}/verify-email/`, {
    token: await stage.mailbox.tokenFor(email),
  });
  expect((await stage.admin.put(settings, before)).status).toBe(200);
  await phone.goto(`${apply()}/status/${token}`);
  await shows(phone, '#letters', 'Nobody was asked for a letter');
  await phone.getByText('Name another person').click();
  await phone.getByLabel('Name').fill(`Dr. ${EVIL}`);
  await phone.getByLabel('E-mail address').fill(instead);
  await phone.getByLabel('Instead of').selectOption({ index: 1 });
  await phone.getByRole('button', { name: 'Ask for a letter' }).click();
  await shows(phone, '#letters', 'Dr. ');
  await isWhole(phone);

  const [letter] = await asOwner<{ id: string }>('SELECT id FROM pnm_reference_letters WHERE email = $1', [instead]);
  const input = { organizationId: stage.world.organizationId, letterId: letter?.id as string };
  await new MockActivityEnvironment().run(followReferenceLetter, input);
  const theirs = await aPhone();
  await theirs.goto(await linkIn(instead));
  await isWhole(theirs);
  await theirs.getByRole('button', { name: 'Send the letter' }).click();
  await shows(theirs, '#f-text-error', /./);
  expect(await focused(theirs)).toBe('text');
  await theirs.locator('[name=text]').fill('She is kind. '.repeat(1_000));
  await theirs.getByRole('button', { name: 'Send the letter' }).click();
  await shows(theirs, '#f-text-error', /10,?000/);
  await theirs.locator('[name=text]').fill('She is kind.');
  await theirs.reload();
  expect(await theirs.locator('[name=text]').inputValue()).toBe('She is kind.');
  await theirs.context().setOffline(true);
  await theirs.getByRole('button', { name: 'Send the letter' }).click();
  await shows(theirs, '#saving', 'There is no connection');
  await theirs.context().setOffline(false);
  await shows(theirs, 'main', 'Your letter was received.');
  expect(await theirs.evaluate('localStorage.length')).toBe(0);
  await phone.reload();
  await shows(phone, '#letters', 'has sent the letter');
  expect(await phone.content()).not.toContain('She is kind');
});
