/** What strangers see of an organization's intake: that there is one, whether it is open, and what it asks. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { found } from '../../errors.js';
import type { CONSENT_METHODS } from '../../organizations/vocabulary.js';
import { readApplicationConfig, type ShownConfig } from '../pnm-config/config.js';
import { intakeErrors } from '../errors.js';

export interface ApplyingTo {
  id: string;
  name: string;
  slug: string;
}

/**
 * The organization of an address, if it is active and has ever taken applications; any other is not there. Opens its own
 * transaction: the tenant is known from then on.
 * @throws Refusal not_found
 */
export const organizationOfForm = async (slug: string): Promise<ApplyingTo> =>
  found(
    await inPlatform(
      () =>
        firstRow<ApplyingTo>('SELECT id, name, slug FROM organizations WHERE slug = $1 AND is_active', [
          slug.toLowerCase(),
        ]),
      { readOnly: true },
    ),
  );

export interface FormPeriod {
  id: string;
  name: string;
  opens_at: string;
  closes_at: string;
  closed_message: string | null;
  is_open: boolean;
}

/** The period that runs, else the one that ran last. @throws Refusal not_found where there was never any */
export const formPeriod = async (): Promise<FormPeriod> =>
  found(
    await firstRow<{ period: FormPeriod }>(
      `SELECT to_json(p) AS period FROM (
         SELECT id, name, opens_at, closes_at, closed_message,
                status = 'active' AND now() BETWEEN opens_at AND closes_at AS is_open
           FROM recruitment_periods WHERE organization_id = $1 AND status <> 'draft'
          ORDER BY status = 'active' DESC, closes_at DESC, id DESC LIMIT 1) p`,
      [currentOrganization()],
    ),
  ).period;

/** @throws Refusal not_found, intake_closed saying what the organization says */
export async function requireOpen(): Promise<FormPeriod> {
  const period = await formPeriod();
  if (!period.is_open) throw intakeErrors.intake_closed(period.closed_message ?? undefined);
  return period;
}

export interface AskedConsent {
  template: string;
  title: string;
  method: (typeof CONSENT_METHODS)[number];
  body_html: string | null;
  body_text: string | null;
  version: number;
  text_hash: string;
}

/** What has to be agreed to, as it is published, in the order of the form. */
export const askedConsents = ({ consents }: Pick<ShownConfig, 'consents'>): Promise<AskedConsent[]> =>
  rows<AskedConsent>(
    `SELECT t.id AS template, v.title, v.method, v.body_html, v.body_text, v.number AS version, v.text_hash
       FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place)
       JOIN consent_templates t ON t.organization_id = $1 AND t.id = asked.id AND t.is_active AND t.audience = 'applicants'
       JOIN consent_versions v ON v.organization_id = $1 AND v.template_id = t.id AND v.number = t.published_version
      ORDER BY asked.place`,
    [currentOrganization(), consents],
  );

export interface ChosenChapter {
  id: string;
  name: string;
  designation: string | null;
  university: string | null;
  city: string | null;
  state: string | null;
}

/** Where one may apply, by name. */
export const formChapters = (): Promise<ChosenChapter[]> =>
  rows<ChosenChapter>(
    `SELECT id, name, designation, university, city, state FROM chapters
      WHERE organization_id = $1 AND status = 'active' ORDER BY name, id LIMIT 1000`,
    [currentOrganization()],
  );

export const readForm = async () => {
  const config = await readApplicationConfig();
  return { config, consents: await askedConsents(config) };
};
