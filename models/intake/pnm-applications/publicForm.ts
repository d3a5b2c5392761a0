/** What strangers see of an organization's intake: that there is one, whether it is open, and what it asks. */
import { keptRowsOf } from '../../database/keptRows.js';
import { shownSql } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows, type Spending } from '../../database/rows.js';
import { readInPlatform } from '../../database/oneMessage.js';
import { found } from '../../errors.js';
import { emailAddress, recordId } from '../../fields.js';
import { HOLD_ACTIVE_CHAPTER } from '../../organizations/chapters.js';
import type { CONSENT_METHODS } from '../../organizations/vocabulary.js';
import { ApplicationConfig } from '../pnm-config/ApplicationConfig.js';
import { BUILT_IN, type ShownConfig } from '../pnm-config/config.js';
import { intakeErrors } from '../errors.js';
import type { Contents } from './contents.js';

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
  found((await readInPlatform({ text: OF_FORM, values: [slug.toLowerCase()], kept: true })) as ApplyingTo | undefined);

const OF_FORM = 'SELECT id, name, slug FROM organizations WHERE slug = $1 AND is_active';

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

/** The period that runs, else the one that ran last. @throws Refusal not_found where there was never any */
export const formPeriod = async (): Promise<FormPeriod> =>
  found(await firstRow<{ period: FormPeriod }>(PERIOD, [currentOrganization()])).period;

/** @throws Refusal not_found, intake_closed saying what the organization says */
export const requireOpen = async (): Promise<FormPeriod> => open(await formPeriod());

function open(period: FormPeriod, isHeld = true): FormPeriod {
  if (!(period.is_open && isHeld)) throw intakeErrors.intake_closed(period.closed_message ?? undefined);
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

const CONSENTS = `
  SELECT t.id AS template, v.title, v.method, v.body_html, v.body_text, v.number AS version, v.text_hash
    FROM pnm_application_configs f CROSS JOIN LATERAL jsonb_array_elements_text(f.consents) WITH ORDINALITY AS asked (id, place)
    JOIN consent_templates t ON t.organization_id = $1 AND t.id = asked.id::uuid AND t.is_active AND t.audience = 'applicants'
    JOIN consent_versions v ON v.organization_id = $1 AND v.template_id = t.id AND v.number = t.published_version
   WHERE f.organization_id = $1 ORDER BY asked.place`;

/** What has to be agreed to, as it is published, in the order of the form. */
export const askedConsents = (): Promise<AskedConsent[]> => rows<AskedConsent>(CONSENTS, [currentOrganization()]);

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

/** What an application from an address is counted in. */
export type Spend = (email: string) => Spending[];
type Spent = Record<string, unknown>[];

const HOLD = `SELECT FROM recruitment_periods WHERE organization_id = $1 AND status = 'active' FOR SHARE`;
const CONFIG = `SELECT to_json(f) AS config FROM (SELECT ${shownSql(ApplicationConfig)} FROM pnm_application_configs
  WHERE organization_id = $1) f`;

/**
 * What is asked in the period that runs, which stays open until the transaction ends, as does the chapter that was chosen: in one
 * message to the database.
 * @param spend counts the application in the same message: what is refused is rolled back, and spends nothing
 * @returns with it `requireLeft`, for the time when everything else is right. @throws Refusal throttled
 * @throws Refusal not_found, intake_closed saying what the organization says
 */
export async function holdForm({ chapter, email }: Pick<Contents, 'chapter' | 'email'>, spend: Spend) {
  const values = [currentOrganization()];
  const chosen = recordId.safeParse(chapter).data ?? null;
  const address = emailAddress.safeParse(email).data;
  const spending = address === undefined ? [] : spend(address);
  const [held, periods, configs, consents, chapters, ...spent] = (await keptRowsOf([
    ...[HOLD, PERIOD, CONFIG, CONSENTS].map((text) => ({ text, values })),
    { text: HOLD_ACTIVE_CHAPTER, values: [...values, chosen] },
    ...spending.map(({ statement }) => statement),
  ])) as [unknown[], { period: FormPeriod }[], { config: ShownConfig }[], AskedConsent[], unknown[], ...Spent[]];
  const period = open(found(periods[0]).period, held.length > 0);
  const config = configs[0]?.config ?? BUILT_IN;
  const requireLeft = () => spending.forEach(({ requireLeft }, n) => requireLeft(spent[n]?.[0] ?? {}));
  return { period, config, consents, takesChapter: chapters.length > 0, requireLeft };
}
