/** Reads `DATA_DIR/demo.json`, the addresses of a running demo. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { config } from '../../config.js';

const Person = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  membership_id: z.string().nullish(),
  chapter_id: z.string().nullish(),
});

/** The stand-in of a card processor. */
const ProcessorStandin = z.object({ url: z.url() });

const Facts = z.object({
  base_url: z.url(),
  temporal_ui_url: z.url(),
  realtime_url: z.url().optional(),
  mail_url: z.url().nullish(),
  storage_url: z.url().nullish(),
  // An address is null when its part runs elsewhere.
  gateway: z.object({ url: z.url(), control_url: z.url().nullable(), ledger_url: z.url().nullable() }),
  gateways: z.object({ square: ProcessorStandin, paypal: ProcessorStandin, checkout: ProcessorStandin }).optional(),
  database: z.object({ owner_url: z.url().nullable() }),
  accounts: z.object({ workspace: z.url(), office: z.url(), credentials_file: z.string() }).nullish(),
  organizations: z
    .array(
      z.object({
        id: z.string(),
        slug: z.string(),
        chapter_ids: z.array(z.string()),
        // Absent in the file of a stack that an older version started.
        foundation: z.object({ id: z.string(), campaign_slug: z.string() }).optional(),
        users: z.object({
          platform_admin: Person.optional(),
          admin: Person,
          officer: Person,
          member: Person,
          foundation_admin: Person.optional(),
          foundation_editor: Person.optional(),
        }),
      }),
    )
    .min(1),
});

export type DemoFacts = z.infer<typeof Facts>;
export type DemoPerson = z.infer<typeof Person>;

/** @returns null when no demo runs here. @throws Error when the file is invalid */
export function readDemoFacts(): DemoFacts | null {
  const file = path.join(config.dataDir, 'demo.json');
  if (!existsSync(file)) return null;
  const parsed = Facts.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not usable:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
