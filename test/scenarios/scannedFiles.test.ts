/** Files of anonymous uploads cannot be read before the scanner has called them clean, also when scanner or worker fail in the meantime. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { MockActivityEnvironment } from '@temporalio/testing';
import sharp from 'sharp';
import { scanStoredFile } from '../../activities/organizations/scanFiles.js';
import { config } from '../../config.js';
import { EICAR } from '../../development/standins/scan/server.js';
import { aStore } from '../gateways/storage.support.js';
import { aScanner } from '../gateways/scan.support.js';
import { settleApplications } from '../api/intake/settling.support.js';
import { inviting } from '../api/organizations/invitations/invitations.support.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { startOwn } from '../support/processes.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aPlatformAdmin, aTerm } from '../support/world.js';

const many = ['pnm_submit_ip', 'pnm_submit_email', 'pnm_verify_email', 'pnm_attachment'].map((scope) => [
  scope,
  10_000,
]);
config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, ...Object.fromEntries(many) };
const storage = aStore();
const scanner = aScanner();
const stage = inviting();
const form = (rest: string) => `/api/pnm/public/${stage.world.slug}/${rest}`;
const INFECTED = Buffer.from(`%PDF-1.7 ${EICAR}`);
/** A PDF by its beginning, a page by its content, and an archive by its end. */
const POLYGLOT = Buffer.concat([
  Buffer.from('%PDF-1.7\n<!doctype html><script>alert(1)</script>'),
  Buffer.from('504b0304', 'hex'),
  Buffer.alloc(100),
  Buffer.from('504b0506', 'hex'),
  Buffer.alloc(18),
]);

beforeAll(async () => {
  const { organizationId } = stage.world;
  const made = await stage.admin.post<{ id: string }>(`/api/organizations/${organizationId}/recruitment-periods/`, {
    term: await aTerm(stage.world, 2400),
    name: 'Intake',
    opens_at: '2020-01-01T00:00:00.000Z',
    closes_at: '2100-01-01T00:00:00.000Z',
  });
  expect((await stage.admin.post(`/api/recruitment-periods/${made.body.id}/activate/`)).status).toBe(200);
  const attachmentFields = [
    { kind: 'resume', is_required: true },
    { kind: 'transcript', is_required: true },
  ];
  expect(
    (
      await stage.admin.put(`/api/organizations/${organizationId}/pnm-config/`, {
        attachments: attachmentFields,
        verify_email: false,
      })
    ).status,
  ).toBe(200);
});

const upload = async (path: string, content: Buffer, headers = {}) => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)]), 'mine.pdf');
  const answer = await fetch(stage.api.url + path, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as { id: string; is_being_checked: boolean } };
};
const attach = (token: string, kind: string, content: Buffer) =>
  upload(form(`applications/${token}/attachments/?kind=${kind}`), content);
/** An application that was sent and has a prospective member. */
async function applied() {
  const email = stage.address();
  const sent = await stage.nobody.post(form('applications/'), {
    email,
    first_name: 'Ada',
    last_name: 'Applicant',
    chapter: stage.world.chapterId,
  });
  expect(sent.status).toBe(202);
  await settleApplications();
  const [row] = await asOwner<{ id: string }>('SELECT profile_id AS id FROM pnm_applications WHERE email = $1', [
    email,
  ]);
  return { email, token: sent.body.token as string, pnm: row?.id as string };
}
const statusOf = async (token: string) => (await stage.nobody.get(form(`applications/${token}/`))).body;
const fileOf = async (pnm: string, kind: string) => {
  const [row] = await asOwner<{ id: string; file_id: string }>(
    `SELECT f.id, f.file_id FROM pnm_attachments f JOIN pnm_applications a ON a.id = f.application_id
      WHERE a.profile_id = $1 AND f.kind = $2`,
    [pnm, kind],
  );
  return row as { id: string; file_id: string };
};
const get = (path: string, { token }: { token: string }) =>
  fetch(stage.api.url + path, { headers: { Authorization: `Bearer ${token}` }, redirect: 'manual' });
const scanLog = (fileId: string) =>
  asOwner<{ action: string; actor_user_id: string | null; after: object }>(
    `SELECT action, actor_user_id, after FROM audit_log WHERE subject_id = $1 AND action <> 'stored_file.uploaded'`,
    [fileId],
  );
const problems = async (pnm: string) => (await stage.officer.get(`/api/pnm/${pnm}/`)).body.problems.toSorted();

let left: { token: string; pnm: string };

test('a file stays held when the worker is killed during its scan', async () => {
  left = await applied();
  scanner.state.fault = 'silent';
  const doomed = await startOwn('worker', {
    WORKER_QUEUES: 'bulk',
    CLAMD_ADDRESS: `127.0.0.1:${scanner.port}`,
    STORAGE_BUCKET: storage.settings.bucket,
    STORAGE_ENDPOINT: storage.url,
    STORAGE_ACCESS_KEY_ID: storage.settings.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: storage.settings.secretAccessKey,
  });
  expect((await attach(left.token, 'resume', POLYGLOT)).body.is_being_checked).toBe(true);
  await eventually(
    async () => scanner.state.scannedFiles,
    (requestCount) => requestCount > 0,
  );
  doomed.child.kill('SIGKILL');
  await once(doomed.child, 'exit');
  expect(await statusOf(left.token)).toMatchObject({ attachments: ['resume'], checking: ['resume'] });
  expect(await scanLog((await fileOf(left.pnm, 'resume')).file_id)).toEqual([]);
  scanner.state.fault = 'none';
});

describe('with a worker', () => {
  queueWorkers(['bulk'], { relay: true });

  test('the next worker records once that the file is clean, and it is served for download with the type of its beginning', async () => {
    const { token, pnm } = left;
    await eventually(
      () => statusOf(token),
      ({ checking }) => checking.length === 0,
    );
    const { id, file_id } = await fileOf(pnm, 'resume');
    await again(file_id, 'clean');
    expect(await scanLog(file_id)).toEqual([
      expect.objectContaining({ action: 'stored_file.cleared', actor_user_id: null }),
    ]);
    await recordHistory(`file-scan/${file_id}`, 'scanFile-clean-after-a-kill');
    const address = await get(`/api/pnm/${pnm}/attachments/${id}/`, stage.world.officer);
    expect([address.status, address.headers.get('x-content-type-options')]).toEqual([302, 'nosniff']);
    const served = await fetch(address.headers.get('location') as string);
    expect([served.headers.get('content-type'), served.headers.get('content-disposition')]).toEqual([
      'application/pdf',
      expect.stringMatching(/^attachment;/),
    ]);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(POLYGLOT);
  });

  test('no file can be read while the scanner is down, and later infected files are refused and clean ones served', async () => {
    const { email, token, pnm } = await applied();
    scanner.state.fault = 'down';
    await attach(token, 'resume', INFECTED);
    await attach(token, 'transcript', POLYGLOT);
    const [resume, transcript] = [await fileOf(pnm, 'resume'), await fileOf(pnm, 'transcript')];
    expect(await statusOf(token)).toMatchObject({
      attachments: ['resume', 'transcript'],
      checking: ['resume', 'transcript'],
      refused: [],
      missing: [],
    });
    const path = ({ id }: { id: string }) => `/api/pnm/${pnm}/attachments/${id}/`;
    const platform = await aPlatformAdmin();
    const { officer, admin, member, otherOfficer } = stage.world;
    const readers = [officer, admin, member, otherOfficer, platform, stage.other.admin];
    const answers = async (file: { id: string }) => {
      const all = await Promise.all(readers.map((reader) => get(path(file), reader)));
      return all.map(({ status }) => status);
    };
    expect(await answers(resume)).toEqual([409, 409, 403, 403, expect.any(Number), 404]);
    expect(await (await get(path(resume), officer)).json()).toMatchObject({ code: 'file_not_checked' });
    for (const status of await answers(resume)) expect(status).not.toBe(302);
    expect((await get(`/api/files/${resume.file_id}/`, admin)).status).toBe(404);
    const packet = async () => {
      const answer = await get(`/api/pnm/${pnm}/packet.zip`, officer);
      return Buffer.from(await answer.arrayBuffer());
    };
    expect((await packet()).includes(POLYGLOT)).toBe(false);
    expect((await stage.officer.get(`/api/pnm/${pnm}/application/`)).body.attachments).toMatchObject([
      { kind: 'resume', is_being_checked: true },
      { kind: 'transcript', is_being_checked: true },
    ]);
    expect(await problems(pnm)).toEqual(['attachment_resume', 'attachment_transcript']);
    // Only the scanner can release it.
    for (const change of [
      "status = 'kept'",
      "status = 'kept', scan = NULL",
      "scan = 'clean'",
      "status = 'kept', scan = 'infected'",
    ])
      await expect(asOwner(`UPDATE stored_files SET ${change} WHERE id = $1`, [resume.file_id])).rejects.toThrow();
    scanner.state.fault = 'none';
    expect(
      await eventually(
        () => statusOf(token),
        ({ checking }) => checking.length === 0,
      ),
    ).toMatchObject({ attachments: ['transcript'], refused: ['resume'], missing: ['resume'] });
    expect(await answers(resume)).toEqual([404, 404, 403, 403, expect.any(Number), 404]);
    expect((await answers(transcript)).slice(0, 2)).toEqual([302, 302]);
    await eventually(
      async () => storage.objects.read(`${stage.world.organizationId}/${resume.file_id}`),
      (object) => !object,
    );
    await again(resume.file_id, 'infected');
    expect(await scanLog(resume.file_id)).toEqual([
      {
        action: 'stored_file.refused',
        actor_user_id: null,
        after: expect.objectContaining({ purpose: 'pnm_attachment', signature: 'Eicar-Test-Signature' }),
      },
    ]);
    expect(await problems(pnm)).toEqual(['attachment_resume']);
    expect(
      await asOwner("SELECT FROM account_notices WHERE kind = 'application_file_refused' AND email = $1", [email]),
    ).toHaveLength(1);
    const packed = await packet();
    expect([packed.includes(POLYGLOT), packed.includes(EICAR)]).toEqual([true, false]);
    await recordHistory(`file-scan/${resume.file_id}`, 'scanFile-infected');
    // Another file replaces it.
    await attach(token, 'resume', Buffer.from('%PDF-1.7 a resume'));
    expect(
      await eventually(
        () => statusOf(token),
        ({ checking }) => checking.length === 0,
      ),
    ).toMatchObject({ attachments: ['resume', 'transcript'], refused: [], missing: [] });
    expect(await problems(pnm)).toEqual([]);
  });

  test('a file that is replaced or withdrawn before its scan is removed, and a draft names refused files', async () => {
    const { token, pnm } = await applied();
    scanner.state.fault = 'error';
    await attach(token, 'resume', INFECTED);
    const { file_id } = await fileOf(pnm, 'resume');
    await attach(token, 'resume', POLYGLOT);
    const draft = (await stage.nobody.post(form('drafts/'), { contents: {} })).body.token;
    const drafted = form(`drafts/${draft}/`);
    await upload(`${drafted}attachments/?kind=headshot`, await aPicture(), {});
    await upload(`${drafted}attachments/?kind=resume`, INFECTED);
    expect((await stage.nobody.get(drafted)).body).toMatchObject({ checking: ['headshot', 'resume'], refused: [] });
    scanner.state.fault = 'none';
    expect(
      await eventually(
        () => stage.nobody.get(drafted).then(({ body }) => body),
        ({ checking }) => checking.length === 0,
      ),
    ).toMatchObject({ attachments: ['headshot'], refused: ['resume'] });
    scanner.state.fault = 'down';
    const acceptedVersion = await applied();
    await attach(acceptedVersion.token, 'resume', INFECTED);
    const { file_id: gone } = await fileOf(acceptedVersion.pnm, 'resume');
    expect(
      (await stage.nobody.post(form(`applications/${acceptedVersion.token}/withdraw/`), { erase: true })).status,
    ).toBe(204);
    await settleApplications();
    expect(await scan(gone)).toBe('removed');
    scanner.state.fault = 'none';
    await again(file_id, 'removed');
    expect(await scanLog(file_id)).toEqual([]);
    await recordHistory(`file-scan/${file_id}`, 'scanFile-removed');
  });

  test('a document of a request is held for its scan, but lists that admins import are not', async () => {
    scanner.state.fault = 'down';
    const { organizationId, member, admin } = stage.world;
    const give = (who: { token: string }, purpose: string, content: Buffer) =>
      upload(`/api/organizations/${organizationId}/files/?purpose=${purpose}`, content, {
        Authorization: `Bearer ${who.token}`,
      });
    const { body } = await give(member, 'request_document', INFECTED);
    const file = `/api/files/${body.id}/`;
    expect([body.is_being_checked, (await get(file, member)).status]).toEqual([true, 409]);
    expect((await get(file, stage.world.otherOfficer)).status).toBe(404);
    expect((await give(admin, 'import', Buffer.from('Email\n'))).body.is_being_checked).toBe(false);
    scanner.state.fault = 'none';
    await eventually(
      () => get(file, member),
      ({ status }) => status === 404,
    );
  });

  test('new files are not held while no scanner is configured, but held files stay held', async () => {
    const { token, pnm } = await applied();
    scanner.state.fault = 'down';
    await attach(token, 'resume', POLYGLOT);
    const { clamd } = config;
    Object.assign(config, { clamd: null });
    expect((await attach(token, 'transcript', INFECTED)).body.is_being_checked).toBe(false);
    const { file_id } = await fileOf(pnm, 'resume');
    await expect(scan(file_id)).rejects.toThrow('No scanner is configured.');
    expect(await statusOf(token)).toMatchObject({ checking: ['resume'] });
    Object.assign(config, { clamd });
    scanner.state.fault = 'none';
    expect(await scan(file_id)).toBe('clean');
  });
});

const scan = (fileId: string, organizationId = stage.world.organizationId) =>
  new MockActivityEnvironment().run(scanStoredFile, { organizationId, fileId });
/** Runs the step again, which returns its outcome. */
async function again(fileId: string, end: string): Promise<void> {
  expect(await scan(fileId)).toBe(end);
  await expect(scan(fileId, stage.other.organizationId)).rejects.toThrow('There is no such file.');
  await expect(scan(randomUUID())).rejects.toThrow('There is no such file.');
}
const aPicture = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
