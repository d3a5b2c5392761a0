/**
 * The public view of an organization's recruitment: whether there is a period, whether it is open, and what the
 * application form asks.
 */
import { pipelinePrepared } from '../../database/preparedQuery.js';
import { shownSql } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows, type ThrottleHit } from '../../database/rows.js';
import { readPlatformRow } from '../../database/pipelinedTransaction.js';
import { requireFound } from '../../errors.js';
import { emailAddress, recordId } from '../../fields.js';
import { LOCK_ACTIVE_CHAPTER } from '../../organizations/chapters.js';
import type { CONSENT_METHODS } from '../../organizations/vocabulary.js';
import { ApplicationConfig } from '../pnm-config/ApplicationConfig.js';
import { BUILT_IN, type ShownConfig } from '../pnm-config/config.js';
import { intakeErrors } from '../errors.js';
import type { Contents } from './contents.js';

export interface FormOrganization {
  id: string;
  name: string;
  slug: string;
}

/**
 * Returns the active organization with this slug. Opens its own transaction, because the tenant is not known before.
 * @throws Refusal not_found
 */
export const organizationOfForm = async (slug: string): Promise<FormOrganization> =>
  requireFound(
    (await readPlatformRow({ text: ORGANIZATION_BY_SLUG, values: [slug.toLowerCase()], prepared: true })) as
      | FormOrganization
      | undefined,
  );

const ORGANIZATION_BY_SLUG = 'SELECT id, name, slug FROM organizations WHERE slug = $1 AND is_active';

export interface FormPeriod {
  id: string;
  name: string;
  opens_at: string;
  closes_at: string;
  closed_message: string | null;
  is_open: boolean;
}

const PERIOD = `SELECT to_json(p) AS period FROM (
  SELECT id, name, opens_at, closes_at, closed_message, status = 'active' AND now() BETWEEN opens_at AND closes_at AS is_open
    FROM recruitment_periods WHERE organization_id = $1 AND status <> 'draft'
   ORDER BY status = 'active' DESC, closes_at DESC, id DESC LIMIT 1) p`;

/** Returns the active period, else the latest one. @throws Refusal not_found if there was never one */
export const readFormPeriod = async (): Promise<FormPeriod> =>
  requireFound(await firstRow<{ period: FormPeriod }>(PERIOD, [currentOrganization()])).period;

/**
 * Returns the recruitment period, and requires that it is open.
 * @throws Refusal not_found, intake_closed with the message of the organization
 */
export const requireOpen = async (): Promise<FormPeriod> => requireOpenPeriod(await readFormPeriod());

function requireOpenPeriod(period: FormPeriod, isLocked = true): FormPeriod {
  if (!(period.is_open && isLocked)) throw intakeErrors.intake_closed(period.closed_message ?? undefined);
  return period;
}

export interface RequestedConsent {
  template: string;
  title: string;
  method: (typeof CONSENT_METHODS)[number];
  body_html: string | null;
  body_text: string | null;
  version: number;
  text_hash: string;
}

const CONSENTS = `
  SELECT t.id AS template, v.title, v.method, v.body_html, v.body_text, v.number AS version, v.text_hash
    FROM pnm_application_configs f CROSS JOIN LATERAL jsonb_array_elements_text(f.consents) WITH ORDINALITY AS asked (id, place)
    JOIN consent_templates t ON t.organization_id = $1 AND t.id = asked.id::uuid AND t.is_active AND t.audience = 'applicants'
    JOIN consent_versions v ON v.organization_id = $1 AND v.template_id = t.id AND v.number = t.published_version
   WHERE f.organization_id = $1 ORDER BY asked.place`;

/** Reads the published consents that the form requires, in the order of the form. */
export const readRequestedConsents = (): Promise<RequestedConsent[]> =>
  rows<RequestedConsent>(CONSENTS, [currentOrganization()]);

export interface FormChapter {
  id: string;
  name: string;
  designation: string | null;
  university: string | null;
  city: string | null;
  state: string | null;
}

/** Lists the chapters that accept applications, by name. */
export const listFormChapters = (): Promise<FormChapter[]> =>
  rows<FormChapter>(
    `SELECT id, name, designation, university, city, state FROM chapters
      WHERE organization_id = $1 AND status = 'active' ORDER BY name, id LIMIT 1000`,
    [currentOrganization()],
  );

/** Given an applicant's e-mail address, returns the rate-limit counters that their application increments. */
export type Spend = (email: string) => ThrottleHit[];
type Spent = Record<string, unknown>[];

const LOCK_PERIOD = `SELECT FROM recruitment_periods WHERE organization_id = $1 AND status = 'active' FOR SHARE`;
const CONFIG = `SELECT to_json(f) AS config FROM (SELECT ${shownSql(ApplicationConfig)} FROM pnm_application_configs
  WHERE organization_id = $1) f`;

/**
 * Reads the form of the active period in one round trip, and locks the period and the chosen chapter until the
 * transaction ends.
 * @param spend counts the application against the rate limits in the same round trip; if the application is refused,
 * the rollback undoes the count
 * @returns the form, and `requireBudget`, which the caller calls once everything else is valid
 * @throws Refusal throttled, not_found, intake_closed with the message of the organization
 */
export async function lockForm({ chapter, email }: Pick<Contents, 'chapter' | 'email'>, spend: Spend) {
  const values = [currentOrganization()];
  const chosen = recordId.safeParse(chapter).data ?? null;
  const address = emailAddress.safeParse(email).data;
  const spending = address === undefined ? [] : spend(address);
  const [lockedPeriods, periods, configs, consents, chapters, ...spent] = (await pipelinePrepared([
    ...[LOCK_PERIOD, PERIOD, CONFIG, CONSENTS].map((text) => ({ text, values })),
    { text: LOCK_ACTIVE_CHAPTER, values: [...values, chosen] },
    ...spending.map(({ statement }) => statement),
  ])) as [unknown[], { period: FormPeriod }[], { config: ShownConfig }[], RequestedConsent[], unknown[], ...Spent[]];
  const period = requireOpenPeriod(requireFound(periods[0]).period, lockedPeriods.length > 0);
  const config = configs[0]?.config ?? BUILT_IN;
  const requireBudget = () => spending.forEach(({ requireBudget }, n) => requireBudget(spent[n]?.[0] ?? {}));
  return { period, config, consents, takesChapter: chapters.length > 0, requireBudget };
}
