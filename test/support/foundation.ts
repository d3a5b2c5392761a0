/** A foundation with its people, account, fund and public campaign, for tests. All rows are real. */
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { asOwner } from './owner.js';
import { WEBHOOK_SECRET } from './platform.js';
import { aMember, type Person, type World } from './world.js';

export interface Foundation {
  foundationId: string;
  /** Members of the world's chapter without an office. */
  admin: Person;
  editor: Person;
  /** An account at the stand-in of Stripe, for gifts. */
  processorId: string;
  secretKey: string;
  fundId: string;
  /** An active, public campaign without dates. */
  campaignId: string;
  slug: string;
}

/** Inserts a row. @returns its id */
export const insertRow = async (table: string, row: Record<string, unknown>): Promise<string> => {
  const columns = Object.keys(row);
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return (made as { id: string }).id;
};

/** A member of the organization with a role in its foundation. */
export async function aFoundationPerson(
  { organizationId, chapterId }: Pick<World, 'organizationId' | 'chapterId'>,
  foundationId: string,
  role: 'admin' | 'editor',
): Promise<Person> {
  const person = await aMember(organizationId, chapterId);
  await insertRow('foundation_admins', {
    organization_id: organizationId,
    foundation_id: foundationId,
    user_id: person.userId,
    role,
  });
  return person;
}

/** Creates everything that a public gift needs. @param settings other settings than the usual ones */
export async function aFoundation(
  world: Pick<World, 'organizationId' | 'chapterId'>,
  settings: Record<string, unknown> = {},
): Promise<Foundation> {
  const { organizationId } = world;
  const tenant = { organization_id: organizationId };
  const foundationId = await insertRow('foundation_configs', {
    ...tenant,
    name: 'Alpha Foundation',
    legal_name: 'Alpha Foundation, Inc.',
    ein: '12-3456789',
    mailing_address: '1 Main Street, Springfield',
    ...settings,
  });
  const { processorId, secretKey } = await aFoundationProcessor(organizationId, foundationId);
  const fundId = await insertRow('funds', { ...tenant, name: 'General fund', is_default: true });
  const slug = `appeal-${uuidv7().slice(-8)}`;
  const campaignId = await insertRow('campaigns', {
    ...tenant,
    fund_id: fundId,
    title: 'Spring appeal',
    description: '<p>Help us.</p>',
    slug,
    suggested_amounts: [2500, 5000, 10_000],
    status: 'active',
    published_at: new Date(),
  });
  return {
    foundationId,
    admin: await aFoundationPerson(world, foundationId, 'admin'),
    editor: await aFoundationPerson(world, foundationId, 'editor'),
    processorId,
    secretKey,
    fundId,
    campaignId,
    slug,
  };
}

/** Connects an account at the stand-in of Stripe for gifts. */
export async function aFoundationProcessor(organizationId: string, foundationId: string) {
  const id = uuidv7();
  const secretKey = `sk_test_${id.replaceAll('-', '')}`;
  const encrypted = (column: string, secret: string) =>
    encrypt(secret, { table: 'org_payment_processors', column, rowId: id });
  const tenant = { organization_id: organizationId };
  await insertRow('org_payment_processors', {
    id,
    ...tenant,
    purpose: 'foundation',
    provider: 'stripe',
    label: 'Gifts',
    publishable_key: 'pk_test_gifts',
    secret_key_encrypted: encrypted('secret_key_encrypted', secretKey),
    webhook_secret_encrypted: encrypted('webhook_secret_encrypted', WEBHOOK_SECRET),
  });
  await insertRow('foundation_payment_processors', {
    ...tenant,
    foundation_id: foundationId,
    processor_id: id,
    fee_pass_through: true,
  });
  return { processorId: id, secretKey };
}
