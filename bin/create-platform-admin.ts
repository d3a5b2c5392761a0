/**
 * create-platform-admin <email> <first name> <last name> [--password-stdin]: without --password-stdin, prints a
 * generated one-time password that must be changed at the first sign-in.
 */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { sequelize } from '../models/database/connection.js';
import { Refusal } from '../models/errors.js';
import { name } from '../models/fields.js';
import { createPlatformAdmin } from '../models/identity/createPlatformAdmin.js';

const Arguments = z.tuple([z.email().max(254), name(100), name(100)]);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { 'password-stdin': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const parsed = Arguments.safeParse(positionals);
  if (!parsed.success)
    throw new Error('Usage: create-platform-admin <email> <first name> <last name> [--password-stdin]');
  const [email, firstName, lastName] = parsed.data;
  const chosenPassword = values['password-stdin'] ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const password = chosenPassword ?? randomBytes(15).toString('base64url');
  const { created } = await createPlatformAdmin({
    email,
    firstName,
    lastName,
    password,
    mustChangePassword: chosenPassword === null,
  });
  if (!created) console.log(`${email} already had an account and is now a platform admin. The password is unchanged.`);
  else if (chosenPassword !== null) console.log(`${email} is a platform admin now.`);
  else
    console.log(`${email} is a platform admin now. One-time password, to be changed at the first log-in: ${password}`);
}

main()
  .catch((error: Error) => {
    const reasons = error instanceof Refusal ? Object.values(error.errors ?? {}).flat() : [];
    console.error([error.message, ...reasons].join(' '));
    process.exitCode = 1;
  })
  .finally(() => void sequelize.close());
