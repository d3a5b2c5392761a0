/** What the seeded organizations are like. Slugs are fixed: they tell a second run that the work is done. */
import { DEMO_LOGIN } from '../../config.js';

export interface ChapterBlueprint {
  name: string;
  designation: string;
  university: string;
  city: string;
  state: string;
  region: string;
  members: number;
  /** Open invoices per billed member. */
  openInvoices: number;
}

export interface Blueprint {
  slug: string;
  name: string;
  orgType: string;
  /** HSL, as the API takes it. */
  color: string;
  timezone: string;
  regions: { name: string; states: string[] }[];
  /** The first is the demo officer's, the second where the admins are alumni. */
  chapters: ChapterBlueprint[];
}

/** How large an organization is; `demo` is what `npm start` seeds. */
export const SIZES = {
  demo: { officersChapter: 90, otherChapters: 36, openInvoices: 5 },
} as const;

export type Size = keyof typeof SIZES;

/** The only password of all seeded people. It opens nothing outside of development: the seed refuses production. */
export const DEMO_PASSWORD = DEMO_LOGIN.password;

const place = (name: string, designation: string, university: string, city: string, state: string, region: string) => ({
  name,
  designation,
  university,
  city,
  state,
  region,
});

/** The two demo organizations at a size. */
export function blueprints(size: Size): Blueprint[] {
  const { officersChapter, otherChapters, openInvoices } = SIZES[size];
  const first = { members: officersChapter, openInvoices };
  const other = { members: otherChapters, openInvoices: 2 };
  return [
    {
      slug: 'northern-star',
      name: 'Order of the Northern Star',
      orgType: 'fraternity',
      color: 'hsl(214, 62%, 38%)',
      timezone: 'America/Chicago',
      regions: [
        { name: 'Great Lakes', states: ['MI', 'OH', 'IL'] },
        { name: 'Gulf', states: ['TX', 'LA', 'FL'] },
      ],
      chapters: [
        { ...place('Alpha', 'Α', 'Lakeshore University', 'Ann Arbor', 'MI', 'Great Lakes'), ...first },
        { ...place('Beta', 'Β', 'Bayou State University', 'Baton Rouge', 'LA', 'Gulf'), ...other },
        { ...place('Gamma', 'Γ', 'Prairie College', 'Columbus', 'OH', 'Great Lakes'), ...other },
      ],
    },
    {
      slug: 'golden-laurel',
      name: 'Golden Laurel Society',
      orgType: 'sorority',
      color: 'hsl(43, 88%, 42%)',
      timezone: 'America/Los_Angeles',
      regions: [
        { name: 'Pacific', states: ['CA', 'OR', 'WA'] },
        { name: 'Mountain', states: ['CO', 'UT', 'NM'] },
      ],
      chapters: [
        { ...place('Sequoia', 'I', 'Redwood University', 'Eugene', 'OR', 'Pacific'), ...first },
        { ...place('Summit', 'II', 'Front Range University', 'Boulder', 'CO', 'Mountain'), ...other },
        { ...place('Harbor', 'III', 'Harbor State University', 'Oakland', 'CA', 'Pacific'), ...other },
      ],
    },
  ];
}
